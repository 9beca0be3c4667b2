/* sparse_formats.h: level types, encodings and tensor storage.

   Part of the sparse kit; include "sparse.h". A tensor is stored as a tree of levels. Below each position of the level
   above, a level stores coordinates of one dimension, or of a part of one; each has a position of its own. The positions
   of the last level index the values. An encoding lists the levels: the type of each, and what it stores. All other code
   in this file works for every encoding.

   This header includes no other header of the kit. sparse_lattice.h, which compiles kernel lines, and sparse_io.h, which
   reads and writes files, include it.

   Contents (search for the anchors). Functions that parts I and II declare are defined in part III, where their anchor
   appears a second time.

   I. Tensors and their levels: what a program can call, and how tensors are stored
     >>configuration   switches with their defaults; what compilers spell differently
     >>toolkit         macros for lists: pasting, counting, comparing
     >>tables          the tables with which the toolkit counts, compares and maps
     >>linkage         SPARSE_API, SPARSE_DECLARE, SPARSE_IMPLEMENTATION: which file compiles which function
     >>results         sparse_result and the sentence for each code
     >>memory          sparse_hooks, sparse_buffer
     >>threads         SPARSE_THREADS
     >>encodings       sparse_encoding, SPARSE_TENSOR, SPARSE_INIT, named encodings
     >>storage         sparse_tensor
     >>numbers         sparse_load, sparse_store, checked sizes
     >>rules           sparse_encoding_check, sparse_same_encoding, maps and level sizes
     >>arrays          sparse_free, sparse_resize_dims, sparse_copy, sparse_allocate_dense
     >>levels          how a level type is read, written and checked, sparse_writer; then a room for each level type:
     >>level dense, >>level batch, >>level compressed, >>level loose_compressed, >>level singleton, >>level structured,
     >>level packed, >>level bitmap, >>level bitmask, >>level delta
     >>iterators       sparse_level_iterator, SPARSE_COITERATE, sparse_cursor, SPARSE_FOREACH, slices
     >>packing         sparse_pack_untyped, sparse_pack_dense_untyped, sparse_unpack_untyped
     >>conversion      sparse_convert, sparse_unpack_dense_untyped, sparse_equal
     >>validation      sparse_validate
     >>assembly        sparse_assemble, sparse_arrays_of, sparse_disassemble
     >>operations      accessors, crd_translate, reinterpret_map, transpose, concatenate, reshape,
                       sparse_convert_slice, push_back, insertion
     >>sorting         sparse_sort, sparse_reorder_coo
     >>statistics      sparse_statistics, sparse_drop_zeros

   II. Functions that kernels call
     >>kernels over levels   the rows by which the line compiler knows a level type
     >>coiteration     searches, and loops over the coordinates that two levels have in common
     >>descriptors     finds mistakes in descriptors, with a sentence for each
     >>sums            subscripts that are sums of indices: windows, subsections
     >>binding         the description of operands that a kernel passes, and the checks when it is called
     >>building        how outputs with sparse levels are built

   III. Implementation: the definitions for the anchors above, and
     >>values          sparse_f16, sparse_bf16; arithmetic on values of the known kinds
     >>records         entries on their way into a tensor, and their radix sort
     >>streams         the entries of a tensor, a chunk at a time, with their coordinates
     >>rows            conversions among CSR, CSC, DCSR and COO, and to BSR; sorting of rows
 */
#ifndef SPARSE_FORMATS_H
#define SPARSE_FORMATS_H

#include <float.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef _OPENMP
    #include <omp.h>
#endif

/* The version. SPARSE_VERSION is one number for #if: 10203 is 1.2.3. */
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
/* SPARSE_UNROLL         4        iterations of a loop unroll(i) that run together, 1 to 16. With 1, no loop is
                                  unrolled unless the line says unroll; this is the default at -Os */
#ifndef SPARSE_UNROLL
    #define SPARSE_UNROLL 4
#endif
/* SPARSE_REASSOCIATE    0        1: the innermost loop sums in vector lanes, as with the word simd. The last bits of
                                  a sum then depend on the processor and the compiler */
#ifndef SPARSE_REASSOCIATE
    #define SPARSE_REASSOCIATE 0
#endif
/* SPARSE_PREFETCH       8        how many iterations ahead a loop prefetch(k) looks */
#ifndef SPARSE_PREFETCH
    #define SPARSE_PREFETCH 8
#endif
/* SPARSE_PREFETCH_LINES 8        how many lines of 64 bytes are prefetched of each row */
#ifndef SPARSE_PREFETCH_LINES
    #define SPARSE_PREFETCH_LINES 8
#endif
/* SPARSE_CACHE    8388608        if an operand, dense or stored, has more bytes than this, loops that access its rows
                                  prefetch them without the word prefetch. 0: never, the default if freestanding */
#if !defined(SPARSE_CACHE) && SPARSE_FREESTANDING
    #define SPARSE_CACHE 0
#elif !defined(SPARSE_CACHE)
    #define SPARSE_CACHE 8388608
#endif
/* SPARSE_CHECKS         2        what a kernel checks of its operands when it is called. The caller must ensure
   what is not checked, or the kernel reads and writes outside of the arrays:
     2  everything: null pointers, encodings, missing arrays, sizes, slices, aliases
     1  sizes and slices. Not checked: null pointers, tensors without storage or with another encoding or none,
        incomplete batches, and outputs that share memory with other operands
     0  nothing; sizes and slices are not checked either
   Kernels allocate their outputs and report a lack of memory in any case. There is one exception: in freestanding
   programs with 1 or 0, dense outputs must have their memory already. The kernel then compares sizes where it is called
   and needs no table of its operands. If SPARSE_DECLARE is defined, all kernels of the program follow the setting in the
   file with SPARSE_IMPLEMENTATION. */
#ifndef SPARSE_CHECKS
    #define SPARSE_CHECKS 2
#endif
/* SPARSE_MAX_LEVELS     8        the most levels of an encoding, and the most dimensions of a tensor, 2 to 8.
   Descriptors, and functions that work with them, reserve memory for so many. On a 32-bit machine a descriptor takes
   276 bytes with 8 and 84 with 2. Define it alike in all files of a linked program; sparse_io.h needs 8 */
#ifndef SPARSE_MAX_LEVELS
    #define SPARSE_MAX_LEVELS 8
#endif
/* SPARSE_EXPLAIN        1        keep details of a failed check for sparse_explain? They are kept for each thread. The
   default is 0 in freestanding programs; with 1, all threads and interrupt handlers of such a program share the details,
   and only one of them may call the kit. Define it alike in all files of a linked program */
#ifndef SPARSE_EXPLAIN
    #if SPARSE_FREESTANDING
        #define SPARSE_EXPLAIN 0
    #else
        #define SPARSE_EXPLAIN 1
    #endif
#endif
/* SPARSE_TERSE          1        gcc and clang treat these headers as system headers. They, clang-tidy and clang's
   analyzer then report no warnings inside the headers, and gcc reports a mistake in a statement without the 50 macro
   expansions that led to it. 0: with these warnings and expansions */
#ifndef SPARSE_TERSE
    #define SPARSE_TERSE 1
#endif
/* SPARSE_PROGRESS       none     a function or macro that a kernel with two or more loops calls in each iteration of its
   outermost loop, as SPARSE_PROGRESS(at, size): iteration `at` of `size` begins (sparse_lattice.h) */
/* SPARSE_TARGETS        none     "avx512f", "avx2", "default": compiles the loops of every kernel for each of these
   processors; at run time the best one that the machine supports is chosen. For programs that run on other machines */
/* IS_SWITCH(0), IS_SWITCH(1) -> 1, IS_SWITCH(2) -> 2. IS_SWITCH(yes) -> a name, which counts as 0 in #if, like yes
   itself. */
#define SPARSE_P_IS_SWITCH(x)  SPARSE_P_IS_SWITCH_(x)
#define SPARSE_P_IS_SWITCH_(x) SPARSE_P_IS_SWITCH_##x
#define SPARSE_P_IS_SWITCH_0   1
#define SPARSE_P_IS_SWITCH_1   1
#define SPARSE_P_IS_SWITCH_2   2
#if SPARSE_P_IS_SWITCH(SPARSE_FREESTANDING) * SPARSE_P_IS_SWITCH(SPARSE_TERSE) * SPARSE_P_IS_SWITCH(SPARSE_EXPLAIN) *       \
        SPARSE_P_IS_SWITCH(SPARSE_REASSOCIATE) !=                                                                           \
    1
    #error "SPARSE_FREESTANDING, SPARSE_EXPLAIN, SPARSE_TERSE and SPARSE_REASSOCIATE have to be 0 or 1"
#elif SPARSE_P_IS_SWITCH(SPARSE_CHECKS) < 1 || SPARSE_UNROLL < 1 || SPARSE_UNROLL > 16 ||                                   \
    (SPARSE_PREFETCH | SPARSE_PREFETCH_LINES | SPARSE_CACHE) < 0
    #error "SPARSE_CHECKS is 0 to 2, SPARSE_UNROLL 1 to 16, SPARSE_PREFETCH, SPARSE_PREFETCH_LINES, SPARSE_CACHE 0 or more"
#elif SPARSE_MAX_LEVELS < 2 || SPARSE_MAX_LEVELS > 8
    #error "SPARSE_MAX_LEVELS is 2 to 8"
#endif
/* The missing header stops the compiler. After #error it would continue, and thousands of later errors would hide this
   one. */
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

#if SPARSE_TERSE && defined(__GNUC__)
    #pragma GCC system_header
#endif

/* On an AVR, program memory and RAM are separate and use the same addresses. Kernels read RAM, so a pointer into
   `__flash` would give them wrong numbers. From here on gcc warns about such pointers. */
#ifdef __FLASH
    #pragma GCC diagnostic error "-Waddr-space-convert"
#endif

/* Keywords and attributes that differ between C and C++ or between compilers. Define SPARSE_UNUSED and SPARSE_NODISCARD
   beforehand to print expanded code without them. */
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
#if !defined(SPARSE_P_RATHER_NOT) /* with the probability that x is false */
    #define SPARSE_P_RATHER_NOT(x, chance) SPARSE_P_RARELY(x)
#endif
/* NODISCARD: the compiler warns if a result is ignored; (void)call() suppresses the warning. Where possible the attribute
   is on the result type. In C, gcc supports it only on functions, in front of the declaration. */
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
/* SIZED: 1 if the compiler optimises for size. */
#ifdef __OPTIMIZE_SIZE__
    #define SPARSE_P_FOR_SIZE 1
#else
    #define SPARSE_P_FOR_SIZE 0
#endif
/* Functions that are not inlined, and not emitted if unused. OUTLINE: optimised for speed, even if all callers are
   optimised for size. COLD: optimised for size; inlined if that makes less code. DETACHED: optimised for size, with large
   variables that should not take stack in callers that rarely call it.
   Without optimisation, gcc emits every function that is not `inline`. With optimisation, it warns about functions that
   are inline and noinline. */
#if defined(__GNUC__) && defined(__OPTIMIZE__)
    #define SPARSE_P_OUTLINE  SPARSE_UNUSED static __attribute__((__noinline__, __hot__))
    #define SPARSE_P_DETACHED SPARSE_UNUSED static __attribute__((__noinline__, __cold__))
    #ifdef __OPTIMIZE_SIZE__
        #define SPARSE_P_COLD SPARSE_UNUSED static __attribute__((__cold__))
    #else
        #define SPARSE_P_COLD SPARSE_P_DETACHED
    #endif
#else
    #define SPARSE_P_OUTLINE  SPARSE_UNUSED static inline
    #define SPARSE_P_COLD     SPARSE_UNUSED static inline
    #define SPARSE_P_DETACHED SPARSE_UNUSED static inline
#endif

/* >>toolkit
   An internal word that selects a row of a table, by pasting, begins with a digit: 0dim, 0FULL, as in
   SPARSE_P_KIND_0FULL_HEAD. Such a word is a preprocessing number, so no macro of a program can have the same name.
   Comments omit the 0. The words of the kernel line itself are spelled as users write them. Local variables in kernels
   begin with sparse_l_, so no operand, index or macro can have the same name; tests/expand.sh removes this prefix.
   Two patterns occur throughout:
     X(...) X_(__VA_ARGS__) expands the arguments of X before X_ sees them. One argument of X can thus become several of
     X_, for example with SPARSE_P_ID record
     SPARSE_P_SECOND(X_##key, d) looks up a row: its value if there is #define X_key ~, value; otherwise the default d */
#define SPARSE_P_ID(...)                  __VA_ARGS__
#define SPARSE_P_UNPACK(x)                SPARSE_P_ID x              /* (a, b) -> a, b, after x is expanded */
#define SPARSE_P_CAT(...)                 SPARSE_P_CAT_(__VA_ARGS__) /* (x, 1) -> x1 */
#define SPARSE_P_CAT_(a, b)               a##b
#define SPARSE_P_CAT3(...)                SPARSE_P_CAT3_(__VA_ARGS__)
#define SPARSE_P_CAT3_(a, b, c)           a##b##c
#define SPARSE_P_FIRST(...)               SPARSE_P_FIRST_(__VA_ARGS__, ~)
#define SPARSE_P_FIRST_(a, ...)           a
#define SPARSE_P_SECOND(...)              SPARSE_P_SECOND_(__VA_ARGS__, ~)
#define SPARSE_P_SECOND_(a, b, ...)       b
#define SPARSE_P_THIRD(...)               SPARSE_P_THIRD_(__VA_ARGS__, ~)
#define SPARSE_P_THIRD_(a, b, c, ...)     c
#define SPARSE_P_FOURTH(...)              SPARSE_P_FOURTH_(__VA_ARGS__, ~)
#define SPARSE_P_FOURTH_(a, b, c, d, ...) d
/* COUNT(~, a, b) -> 2: the number of items of a list. A list is written with a comma before each item. */
#define SPARSE_P_COUNT(...) SPARSE_P_COUNT_(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)

#define SPARSE_P_COUNT_(z, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, ...) q
/* BY_COUNT(m_, , a, b)(...) -> m_2(...). It does what CAT and COUNT would do, but is cheaper. */
#define SPARSE_P_BY_COUNT(m, ...)                                                                                           \
    SPARSE_P_BY_COUNT_(m, __VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)
#define SPARSE_P_BY_COUNT_(m, z, a, b, c, d, e, f, g, h, i, j, k, l, n, o, p, q, r, ...) m##r
/* IS_PAREN((x)) -> 1, IS_PAREN(x) -> 0 */
#define SPARSE_P_IS_PAREN(x) SPARSE_P_SECOND(SPARSE_P_PROBE x, 0)
#define SPARSE_P_PROBE(...)  ~, 1, ~
/* BY_PAREN(m_, (x)) -> m_1, BY_PAREN(m_, x) -> m_0. It does what CAT and IS_PAREN would do, but is cheaper. */
#define SPARSE_P_BY_PAREN(m, x)            SPARSE_P_BY_PAREN_(m, SPARSE_P_PROBE x, 0, ~)
#define SPARSE_P_BY_PAREN_(...)            SPARSE_P_BY_PAREN__(__VA_ARGS__)
#define SPARSE_P_BY_PAREN__(m, z, is, ...) m##is
/* ENDS() -> 1, ENDS(x) -> 0, ENDS((x)) -> 0: tests whether nothing follows. IS_ALONE((x)) -> 1, IS_ALONE((x) (y)) -> 0:
   tests, for text that begins with a parenthesis, whether nothing follows it; if something does, a comma is missing. */
#define SPARSE_P_ENDS(x)     SPARSE_P_BY_PAREN(SPARSE_P_ENDS_, x)(x)
#define SPARSE_P_ENDS_0(x)   SPARSE_P_SECOND(SPARSE_P_PROBE x(), 0)
#define SPARSE_P_ENDS_1(x)   0
#define SPARSE_P_IS_ALONE(x) SPARSE_P_ENDS(SPARSE_P_DROP x)
#define SPARSE_P_DROP(...)
/* TIDY(list) -> the same list, which later macros expand faster. gcc puts padding tokens around each expansion, one pair
   for every macro, and keeps them. It drops the padding around macro arguments, so TIDY passes the list as arguments. */
#define SPARSE_P_TIDY(list)                                     SPARSE_P_TIDY_(SPARSE_P_ID list)
#define SPARSE_P_TIDY_(...)                                     SPARSE_P_BY_COUNT(SPARSE_P_TIDY_, __VA_ARGS__)(__VA_ARGS__)
#define SPARSE_P_TIDY_0(z)                                      ()
#define SPARSE_P_TIDY_1(z, a)                                   (, a)
#define SPARSE_P_TIDY_2(z, a, b)                                (, a, b)
#define SPARSE_P_TIDY_3(z, a, b, c)                             (, a, b, c)
#define SPARSE_P_TIDY_4(z, a, b, c, d)                          (, a, b, c, d)
#define SPARSE_P_TIDY_5(z, a, b, c, d, e)                       (, a, b, c, d, e)
#define SPARSE_P_TIDY_6(z, a, b, c, d, e, f)                    (, a, b, c, d, e, f)
#define SPARSE_P_TIDY_7(z, a, b, c, d, e, f, g)                 (, a, b, c, d, e, f, g)
#define SPARSE_P_TIDY_8(z, a, b, c, d, e, f, g, h)              (, a, b, c, d, e, f, g, h)
#define SPARSE_P_TIDY_9(z, a, b, c, d, e, f, g, h, i)           (, a, b, c, d, e, f, g, h, i)
#define SPARSE_P_TIDY_10(z, a, b, c, d, e, f, g, h, i, j)       (, a, b, c, d, e, f, g, h, i, j)
#define SPARSE_P_TIDY_11(z, a, b, c, d, e, f, g, h, i, j, k)    (, a, b, c, d, e, f, g, h, i, j, k)
#define SPARSE_P_TIDY_12(z, a, b, c, d, e, f, g, h, i, j, k, l) (, a, b, c, d, e, f, g, h, i, j, k, l)

#define SPARSE_P_TIDY_13(z, a, b, c, d, e, f, g, h, i, j, k, l, ...) (, a, b, c, d, e, f, g, h, i, j, k, l, __VA_ARGS__)
#define SPARSE_P_TIDY_14                                             SPARSE_P_TIDY_13
#define SPARSE_P_TIDY_15                                             SPARSE_P_TIDY_13
#define SPARSE_P_TIDY_16                                             SPARSE_P_TIDY_13
/* ZIP(, i, j, 64, 256) -> (, (i, 64), (j, 256)) */
#define SPARSE_P_ZIP(...)                                      SPARSE_P_BY_COUNT(SPARSE_P_ZIP_, __VA_ARGS__)(__VA_ARGS__)
#define SPARSE_P_ZIP_2(z, a, k)                                (, (a, k))
#define SPARSE_P_ZIP_4(z, a, b, k, l)                          (, (a, k), (b, l))
#define SPARSE_P_ZIP_6(z, a, b, c, k, l, m)                    (, (a, k), (b, l), (c, m))
#define SPARSE_P_ZIP_8(z, a, b, c, d, k, l, m, n)              (, (a, k), (b, l), (c, m), (d, n))
#define SPARSE_P_ZIP_10(z, a, b, c, d, e, k, l, m, n, o)       (, (a, k), (b, l), (c, m), (d, n), (e, o))
#define SPARSE_P_ZIP_12(z, a, b, c, d, e, f, k, l, m, n, o, p) (, (a, k), (b, l), (c, m), (d, n), (e, o), (f, p))
#define SPARSE_P_ZIP_14(z, a, b, c, d, e, f, g, k, l, m, n, o, p, q)                                                        \
    (, (a, k), (b, l), (c, m), (d, n), (e, o), (f, p), (g, q))
#define SPARSE_P_ZIP_16(z, a, b, c, d, e, f, g, h, k, l, m, n, o, p, q, r)                                                  \
    (, (a, k), (b, l), (c, m), (d, n), (e, o), (f, p), (g, q), (h, r))
/* PLAIN_LIST((, i, j)) -> (i, j) */
#define SPARSE_P_PLAIN_LIST(list) (SPARSE_P_TAIL list)
/* IS_LISTED((A, CSR, i)) -> 1; 0 for (A), (A) B and A. Tests whether x is one list of several items, like an operand. */
#define SPARSE_P_IS_LISTED(x)    SPARSE_P_BY_PAREN(SPARSE_P_IS_LISTED_, x)(x)
#define SPARSE_P_IS_LISTED_0(x)  0
#define SPARSE_P_IS_LISTED_1(x)  SPARSE_P_CAT(SPARSE_P_IS_LISTED_1, SPARSE_P_IS_ALONE(x))(x)
#define SPARSE_P_IS_LISTED_10(x) 0
#define SPARSE_P_IS_LISTED_11(x) SPARSE_P_IS_ANY x
/* IS_ANY(, x) -> 1, IS_ANY() -> 0: tests whether a list has any items. */
#define SPARSE_P_IS_ANY(...) SPARSE_P_COUNT_(~__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, ~)
/* NZ(2) -> 1, NZ(0) -> 0 */
#define SPARSE_P_NZ(n) SPARSE_P_CAT(SPARSE_P_NZ_, n)
/* Tables. A table holds what the line compiler knows of all things of one kind. Each row is one thing; each cell is a
   macro, TABLE_row_COLUMN, whose text is a comma and the value. Row `default` holds the values for rows without that
   cell; it holds ~ if every row must have the cell. TABLE_CELL(COLUMN, row) -> the value.
   A comment that begins with the word TABLE lists the rows and columns of a table. tests/cells.sh compares these comments
   with the cells: it reports cells that are not listed and cells that are missing. */
#define SPARSE_P_CELL(...)               SPARSE_P_CELL_(__VA_ARGS__)
#define SPARSE_P_CELL_(none, value, ...) value
/* HAS_CELL(TABLE_row_COLUMN) -> 1 if that cell is defined, else 0 */
#define SPARSE_P_HAS_CELL(cell) SPARSE_P_THIRD(cell, 1, 0)
/* APPLY(m, (a, b)) -> m(a, b) */
#define SPARSE_P_APPLY(m, list) m list
/* AT_LOOP(at, d)(m)(...) -> m(...) if at is d, else nothing: for text that belongs to one loop only */
#define SPARSE_P_AT_LOOP(at, d)     SPARSE_P_CAT(SPARSE_P_AT_LOOP_, SPARSE_P_CMP(at, d))
#define SPARSE_P_AT_LOOP_0before(m) SPARSE_P_DROP
#define SPARSE_P_AT_LOOP_0here(m)   m
#define SPARSE_P_AT_LOOP_0after(m)  SPARSE_P_DROP
/* IF_BEFORE(a, b)(m)(...) -> m(...) if a < b, else nothing */
#define SPARSE_P_IF_BEFORE(a, b)      SPARSE_P_CAT(SPARSE_P_IF_BEFORE_, SPARSE_P_CMP(a, b))
#define SPARSE_P_IF_BEFORE_0before(m) m
#define SPARSE_P_IF_BEFORE_0here(m)   SPARSE_P_DROP
#define SPARSE_P_IF_BEFORE_0after(m)  SPARSE_P_DROP
/* IFEQ(i, i, t) -> t, IFEQ(i, j, t) -> nothing */
#define SPARSE_P_IFEQ(a, b, t)  SPARSE_P_IFEQ_(a, b, t)
#define SPARSE_P_IFEQ_(a, b, t) SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##b, t, , ~)
/* SAME(i, i) -> ~, ~ SAME(i, j) -> one token: a comma for each equal pair, for COUNT(~ ...) and IS_ANY(...) */
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
/* CMP(1, 2) -> before */
#define SPARSE_P_CMP(...)   SPARSE_P_CMP_(__VA_ARGS__)
#define SPARSE_P_CMP_(a, b) SPARSE_P_APPLY(SPARSE_P_NTH_##b, SPARSE_P_CMP_##a)
/* SPARSE_ZERO(type): the zero of any value type, including user-defined structs. ZEROS: its initialiser. */
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
/* the number of parts into which a loop that sums on several threads is cut, for any number of threads */
#define SPARSE_P_SUM_SHARES 256
/* Around sums that may be reassociated: SPARSE_P_REASSOCIATING marks a function, SPARSE_P_REASSOCIATE a block in it.
   SPARSE_P_VECTORIZE precedes a loop over stored coordinates. It tells gcc to use gathers, whose cost gcc overestimates
   on most processors. It tells clang to add in a single vector, because rows are short. */
#if defined(__clang__)
    #define SPARSE_P_REASSOCIATING
    #define SPARSE_P_REASSOCIATE _Pragma("clang fp reassociate(on)")
    #define SPARSE_P_VECTORIZE   _Pragma("clang loop interleave_count(1)")
#elif defined(__GNUC__)
    #if defined(__x86_64__) && defined(__AVX2__)
        #define SPARSE_P_GATHERS , __target__("tune=skylake-avx512")
    #else
        #define SPARSE_P_GATHERS
    #endif
    /* repeats the attributes of SPARSE_P_TUNED: gcc 12 loses them if a second attribute follows */
    #define SPARSE_P_REASSOCIATING                                                                                          \
        __attribute__((__optimize__("associative-math", "no-signed-zeros", "no-trapping-math" SPARSE_P_TUNING)              \
                           SPARSE_P_GATHERS))
    #define SPARSE_P_REASSOCIATE
    #define SPARSE_P_VECTORIZE
#else
    #define SPARSE_P_REASSOCIATING
    #define SPARSE_P_REASSOCIATE
    #define SPARSE_P_VECTORIZE
#endif
#define SPARSE_P_PRAGMA(...) _Pragma(#__VA_ARGS__)
/* between HIDING and HIDDEN, a declaration may shadow another one */
#if defined(__GNUC__)
    #define SPARSE_P_HIDING SPARSE_P_PRAGMA(GCC diagnostic push) SPARSE_P_PRAGMA(GCC diagnostic ignored "-Wshadow")
    #define SPARSE_P_HIDDEN SPARSE_P_PRAGMA(GCC diagnostic pop)
#else
    #define SPARSE_P_HIDING
    #define SPARSE_P_HIDDEN
#endif
/* SPARSE_P_FOR_TARGETS: compiles loops for the processors that the program names. clang allows no other attribute beside
   it. */
#ifdef SPARSE_TARGETS
    #define SPARSE_P_FOR_TARGETS __attribute__((__target_clones__(SPARSE_TARGETS)))
#else
    #define SPARSE_P_FOR_TARGETS SPARSE_NODISCARD SPARSE_UNUSED
#endif
/* SPARSE_P_TUNED: in this kernel, gcc vectorises dense loops of any length and unrolls loops of a few iterations, as at
   -O3. At -O2 gcc would vectorise only if the length is a known multiple of a vector, and unroll only if the code does
   not grow. It does not vectorise across iterations that the kit runs together, because gcc would gather their rows.
   SPARSE_P_CHANCE: the probability that a kernel with these indices reaches its loops, for __builtin_expect. gcc assigns
   registers by frequency. Up to gcc 12, code that runs more than 32 times as often as its function counts as rare,
   because a 64-bit product overflows. So the probability falls with the number of loops, down to 1 in 10,000, the least
   that gcc accepts. Attribute `hot` prevents that the function is optimised for size because of it.
   SPARSE_P_LANES_UNROLLED: precedes a loop over iterations that run together; unrolls it before other optimisations.
   SPARSE_P_KNOWING: a kernel with a known size. Without it, gcc merges the kernel with a copy for any size.
   SPARSE_P_FLATTENED: a kernel that calls its loops twice, once for complete blocks. gcc uses that knowledge only if both
   calls are inlined. Sums and their order stay the same. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
    #define SPARSE_P_TUNES          "vect-cost-model=dynamic,peel-loops,no-loop-unroll-and-jam"
    #define SPARSE_P_TUNING         , SPARSE_P_TUNES
    #define SPARSE_P_TUNED          __attribute__((__hot__, __optimize__(SPARSE_P_TUNES)))
    #define SPARSE_P_CHANCE(...)    (.5 / (1 << (SPARSE_P_COUNT(__VA_ARGS__) < 4 ? 3 * SPARSE_P_COUNT(__VA_ARGS__) : 12)))
    #define SPARSE_P_KNOWING        __attribute__((__no_icf__))
    #define SPARSE_P_FLATTENED      __attribute__((__flatten__))
    #define SPARSE_P_UNROLL_BY(n)   SPARSE_P_PRAGMA(GCC unroll n)
    #define SPARSE_P_LANES_UNROLLED SPARSE_P_UNROLL_BY(SPARSE_UNROLL)
#else
    #define SPARSE_P_TUNING
    #define SPARSE_P_TUNED
    #define SPARSE_P_CHANCE(...) ((double)3 / 4) /* written as a quotient, because clang-tidy warns about 0.75 */
    #define SPARSE_P_KNOWING
    #define SPARSE_P_FLATTENED
    #define SPARSE_P_LANES_UNROLLED
#endif
/* SPARSE_P_PARALLEL(lo, hi): the following loop over [lo, hi) may run on several threads. A thread that has finished its
   iterations takes the next few, because the lengths of rows vary. The same in two steps: SPARSE_P_ALL_THREADS starts the
   threads, and SPARSE_P_AMONG distributes the loop. SPARSE_P_SHARED_OUT is for short loops that run many times: it
   divides the iterations among the threads at the start. */
#if defined(_OPENMP)
    #define SPARSE_P_PARALLEL(lo, hi) SPARSE_P_PRAGMA(omp parallel for schedule(dynamic, sparse_p_few(lo, hi)))
    #define SPARSE_P_PARALLEL_PARTS     _Pragma("omp parallel for schedule(dynamic, 1)")
    #define SPARSE_P_ALL_THREADS        _Pragma("omp parallel")
    #define SPARSE_P_THREADS_FOR(parts) SPARSE_P_PRAGMA(omp parallel if (parts > 1))
    #define SPARSE_P_PARTS_AMONG        _Pragma("omp for schedule(dynamic, 1)")
    #define SPARSE_P_AMONG(lo, hi) SPARSE_P_PRAGMA(omp for schedule(dynamic, sparse_p_few(lo, hi)))
    #define SPARSE_P_SHARED_OUT(lo, hi) _Pragma("omp for schedule(static)")
#else
    #define SPARSE_P_PARALLEL(lo, hi)
    #define SPARSE_P_PARALLEL_PARTS
    #define SPARSE_P_ALL_THREADS
    #define SPARSE_P_THREADS_FOR(parts)
    #define SPARSE_P_PARTS_AMONG
    #define SPARSE_P_AMONG(lo, hi)
    #define SPARSE_P_SHARED_OUT(lo, hi)
#endif

/* POS(j, (i, j, k)) -> 2: the position of an index in a list, or 0. For lists of up to 4 indices it makes only the
   necessary comparisons. */
#define SPARSE_P_POS(a, list) SPARSE_P_OR0(SPARSE_P_POS_(a, SPARSE_P_ID list))
#define SPARSE_P_POS_(...)                                                                                                  \
    SPARSE_P_BY_COUNT_(SPARSE_P_POS_, __VA_ARGS__, 12, 12, 12, 12, 12, 12, 12, 12, 8, 8, 8, 8, 4, 3, 2, 1, 0, ~)            \
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
#define SPARSE_P_POS_12(a, p, q, r, s, t, u, v, w, x, y, i, j, ...)                                                         \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##p, 1, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##q, 2, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##r, 3, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##s, 4, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##t, 5, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##u, 6, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##v, 7, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##w, 8, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##x, 9, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##y, 10, , ~)                                                                          \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##i, 11, , ~)                                                                          \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##j, 12, , ~)
/* AT(2, (i, j)) -> j, AT(0, ...) -> nothing */
#define SPARSE_P_AT(n, list)  SPARSE_P_AT_(n, SPARSE_P_ID list, , , , , , , , , , , , )
#define SPARSE_P_AT_(...)     SPARSE_P_AT__(__VA_ARGS__)
#define SPARSE_P_AT__(n, ...) SPARSE_P_CAT(SPARSE_P_AT_, n)(__VA_ARGS__)
/* AT_LIST: AT for a list with a comma before each item */
#define SPARSE_P_AT_LIST(n, list) SPARSE_P_AT(n, (SPARSE_P_TAIL list))
#define SPARSE_P_AT_0(...)
#define SPARSE_P_AT_1(a, ...)                                   a
#define SPARSE_P_AT_2(a, b, ...)                                b
#define SPARSE_P_AT_3(a, b, c, ...)                             c
#define SPARSE_P_AT_4(a, b, c, d, ...)                          d
#define SPARSE_P_AT_5(a, b, c, d, e, ...)                       e
#define SPARSE_P_AT_6(a, b, c, d, e, f, ...)                    f
#define SPARSE_P_AT_7(a, b, c, d, e, f, g, ...)                 g
#define SPARSE_P_AT_8(a, b, c, d, e, f, g, h, ...)              h
#define SPARSE_P_AT_9(a, b, c, d, e, f, g, h, i, ...)           i
#define SPARSE_P_AT_10(a, b, c, d, e, f, g, h, i, j, ...)       j
#define SPARSE_P_AT_11(a, b, c, d, e, f, g, h, i, j, k, ...)    k
#define SPARSE_P_AT_12(a, b, c, d, e, f, g, h, i, j, k, l, ...) l
/* EXPRESSION(j) -> dim, j, 0   EXPRESSION(mod(j, 3)) -> mod, j, 3   EXPRESSION((j)) -> bad, (j), 0 */
#define SPARSE_P_EXPRESSION(d)          SPARSE_P_BY_PAREN(SPARSE_P_EXPRESSION_IS_, d)(d)
#define SPARSE_P_EXPRESSION_IS_1(d)     0bad, d, 0
#define SPARSE_P_EXPRESSION_IS_0(d)     SPARSE_P_BY_PAREN(SPARSE_P_EXPRESSION_, SPARSE_P_BARE_##d)(d)
#define SPARSE_P_EXPRESSION_0(d)        SPARSE_P_CAT(SPARSE_P_EXPRESSION_LETTER_, SPARSE_P_IS_LETTER(d))(d)
#define SPARSE_P_EXPRESSION_LETTER_1(d) 0dim, d, 0
#define SPARSE_P_EXPRESSION_LETTER_0(d) 0bad, d, 0
#define SPARSE_P_EXPRESSION_1(d)        SPARSE_P_CAT(SPARSE_P_EXPRESSION_ALONE_, SPARSE_P_IS_ALONE(SPARSE_P_BARE_##d))(d)
#define SPARSE_P_EXPRESSION_ALONE_0(d)  0bad, d, 0
#define SPARSE_P_EXPRESSION_ALONE_1(d)  SPARSE_P_EXPRESSION_OF_##d

#define SPARSE_P_EXPRESSION_OF_floordiv(...) SPARSE_P_EXPRESSION_BY(floordiv, __VA_ARGS__)
#define SPARSE_P_EXPRESSION_OF_mod(...)      SPARSE_P_EXPRESSION_BY(mod, __VA_ARGS__)
#define SPARSE_P_EXPRESSION_OF_count(...)    SPARSE_P_EXPRESSION_BY(count, __VA_ARGS__)
#define SPARSE_P_EXPRESSION_OF_minus(...)    SPARSE_P_EXPRESSION_BY(minus, __VA_ARGS__)
#define SPARSE_P_EXPRESSION_BY(kind, ...)                                                                                   \
    SPARSE_P_CAT(SPARSE_P_EXPRESSION_BY_, SPARSE_P_COUNT(__VA_ARGS__))(kind, __VA_ARGS__)
#define SPARSE_P_EXPRESSION_BY_0(kind, ...)    0bad, kind(__VA_ARGS__), 0
#define SPARSE_P_EXPRESSION_BY_1(kind, d, c)   SPARSE_P_CAT(SPARSE_P_EXPRESSION_PART_, SPARSE_P_IS_LETTER(d))(kind, d, c)
#define SPARSE_P_EXPRESSION_BY_2               SPARSE_P_EXPRESSION_BY_0
#define SPARSE_P_EXPRESSION_BY_3               SPARSE_P_EXPRESSION_BY_0
#define SPARSE_P_EXPRESSION_PART_0(kind, d, c) 0bad, d, c
#define SPARSE_P_EXPRESSION_PART_1(kind, d, c) kind, d, c
#define SPARSE_P_TAIL(...)                     SPARSE_P_TAIL_(__VA_ARGS__)
#define SPARSE_P_TAIL_(z, ...)                 __VA_ARGS__

/* >>tables
   The tables with which the toolkit counts, compares and maps. */

/* EACHx(m, c, (, u, v)) -> m(c, u) m(c, v). There is one family for each depth of nesting, because a macro cannot call
   itself. The call EACHx_ list begins with the list and ends with the text after it, so that the items are passed on as
   rarely as possible. Passing them on is most of the preprocessor's work for a kernel line. */
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
#define SPARSE_P_EACHA_13(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, m, c)                   \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13)
#define SPARSE_P_EACHA_14(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, m, c)              \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14)
#define SPARSE_P_EACHA_15(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, m, c)         \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15)
#define SPARSE_P_EACHA_16(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, m, c)    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15) m(c, x16)
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
#define SPARSE_P_EACHB_13(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, m, c)                   \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13)
#define SPARSE_P_EACHB_14(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, m, c)              \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14)
#define SPARSE_P_EACHB_15(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, m, c)         \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15)
#define SPARSE_P_EACHB_16(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, m, c)    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15) m(c, x16)
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
#define SPARSE_P_EACHC_13(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, m, c)                   \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13)
#define SPARSE_P_EACHC_14(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, m, c)              \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14)
#define SPARSE_P_EACHC_15(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, m, c)         \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15)
#define SPARSE_P_EACHC_16(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, m, c)    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15) m(c, x16)
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
#define SPARSE_P_EACHD_13(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, m, c)                   \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13)
#define SPARSE_P_EACHD_14(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, m, c)              \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14)
#define SPARSE_P_EACHD_15(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, m, c)         \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15)
#define SPARSE_P_EACHD_16(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, m, c)    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15) m(c, x16)
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
#define SPARSE_P_EACHE_13(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, m, c)                   \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13)
#define SPARSE_P_EACHE_14(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, m, c)              \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14)
#define SPARSE_P_EACHE_15(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, m, c)         \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15)
#define SPARSE_P_EACHE_16(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, m, c)    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15) m(c, x16)
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
#define SPARSE_P_EACHF_13(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, m, c)                   \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13)
#define SPARSE_P_EACHF_14(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, m, c)              \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14)
#define SPARSE_P_EACHF_15(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, m, c)         \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15)
#define SPARSE_P_EACHF_16(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, m, c)    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15) m(c, x16)
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
#define SPARSE_P_EACHG_13(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, m, c)                   \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13)
#define SPARSE_P_EACHG_14(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, m, c)              \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14)
#define SPARSE_P_EACHG_15(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, m, c)         \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15)
#define SPARSE_P_EACHG_16(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, m, c)    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15) m(c, x16)
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
#define SPARSE_P_EACHH_13(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, m, c)                   \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13)
#define SPARSE_P_EACHH_14(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, m, c)              \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14)
#define SPARSE_P_EACHH_15(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, m, c)         \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15)
#define SPARSE_P_EACHH_16(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, m, c)    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)               \
        m(c, x11) m(c, x12) m(c, x13) m(c, x14) m(c, x15) m(c, x16)

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
#define SPARSE_P_FOLDA_13(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, op)                     \
    op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11), x12), x13)
#define SPARSE_P_FOLDA_14(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, op)                \
    op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11),           \
        x12), x13), x14)
#define SPARSE_P_FOLDA_15(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, op)           \
    op(op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10),              \
        x11), x12), x13), x14), x15)
#define SPARSE_P_FOLDA_16(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, op)      \
    op(op(op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10),           \
        x11), x12), x13), x14), x15), x16)
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
#define SPARSE_P_FOLDB_13(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, op)                     \
    op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11), x12), x13)
#define SPARSE_P_FOLDB_14(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, op)                \
    op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11),           \
        x12), x13), x14)
#define SPARSE_P_FOLDB_15(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, op)           \
    op(op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10),              \
        x11), x12), x13), x14), x15)
#define SPARSE_P_FOLDB_16(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, op)      \
    op(op(op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10),           \
        x11), x12), x13), x14), x15), x16)
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
#define SPARSE_P_FOLDC_13(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, op)                     \
    op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11), x12), x13)
#define SPARSE_P_FOLDC_14(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, op)                \
    op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11),           \
        x12), x13), x14)
#define SPARSE_P_FOLDC_15(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, op)           \
    op(op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10),              \
        x11), x12), x13), x14), x15)
#define SPARSE_P_FOLDC_16(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, op)      \
    op(op(op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10),           \
        x11), x12), x13), x14), x15), x16)
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
#define SPARSE_P_FOLDD_13(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, op)                     \
    op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11), x12), x13)
#define SPARSE_P_FOLDD_14(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, op)                \
    op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11),           \
        x12), x13), x14)
#define SPARSE_P_FOLDD_15(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, op)           \
    op(op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10),              \
        x11), x12), x13), x14), x15)
#define SPARSE_P_FOLDD_16(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, op)      \
    op(op(op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10),           \
        x11), x12), x13), x14), x15), x16)
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
#define SPARSE_P_FOLDF_13(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, op)                     \
    op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11), x12), x13)
#define SPARSE_P_FOLDF_14(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, op)                \
    op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11),           \
        x12), x13), x14)
#define SPARSE_P_FOLDF_15(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, op)           \
    op(op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10),              \
        x11), x12), x13), x14), x15)
#define SPARSE_P_FOLDF_16(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, op)      \
    op(op(op(op(op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10),           \
        x11), x12), x13), x14), x15), x16)
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
#define SPARSE_P_EQ_9_9                   ~, ~
#define SPARSE_P_EQ_10_10                 ~, ~
#define SPARSE_P_EQ_11_11                 ~, ~
#define SPARSE_P_EQ_12_12                 ~, ~

/* CMP(a, b) -> before, here or after: compares two numbers from 0 to 12 */
#define SPARSE_P_NTH_0(n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12)  n0
#define SPARSE_P_NTH_1(n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12)  n1
#define SPARSE_P_NTH_2(n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12)  n2
#define SPARSE_P_NTH_3(n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12)  n3
#define SPARSE_P_NTH_4(n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12)  n4
#define SPARSE_P_NTH_5(n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12)  n5
#define SPARSE_P_NTH_6(n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12)  n6
#define SPARSE_P_NTH_7(n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12)  n7
#define SPARSE_P_NTH_8(n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12)  n8
#define SPARSE_P_NTH_9(n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12)  n9
#define SPARSE_P_NTH_10(n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12) n10
#define SPARSE_P_NTH_11(n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12) n11
#define SPARSE_P_NTH_12(n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12) n12
#define SPARSE_P_CMP_0                                                                                                      \
    (0here, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before)
#define SPARSE_P_CMP_1                                                                                                      \
    (0after, 0here, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before)
#define SPARSE_P_CMP_2                                                                                                      \
    (0after, 0after, 0here, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before)
#define SPARSE_P_CMP_3                                                                                                      \
    (0after, 0after, 0after, 0here, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before)
#define SPARSE_P_CMP_4                                                                                                      \
    (0after, 0after, 0after, 0after, 0here, 0before, 0before, 0before, 0before, 0before, 0before, 0before, 0before)
#define SPARSE_P_CMP_5                                                                                                      \
    (0after, 0after, 0after, 0after, 0after, 0here, 0before, 0before, 0before, 0before, 0before, 0before, 0before)
#define SPARSE_P_CMP_6                                                                                                      \
    (0after, 0after, 0after, 0after, 0after, 0after, 0here, 0before, 0before, 0before, 0before, 0before, 0before)
#define SPARSE_P_CMP_7                                                                                                      \
    (0after, 0after, 0after, 0after, 0after, 0after, 0after, 0here, 0before, 0before, 0before, 0before, 0before)
#define SPARSE_P_CMP_8                                                                                                      \
    (0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0here, 0before, 0before, 0before, 0before)
#define SPARSE_P_CMP_9                                                                                                      \
    (0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0here, 0before, 0before, 0before)
#define SPARSE_P_CMP_10                                                                                                     \
    (0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0here, 0before, 0before)
#define SPARSE_P_CMP_11                                                                                                     \
    (0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0here, 0before)
#define SPARSE_P_CMP_12                                                                                                     \
    (0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0after, 0here)

/* MINUS(a, b) -> a - b, of 1 to 12 */
#define SPARSE_P_MINUS(a, b) SPARSE_P_APPLY(SPARSE_P_AT_##a, SPARSE_P_LESS_##b)
#define SPARSE_P_LESS_1      (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ~)
#define SPARSE_P_LESS_2      (~, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ~)
#define SPARSE_P_LESS_3      (~, ~, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ~)
#define SPARSE_P_LESS_4      (~, ~, ~, 0, 1, 2, 3, 4, 5, 6, 7, 8, ~)
#define SPARSE_P_LESS_5      (~, ~, ~, ~, 0, 1, 2, 3, 4, 5, 6, 7, ~)
#define SPARSE_P_LESS_6      (~, ~, ~, ~, ~, 0, 1, 2, 3, 4, 5, 6, ~)
#define SPARSE_P_LESS_7      (~, ~, ~, ~, ~, ~, 0, 1, 2, 3, 4, 5, ~)
#define SPARSE_P_LESS_8      (~, ~, ~, ~, ~, ~, ~, 0, 1, 2, 3, 4, ~)
#define SPARSE_P_LESS_9      (~, ~, ~, ~, ~, ~, ~, ~, 0, 1, 2, 3, ~)
#define SPARSE_P_LESS_10     (~, ~, ~, ~, ~, ~, ~, ~, ~, 0, 1, 2, ~)
#define SPARSE_P_LESS_11     (~, ~, ~, ~, ~, ~, ~, ~, ~, ~, 0, 1, ~)
#define SPARSE_P_LESS_12     (~, ~, ~, ~, ~, ~, ~, ~, ~, ~, ~, 0, ~)

/* OR0_ -> 0, OR0_n -> n; INC_n -> n + 1; DEC_n -> n - 1; NZ_n -> 1, NZ_0 -> 0 */
#define SPARSE_P_OR0_   0
#define SPARSE_P_OR0_0  0
#define SPARSE_P_OR0_1  1
#define SPARSE_P_OR0_2  2
#define SPARSE_P_OR0_3  3
#define SPARSE_P_OR0_4  4
#define SPARSE_P_OR0_5  5
#define SPARSE_P_OR0_6  6
#define SPARSE_P_OR0_7  7
#define SPARSE_P_OR0_8  8
#define SPARSE_P_OR0_9  9
#define SPARSE_P_OR0_10 10
#define SPARSE_P_OR0_11 11
#define SPARSE_P_OR0_12 12
/* subsections of a level, which count as no level */
#define SPARSE_P_OR0_1s  0
#define SPARSE_P_OR0_2s  0
#define SPARSE_P_OR0_3s  0
#define SPARSE_P_OR0_4s  0
#define SPARSE_P_OR0_5s  0
#define SPARSE_P_OR0_6s  0
#define SPARSE_P_OR0_7s  0
#define SPARSE_P_OR0_8s  0
#define SPARSE_P_OR0_9s  0
#define SPARSE_P_OR0_10s 0
#define SPARSE_P_OR0_11s 0
#define SPARSE_P_DEC_1   0
#define SPARSE_P_DEC_2   1
#define SPARSE_P_DEC_3   2
#define SPARSE_P_DEC_4   3
#define SPARSE_P_DEC_5   4
#define SPARSE_P_DEC_6   5
#define SPARSE_P_DEC_7   6
#define SPARSE_P_DEC_8   7
#define SPARSE_P_DEC_9   8
#define SPARSE_P_DEC_10  9
#define SPARSE_P_DEC_11  10
#define SPARSE_P_DEC_12  11
#define SPARSE_P_INC_0   1
#define SPARSE_P_INC_1   2
#define SPARSE_P_INC_2   3
#define SPARSE_P_INC_3   4
#define SPARSE_P_INC_4   5
#define SPARSE_P_INC_5   6
#define SPARSE_P_INC_6   7
#define SPARSE_P_INC_7   8
#define SPARSE_P_INC_8   9
#define SPARSE_P_INC_9   10
#define SPARSE_P_INC_10  11
#define SPARSE_P_INC_11  12
#define SPARSE_P_NZ_0    0
#define SPARSE_P_NZ_1    1
#define SPARSE_P_NZ_2    1
#define SPARSE_P_NZ_3    1
#define SPARSE_P_NZ_4    1
#define SPARSE_P_NZ_5    1
#define SPARSE_P_NZ_6    1
#define SPARSE_P_NZ_7    1
#define SPARSE_P_NZ_8    1
#define SPARSE_P_NZ_9    1
#define SPARSE_P_NZ_10   1
#define SPARSE_P_NZ_11   1
#define SPARSE_P_NZ_12   1
#define SPARSE_P_NZ_1s   1
#define SPARSE_P_NZ_2s   1
#define SPARSE_P_NZ_3s   1
#define SPARSE_P_NZ_4s   1
#define SPARSE_P_NZ_5s   1
#define SPARSE_P_NZ_6s   1
#define SPARSE_P_NZ_7s   1
#define SPARSE_P_NZ_8s   1
#define SPARSE_P_NZ_9s   1
#define SPARSE_P_NZ_10s  1
#define SPARSE_P_NZ_11s  1

/* words that are no names of operands */
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
#define SPARSE_P_PLUS_1  +1
#define SPARSE_P_PLUS_2  +2
#define SPARSE_P_PLUS_3  +3
#define SPARSE_P_PLUS_4  +4
#define SPARSE_P_PLUS_5  +5
#define SPARSE_P_PLUS_6  +6
#define SPARSE_P_PLUS_7  +7
#define SPARSE_P_PLUS_8  +8
#define SPARSE_P_PLUS_9  +9
#define SPARSE_P_PLUS_10 +10
#define SPARSE_P_PLUS_11 +11

/* tables, aligned by hand */
/* clang-format off */

/* >>linkage
   By default every function is static, and a program only needs to include the headers. A program of several files can
   compile storage, conversion, files and assembly once. It then defines:
     SPARSE_DECLARE         in all files. Functions that are not steps of a loop are then only declared, and linked
     SPARSE_IMPLEMENTATION  in one file, before its first include. These functions are defined there, for C and C++
     SPARSE_EXPORT          optionally: an attribute of these functions, such as __declspec(dllexport)

   The first word of a definition says what the function is for:
     SPARSE_P_INLINE   a step of a loop: always inlined, in any file
     SPARSE_API        runs once per call. It is declared with its documentation in the first part of its header, and
                       defined in the second, below `#if SPARSE_P_DEFINED`, out of line
     SPARSE_P_OUTLINE  in the second part: a loop that needs the registers for itself
     SPARSE_P_COLD     in the second part: errors and rare cases, and functions that only decide or call OUTLINE loops;
                       optimised for size. Do not use it for functions that a loop always calls: gcc treats as cold every
                       function that must call a cold one, and every function that only cold ones call
     SPARSE_P_API_COLD a COLD function that is declared like SPARSE_API
     SPARSE_P_DETACHED a COLD function with large variables, which stay off the stack of callers that rarely call it
     static inline     the compiler decides; in the second part, for functions that only that part calls
   A function that is not used is not emitted, and the compiler does not warn about it. */
#ifdef SPARSE_IMPLEMENTATION
    #ifndef SPARSE_DECLARE
        #define SPARSE_DECLARE
    #endif
    #define SPARSE_P_DEFINED 1
#elif defined(SPARSE_DECLARE)
    #define SPARSE_P_DEFINED 0
#else
    #define SPARSE_P_DEFINED 1
#endif
#ifndef SPARSE_EXPORT
    #define SPARSE_EXPORT
#endif
#ifndef SPARSE_DECLARE
    #define SPARSE_API        SPARSE_P_OUTLINE
    #define SPARSE_P_API_COLD SPARSE_P_COLD
#else
    #ifdef __cplusplus
        #define SPARSE_API extern "C" SPARSE_EXPORT
    #else
        #define SPARSE_API extern SPARSE_EXPORT
    #endif
    #ifdef __GNUC__
        #define SPARSE_P_API_COLD SPARSE_API __attribute__((__cold__))
    #else
        #define SPARSE_P_API_COLD SPARSE_API
    #endif
#endif

#define SPARSE_MAX_RANK SPARSE_MAX_LEVELS /* the most dimensions of a tensor; each has at least one level */
/* NUMERAL(SPARSE_MAX_LEVELS) -> "8" */
#define SPARSE_P_NUMERAL(number)  SPARSE_P_NUMERAL_(number)
#define SPARSE_P_NUMERAL_(number) #number
#if SPARSE_MAX_LEVELS != 8
    /* The name of a symbol that contains this setting, so that files with different settings do not link. */
    #define SPARSE_P_OF_LEVELS_MAX(name)         SPARSE_P_OF_LEVELS_MAX_(name, SPARSE_MAX_LEVELS)
    #define SPARSE_P_OF_LEVELS_MAX_(name, most)  SPARSE_P_OF_LEVELS_MAX__(name, most)
    #define SPARSE_P_OF_LEVELS_MAX__(name, most) name##_max_levels_##most
    #define sparse_free                          SPARSE_P_OF_LEVELS_MAX(sparse_free)
    #define sparse_p_bind                        SPARSE_P_OF_LEVELS_MAX(sparse_p_bind)
#endif

/* >>results
   Every function that can fail returns a sparse_result; 0 is success. SPARSE_OK and the errors come from this table of
   names and sentences. sparse_message returns the sentence, sparse_name the name. If an argument must not be null but is,
   the error is SPARSE_E_NULL. Functions that return a property of a tensor, and no result, treat a null pointer as an
   empty tensor. */
#define SPARSE_RESULTS(X)                                                                                    \
    X(SPARSE_OK, "success")                                                                                  \
    X(SPARSE_E_NULL, "a pointer that must not be null is null")                                              \
    X(SPARSE_E_MEMORY, "out of memory")                                                                      \
    X(SPARSE_E_OVERFLOW, "a size or a product of sizes exceeds what size_t can hold")                        \
    X(SPARSE_E_ENCODING, "the tensor's encoding is not the one that is expected here")                       \
    X(SPARSE_E_NO_ENCODING, "the tensor has no encoding: initialise it with SPARSE_INIT(type)")              \
    X(SPARSE_E_EMPTY, "the tensor holds no storage: pack, read or assemble it first")                        \
    X(SPARSE_E_DIMENSIONS, "the tensors have different numbers of dimensions")                               \
    X(SPARSE_E_SHAPE, "the sizes of the operands do not agree")                                              \
    X(SPARSE_E_UNSIZED, "no operand gives an index of the output its size: resize the output first")         \
    X(SPARSE_E_ALIAS, "the output shares memory with another operand")                                       \
    X(SPARSE_E_COORDINATE, "a coordinate lies outside its dimension")                                        \
    X(SPARSE_E_DUPLICATE, "two entries have the same coordinates")                                           \
    X(SPARSE_E_POSITION_WIDTH, "more entries than the position width of the encoding can number")            \
    X(SPARSE_E_COORDINATE_WIDTH, "a level is larger than the coordinate width of the encoding can number")   \
    X(SPARSE_E_POSITIONS, "a positions array is damaged: wrong length, start, order or end")                 \
    X(SPARSE_E_ORDER, "coordinates are out of order, or repeated, in a level that forbids it")               \
    X(SPARSE_E_LENGTH, "an array has the wrong length for its level")                                        \
    X(SPARSE_E_VALUE_TYPE, "the values have two types or fill values, or one that the operation is not for") \
    X(SPARSE_E_ELEMENT, "an array has elements of another type than the tensor stores")                      \
    X(SPARSE_E_BEGIN, "the insertion has not begun: call sparse_insert_begin first")                         \
    X(SPARSE_E_CONSTANT, "a value differs from the constant that is the value of every entry of its type")   \
    X(SPARSE_E_FULL, "more coordinates in one place than a singleton, structured[n,m] or count can hold")    \
    X(SPARSE_E_CAPACITY, "an array of the caller is too small: its length now says what is needed")          \
    X(SPARSE_E_ARGUMENT, "an argument is outside its domain")                                                \
    X(SPARSE_E_RANK, "rank and number of levels must be 1 to 8, with at least as many levels as dimensions") \
    X(SPARSE_E_MAP, "the map does not store every dimension once: bare, in blocks, or as a difference")      \
    X(SPARSE_E_INVERSE, "the inverse that is given for the map is not that of the map")                      \
    X(SPARSE_E_WIDTH, "position and coordinate widths must be 8, 16, 32 or 64 bits, or 0 for native")        \
    X(SPARSE_E_PROPERTY, "a level property does not go with its level type")                                 \
    X(SPARSE_E_BATCH, "batch levels must lead all others")                                                   \
    X(SPARSE_E_SINGLETON, "singletons, all SoA or all AoS, must run from a compressed level to the last")    \
    X(SPARSE_E_DELTA, "delta(bits) takes 1 to 32 bits, and no more than coordinates have")                   \
    X(SPARSE_E_STRUCTURED, "structured[n,m] must be last, with n <= m, below dense levels, in blocks of m")  \
    X(SPARSE_E_PACKED, "packed[n,m] takes an m of 2 or more, whose last index coordinates can hold")         \
    X(SPARSE_E_OPEN, "the file cannot be opened")                                                            \
    X(SPARSE_E_READ, "the file cannot be read")                                                              \
    X(SPARSE_E_WRITE, "the file cannot be written")                                                          \
    X(SPARSE_E_STOPPED, "the progress function has stopped the reading")                 \
    X(SPARSE_E_BANNER, "the file does not start with a valid Matrix Market banner")                          \
    X(SPARSE_E_HEADER, "the size line is malformed, or its numbers are impossible")                          \
    X(SPARSE_E_ENTRY, "an entry is malformed")                                                               \
    X(SPARSE_E_COUNT, "the file holds more or fewer entries than its size line announces")                   \
    X(SPARSE_E_SYMMETRY, "an entry contradicts the symmetry that the file declares")                         \
    X(SPARSE_E_VALUE_RANGE, "a value does not fit into the value type")                                      \
    X(SPARSE_E_COMPRESSED_FILE, "the file is compressed: decompress it first")                               \
    X(SPARSE_E_FILE_FORMAT, "the file's format is not known, or not compiled in (SPARSE_FILES_ALL)")

#define SPARSE_P_ENUM(name, text)     name,
#define SPARSE_P_SENTENCE(name, text) text,
#define SPARSE_P_NAME(name, text)     #name,
typedef enum SPARSE_P_NODISCARD_TYPE sparse_result { SPARSE_RESULTS(SPARSE_P_ENUM) SPARSE_RESULT_COUNT } sparse_result;

/* The sentence for a result, for a person to read. Never null; static storage. */
SPARSE_API const char *sparse_message(sparse_result r);

/* The name of a result, for a log. Never null; static storage. */
SPARSE_API const char *sparse_name(sparse_result r);

/* The sentence for a result that a kernel or sparse_assemble returned, with names and sizes if it was the last that failed
   on this thread: "spmv: x has 90 rows, A has 100 columns (index j)". Otherwise what sparse_message returns. Never null;
   valid until the next call on this thread. Where functions are not linked (SPARSE_DECLARE), call it in the file that
   calls the kernel. */
SPARSE_API const char *sparse_explain(sparse_result r);

/* Details of a failed check. Members that do not apply to the error are zero. */
typedef struct sparse_p_problem {
    sparse_result result;
    const char *subject;              /* name of the kernel, or of the type of the tensor */
    const char *operand, *other;      /* operand: its name; other: the operand that it disagrees with */
    const char *encoding, *wanted;    /* type names: of the operand, and of the one that is required */
    char index;                       /* E_SHAPE and E_UNSIZED: the letter, */
    unsigned dimension, another;      /* the dimension of the operand, the dimension of the other one, */
    size_t size, other_size;          /* and their sizes */
    /* E_SHAPE: true if a sum of indices is wrong. other_size is then the required size; 0: the sum is negative */
    bool is_sum;
    /* for an assembled tensor: name of the array, its level, and the position of the error in it */
    const char *array;
    unsigned level;
    size_t position;
} sparse_p_problem;

/* Stores the details of a failed check and returns its result. */
SPARSE_P_API_COLD sparse_result sparse_p_found(const sparse_p_problem *found);

/* Returns from the function if `call` fails. */
#define SPARSE_P_TRY(call)                                                                                                  \
    do {                                                                                                                    \
        const sparse_result sparse_p_tried = (call);                                                                        \
        if (sparse_p_tried != SPARSE_OK) return sparse_p_tried;                                                             \
    } while (0)

/* >>memory
   All memory is allocated and freed through these hooks. resize behaves as realloc with the old size
   made known, both in bytes: block = NULL allocates, new_bytes = 0 frees (and returns NULL).
   A null hooks pointer in a tensor means malloc, realloc and free. */
typedef struct sparse_hooks {
    void *(*resize)(void *context, void *block, size_t old_bytes, size_t new_bytes);
    void *context;
} sparse_hooks;

/* A memory allocator on one array of the program, for tensors whose hooks are &arena.hooks:
     static unsigned char memory[4096];
     static sparse_arena arena = SPARSE_ARENA(arena, memory, sizeof memory);
   Blocks follow each other and are aligned for every type, wherever the array begins. Only the last block grows, shrinks
   and is freed in place; others keep their memory until sparse_arena_release. `used` bytes are in use now, and `most` is
   the largest number so far. If a request failed with E_MEMORY, an array of `wanted` bytes would have been large enough. */
typedef struct sparse_arena {
    sparse_hooks hooks;
    unsigned char *memory;
    size_t bytes, used, most, wanted;
} sparse_arena;
#define SPARSE_ARENA(arena, memory, bytes) {{sparse_arena_resize, &(arena)}, (memory), (bytes), 0, 0, 0}

/* The resize hook of an arena; context is the arena. */
SPARSE_API void *sparse_arena_resize(void *context, void *block, size_t old_bytes, size_t new_bytes);

/* Returns the current end of the arena, for sparse_arena_release. */
SPARSE_API size_t sparse_arena_mark(const sparse_arena *arena);

/* Frees everything that the arena allocated since the mark; mark 0 frees all. Do not use or free tensors whose arrays
   were there; initialise them again with SPARSE_INIT. `most` and `wanted` keep their values. */
SPARSE_API void sparse_arena_release(sparse_arena *arena, size_t mark);

/* How many bytes the arena has left, for blocks that are counted as sparse_needs counts them. */
SPARSE_API size_t sparse_arena_left(const sparse_arena *arena);

/* What a call of name_into() takes of an arena, counted by name_needs(): `result` bytes for the arrays of its outputs, which
   sparse_arena_outputs allocates, and at most `work` bytes more while it runs. */
typedef struct sparse_needs {
    size_t result, work;
} sparse_needs;

/* An array of a tensor: `length` elements are in use of `capacity`; the tensor owns it if capacity > 0,
   and merely borrows it (flash, a mapped file, the caller's array) if capacity is 0. */
typedef struct sparse_buffer {
    void *at;
    size_t length;
    size_t capacity;
} sparse_buffer;

/* PREFETCH: prefetches memory that will be written. WILL_READ: prefetches memory that will be read, into the caches from
   level 4 - near on. */
#if defined(__GNUC__)
    #define SPARSE_P_PREFETCH(at)         __builtin_prefetch(at, 1)
    #define SPARSE_P_WILL_READ(at, near) __builtin_prefetch((const void *)(at), 0, near)
#else
    #define SPARSE_P_PREFETCH(at)         ((void)(at))
    #define SPARSE_P_WILL_READ(at, near) ((void)(at))
#endif

/* >>threads
   Conversion and packing of many entries can use several threads. The program must be compiled with OpenMP and define,
   before its first include,

     SPARSE_THREADS   1   the number of threads: an expression, evaluated when the work begins

   The resulting arrays are identical for every number of threads: each thread works on its own share of the entries, and
   no result depends on the shares. Only the calling thread calls the memory hooks. */
#ifndef SPARSE_THREADS
    #define SPARSE_THREADS 1
#endif
#if defined(_OPENMP)
    /* Distributes the following loop over shares to `team` threads. Use it for many entries only: entering a parallel
       region takes 0.4 us with gcc and 1.2 us with clang, even if it has one thread. */
    #define SPARSE_P_BY_TEAM _Pragma("omp parallel for schedule(dynamic, 1) num_threads(team)")
    /* Executes a statement for each share s of `team`. A single share runs outside of a parallel region. The statement is
       compiled twice, so it should be short: a call. */
    #define SPARSE_P_EACH_SHARE(s, ...)                                                                                     \
        do {                                                                                                                \
            if (team == 1) {                                                                                                \
                const int s = 0;                                                                                            \
                __VA_ARGS__;                                                                                                \
            } else {                                                                                                        \
                SPARSE_P_BY_TEAM                                                                                            \
                for (int s = 0; s < team; s++) {                                                                            \
                    __VA_ARGS__;                                                                                            \
                }                                                                                                           \
            }                                                                                                               \
        } while (0)
#else /* without OpenMP, every team is one thread */
    #define SPARSE_P_BY_TEAM
    #define SPARSE_P_EACH_SHARE(s, ...)                                                                                     \
        do {                                                                                                                \
            const int s = 0;                                                                                                \
            (void)team;                                                                                                     \
            __VA_ARGS__;                                                                                                    \
        } while (0)
#endif
/* Executes a statement for each share s of [0, count); share s is [first, last). */
#define SPARSE_P_IN_SHARES(s, first, last, count, ...)                                                                      \
    SPARSE_P_EACH_SHARE(s, const size_t first = sparse_p_share(0, count, (size_t)s, (size_t)team);                          \
                        const size_t last = sparse_p_share(0, count, (size_t)s + 1, (size_t)team); __VA_ARGS__)

/* >>encodings */

/* Level types: how a level stores coordinates (level formats in MLIR's sparse_tensor dialect). There is one row for each:
   SPARSE_NAME, its name in encodings, and its traits. The section >>levels has a part for each level type, its room. */
enum { /* traits */
    SPARSE_TRAIT_POS = 1,    /* pos holds the range of positions of each parent; their number follows from the entries */
    SPARSE_TRAIT_CRD = 2,    /* coordinates are in crd, one for each position */
    SPARSE_TRAIT_SHARED = 4, /* a coordinate has the position of its parent in the level above */
    SPARSE_TRAIT_LINEAR = 8, /* position = coordinate + the position of coordinate 0 below the same parent */
    SPARSE_TRAIT_BITS = 16,  /* crd has a bit for each position: 1 if an entry is stored */
    SPARSE_TRAIT_PADS = 32,  /* there are padding positions, which hold no entry */
    SPARSE_TRAIT_COUNTS = 64, /* before the first coordinate below a parent, the writer must know how many will follow */
    SPARSE_TRAIT_FORWARD = 128, /* a coordinate is computed from the one before it */
    SPARSE_TRAIT_PACKED = 256,  /* crd stores a number of few bits for each position, several in one word */
    SPARSE_TRAIT_BUILT = 512,   /* kernels can append to it; results with other types are converted */
    SPARSE_TRAIT_MASK = 1024    /* crd has a bit for each coordinate below each parent: 1 if it has a position */
};
#ifndef SPARSE_LEVELS_MORE
    #define SPARSE_LEVELS_MORE(X)
#endif
#define SPARSE_LEVELS(X)                                                                                     \
    X(SPARSE_DENSE, dense, SPARSE_TRAIT_LINEAR | SPARSE_TRAIT_PADS | SPARSE_TRAIT_BUILT)                             \
    X(SPARSE_BATCH, batch, SPARSE_TRAIT_LINEAR | SPARSE_TRAIT_PADS)                                                  \
    X(SPARSE_COMPRESSED, compressed, SPARSE_TRAIT_POS | SPARSE_TRAIT_CRD | SPARSE_TRAIT_BUILT)                       \
    X(SPARSE_LOOSE_COMPRESSED, loose_compressed, SPARSE_TRAIT_POS | SPARSE_TRAIT_CRD)                                \
    X(SPARSE_SINGLETON, singleton, SPARSE_TRAIT_SHARED | SPARSE_TRAIT_CRD | SPARSE_TRAIT_BUILT)                      \
    X(SPARSE_STRUCTURED, structured, SPARSE_TRAIT_CRD | SPARSE_TRAIT_PADS | SPARSE_TRAIT_COUNTS)                     \
    X(SPARSE_BITMAP, bitmap, SPARSE_TRAIT_LINEAR | SPARSE_TRAIT_BITS | SPARSE_TRAIT_PADS)                                \
    X(SPARSE_BITMASK, bitmask, SPARSE_TRAIT_POS | SPARSE_TRAIT_FORWARD | SPARSE_TRAIT_MASK)                          \
    X(SPARSE_DELTA, delta, SPARSE_TRAIT_POS | SPARSE_TRAIT_PADS | SPARSE_TRAIT_FORWARD | SPARSE_TRAIT_PACKED)        \
    X(SPARSE_PACKED, packed, SPARSE_TRAIT_PADS | SPARSE_TRAIT_COUNTS | SPARSE_TRAIT_PACKED)                          \
    SPARSE_LEVELS_MORE(X)

#define SPARSE_P_LEVEL_ROW(NAME, name, traits) NAME, SPARSE_P_FORMAT_IS_##name = NAME,
typedef enum sparse_level_type { SPARSE_LEVELS(SPARSE_P_LEVEL_ROW) SPARSE_P_FORMATS } sparse_level_type;
#undef SPARSE_P_LEVEL_ROW

/* Properties of a level. By default coordinates are unique and ordered, and singletons are AoS (array of structs). */
enum { SPARSE_NONUNIQUE = 1, SPARSE_NONORDERED = 2, SPARSE_SOA = 4 };

/* Which level coordinate results from dimension coordinate d. c > 0 is the block size. */
typedef enum sparse_map {
    SPARSE_MAP_DIM,      /* d */
    SPARSE_MAP_FLOORDIV, /* d / c, level size ceil(size / c) */
    SPARSE_MAP_MOD,      /* d % c, level size c */
    SPARSE_MAP_COUNT,    /* the number of earlier entries with the same d; level size c */
    /* d - i, where the next level stores i or i % c: the number of the diagonal, counted from the lower left */
    SPARSE_MAP_MINUS
} sparse_map;

typedef struct sparse_level { /* no padding bytes: sparse_same_encoding compares bytes */
    uint8_t type;       /* a sparse_level_type */
    uint8_t properties; /* SPARSE_NONUNIQUE | ... */
    uint8_t map;        /* a sparse_map */
    uint8_t dim;        /* the dimension */
    uint32_t c;         /* block size of FLOORDIV and MOD, number of slices of COUNT */
    uint16_t n, m;      /* arguments of structured(n, m) and packed(n, m); n of delta(n) */
} sparse_level;

/* Value types that the kit can read, print and add; all others are SPARSE_OPAQUE. */
typedef enum sparse_kind {
    SPARSE_I8, SPARSE_I16, SPARSE_I32, SPARSE_I64,
    SPARSE_U8, SPARSE_U16, SPARSE_U32, SPARSE_U64,
    SPARSE_F32, SPARSE_F64, SPARSE_C64, SPARSE_C128, /* complex float, complex double */
    SPARSE_F16, SPARSE_BF16,                         /* sparse_f16, sparse_bf16 */
    SPARSE_OPAQUE                                    /* a user-defined struct */
} sparse_kind;

/* The complex types of C, under names that C++ accepts too. If the C compiler has none, they are structs of two parts. */
#if defined(__STDC_NO_COMPLEX__)
typedef struct sparse_complex64 {
    float real, imaginary;
} sparse_complex64;
typedef struct sparse_complex128 {
    double real, imaginary;
} sparse_complex128;
#elif defined(__GNUC__)
__extension__ typedef float _Complex sparse_complex64;
__extension__ typedef double _Complex sparse_complex128;
#else
typedef float _Complex sparse_complex64;
typedef double _Complex sparse_complex128;
#endif

/* 16-bit floating-point numbers: IEEE 754 binary16, and bfloat16, the upper half of a float. Statements compute with them
   as float. */
typedef struct sparse_f16 {
    uint16_t bits;
} sparse_f16;
typedef struct sparse_bf16 {
    uint16_t bits;
} sparse_bf16;

/* Describes the storage of a tensor type. SPARSE_TENSOR defines one as static data; a program can also fill one in at run
   time. */
typedef struct sparse_encoding {
    const char *name;        /* the name of the type, for messages */
    uint8_t rank, levels;    /* number of dimensions and of levels */
    uint8_t pos_bits;        /* width of positions: 8, 16, 32, 64, or 0 for the width of size_t */
    uint8_t crd_bits;        /* width of coordinates, likewise; sparse_pos_bits and sparse_crd_bits return the width */
    sparse_kind kind;        /* the kind of the values */
    size_t value_size;       /* sizeof one value */
    sparse_level level[SPARSE_MAX_LEVELS];
    const void *fill;        /* the value of entries that are not stored; null: zero */
    const void *constant;    /* the value of all stored entries, which then have no array; null: stored individually */
    /* null, or the map from levels to dimensions, which must agree with the levels: dim[d] is the sum of
       inverse[d * levels + l] * lvl[l] over all l */
    const uint32_t *inverse;
} sparse_encoding;

/* SPARSE_TENSOR(DESCRIPTOR) defines a storage type. A descriptor is a macro that lists the name of the type, its encoding,
   its value type, and the widths of its positions and its coordinates in bits; 0 is the width of size_t:

     #define CSR csr, SPARSE_CSR, double, 32, 32
     SPARSE_TENSOR(CSR)          ->  struct csr { sparse_tensor t; }, and csr_encoding
     csr A = SPARSE_INIT(csr);

   For controllers, a descriptor can end with sizes that are known at compile time (docs/embedded.md):

     #define WEIGHTS weights, SPARSE_CSR, int8_t, 16, 8, fixed(64, 256)
     SPARSE_TENSOR(WEIGHTS)      ->  struct weights { const uint16_t *pos2; const uint8_t *crd2; const int8_t *val; }

   An encoding is a map from dimensions to levels. It lists the dimensions, by letters, then the levels from the outermost
   inwards; a level is its type and the expression that it stores. MLIR's sparse_tensor dialect spells this example
   map = (i, j) -> (j : dense, i : compressed):

     #define SPARSE_CSC ((i, j), (dense, j), (compressed, i))

     level types   dense, compressed, loose_compressed, singleton, structured(n, m), packed(n, m), bitmap, bitmask,
                   delta(bits), batch
     properties    compressed(nonunique), loose_compressed(nonunique, nonordered), singleton(soa)
     expressions   i; floordiv(i, c), the block of i; mod(i, c), the offset of i in its block;
                   minus(j, i), the diagonal: the next level stores i, or mod(i, c) if i is in blocks;
                   count(i, c), the number of earlier entries with the same i, below c: ELL

   The value type is any C type, which statements see unchanged, or
     sparse_f16, sparse_bf16  16 bits; statements see a float, which is rounded when it is stored
     constant(double, 1)      no values are stored: every entry has the value 1 (in the dialect: explicitVal). The type
                              is a C type, but not a struct. Kernels are compiled for this value; the tensor can be an
                              operand, but not an output */
#if !defined(__cplusplus)
    #define SPARSE_TENSOR(...)      _Static_assert((SPARSE_P_TENSOR_LINE(__VA_ARGS__)
    #define SPARSE_TENSOR_FILL(...) _Static_assert((SPARSE_P_TENSOR_FILL_LINE(__VA_ARGS__)
#elif defined(__clang__)
    #define SPARSE_TENSOR(...)      static_assert((SPARSE_P_TENSOR_LINE(__VA_ARGS__)
    #define SPARSE_TENSOR_FILL(...) static_assert((SPARSE_P_TENSOR_FILL_LINE(__VA_ARGS__)
#else
    #define SPARSE_TENSOR(...)      static_assert((0 || SPARSE_P_TENSOR_LINE(__VA_ARGS__)
    #define SPARSE_TENSOR_FILL(...) static_assert((0 || SPARSE_P_TENSOR_FILL_LINE(__VA_ARGS__)
#endif
/* SPARSE_TENSOR_FILL(DESCRIPTOR, fill): SPARSE_TENSOR for a type with a fill value: entries that are not stored have the
   value `fill`, a constant.

   Both macros also define the following functions. Their values have the value type, so the compiler checks them. For a
   type csr of doubles:

     csr_pack(&A, dim, count, coordinates, values, how)  A = `count` entries in any order (sparse_pack_untyped)
     csr_pack_dense(&A, dim, values)                     A = a dense array without its zeros (sparse_pack_dense_untyped)
     csr_borrow(&A, dim, values)                         A = a dense array, in place, if all levels are dense
                                                         (sparse_borrow_untyped)
     csr_borrow_arrays(&A, dim, &arrays, where)          A = the caller's arrays, in place, counted from 0. Checks them like
                                                         sparse_assemble, but links only the checks of these level types
     csr_unpack(&A, coordinates, values, &count)         the entries of A in storage order (sparse_unpack_untyped)
     csr_unpack_dense(&A, values)                        A as a dense array (sparse_unpack_dense_untyped)
     csr_insert(&in, at, value)                          inserts an entry (sparse_insert_untyped)
     csr_values(&A)                                      the stored values, a double *; there are A.t.val.length. Null if
                                                         there are none */
/* If the descriptor is valid, TENSOR_LINE ends in 1), ""); and the definitions follow. If it is not, TENSOR_LINE ends in
   0), "sentence"); followed by the few definitions that the rest of the program needs to compile. The section
   >>descriptors finds the mistake. */
#define SPARSE_P_TENSOR_LINE(...)                                                                                           \
    SPARSE_P_CAT(SPARSE_P_TENSOR_HAS_,                                                                                      \
                 SPARSE_P_COUNT_(~, __VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 1, 0, 0, 0, 0, 0, ~))                     \
    (__VA_ARGS__, SPARSE_P_ZEROS)
#define SPARSE_P_TENSOR_HAS_0(name, ...)                                                                     \
    SPARSE_P_TENSOR_REFUSE(name, (, (#name ": a descriptor lists a name, an encoding, the type of values, and the "    \
                                           "widths of positions and coordinates, as csr, SPARSE_CSR, double, 32, 32")))
#define SPARSE_P_TENSOR_HAS_1(...) SPARSE_P_TENSOR_CHECK(0, __VA_ARGS__) /* NULL can be in parentheses, like sizes */
#define SPARSE_P_TENSOR_HAS_6(name, encoding, value, pos, crd, sizes, ...)                                                  \
    SPARSE_P_CAT(SPARSE_P_TENSOR_SIZED_, SPARSE_P_IS_FIXED(sizes))(name, encoding, value, pos, crd, sizes, __VA_ARGS__)
#define SPARSE_P_TENSOR_SIZED_0 SPARSE_P_TENSOR_HAS_0
#define SPARSE_P_TENSOR_SIZED_1(name, encoding, value, pos, crd, sizes, ...)                                                \
    SPARSE_P_TENSOR_CHECK(SPARSE_P_SIZES_##sizes, name, encoding, value, pos, crd, __VA_ARGS__)
/* IS_FIXED(fixed(64, 256)) -> 1, IS_FIXED(i) -> 0; SIZES_fixed(64, 256) -> (64, 256) */
#define SPARSE_P_IS_FIXED(x)      SPARSE_P_BY_PAREN(SPARSE_P_IS_FIXED_, x)(x)
#define SPARSE_P_IS_FIXED_1(x)    0
#define SPARSE_P_IS_FIXED_0(x)    SPARSE_P_IS_PAREN(SPARSE_P_SIZES_##x)
#define SPARSE_P_SIZES_fixed(...) (__VA_ARGS__)
/* TENSOR_LINE for a type with a fill value, which may contain commas and follows the descriptor */
#define SPARSE_P_TENSOR_FILL_LINE(...)                                                                       \
    SPARSE_P_BY_PAREN(SPARSE_P_TENSOR_FILLS_, SPARSE_P_CAT(SPARSE_P_NO_FILL_, SPARSE_P_COUNT(~, __VA_ARGS__))) \
    (__VA_ARGS__)
#define SPARSE_P_NO_FILL_1 ()
#define SPARSE_P_NO_FILL_2 ()
#define SPARSE_P_NO_FILL_3 ()
#define SPARSE_P_NO_FILL_4 ()
#define SPARSE_P_NO_FILL_5 ()
#define SPARSE_P_TENSOR_FILLS_1(...) SPARSE_P_TENSOR_FILLS_1_(__VA_ARGS__, ~)
#define SPARSE_P_TENSOR_FILLS_1_(name, ...)                                                                  \
    SPARSE_P_TENSOR_REFUSE(name, (, (#name ": SPARSE_TENSOR_FILL lists a name, an encoding, the type of values, the "  \
                                           "widths of positions and coordinates, and the value of what is not stored")))
#define SPARSE_P_TENSOR_FILLS_0(name, ...) SPARSE_P_TENSOR_CHECK(&name##_fill, name, __VA_ARGS__)
#define SPARSE_P_TENSOR_CHECK(fill, name, encoding, value, pos, crd, ...)                                    \
    SPARSE_P_TENSOR_A((SPARSE_P_DESCRIPTOR_ERRORS(name, encoding, pos, crd)), name, encoding, fill, value, pos, crd,        \
                      __VA_ARGS__)
#define SPARSE_P_TENSOR_A(errors, ...) SPARSE_P_CAT(SPARSE_P_TENSOR_A_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_TENSOR_A_1(errors, name, ...) SPARSE_P_TENSOR_REFUSE(name, errors)
#define SPARSE_P_TENSOR_A_0(errors, name, encoding, ...)                                                     \
    SPARSE_P_TENSOR_B((SPARSE_P_ENCODING_ERRORS(name, encoding)), name, encoding, __VA_ARGS__)
#define SPARSE_P_TENSOR_B(errors, ...) SPARSE_P_CAT(SPARSE_P_TENSOR_B_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_TENSOR_B_1(errors, name, ...) SPARSE_P_TENSOR_REFUSE(name, errors)
#define SPARSE_P_TENSOR_B_0(errors, name, encoding, ...)                                                     \
    SPARSE_P_TENSOR_C((SPARSE_P_MAP_ERRORS(name, SPARSE_P_ID encoding) SPARSE_P_FIXED_ERRORS(name, encoding, __VA_ARGS__)), \
                      name, encoding, __VA_ARGS__)
#define SPARSE_P_TENSOR_C(errors, ...) SPARSE_P_CAT(SPARSE_P_TENSOR_C_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_TENSOR_C_1(errors, name, ...) SPARSE_P_TENSOR_REFUSE(name, errors)
#define SPARSE_P_TENSOR_C_0(errors, name, ...)                                                               \
    1), #name); SPARSE_P_TENSOR_DEFINE(name, __VA_ARGS__)
/* ANY_ERROR(, ("u"), ("v")) -> 1; FIRST_ERROR((, ("u"), ("v"))) -> "u" */
#define SPARSE_P_ANY_ERROR(...)      SPARSE_P_IS_PAREN(SPARSE_P_SECOND(~__VA_ARGS__, 0))
#define SPARSE_P_FIRST_ERROR(errors) SPARSE_P_UNPACK(SPARSE_P_SECOND(~ SPARSE_P_ID errors))
#define SPARSE_P_TENSOR_REFUSE(name, errors)                                                                 \
    0), SPARSE_P_FIRST_ERROR(errors));                                                                       \
    SPARSE_P_CAT3(SPARSE_P_TENSOR_EMPTY_, SPARSE_P_IS_PAREN(name), SPARSE_P_ENDS(name))(name)
#define SPARSE_P_TENSOR_EMPTY_00(name)                                                                       \
    typedef struct name {                                                                                    \
        sparse_tensor t;                                                                                     \
    } name;                                                                                                  \
    SPARSE_P_EMPTY_FILL(name)                                                                                \
    SPARSE_P_NO_LAYOUT(name)                                                                                 \
    SPARSE_UNUSED static const sparse_encoding name##_encoding = SPARSE_P_ZEROS;
#define SPARSE_P_TENSOR_EMPTY_01(name)
#define SPARSE_P_TENSOR_EMPTY_10(name)
/* The value type occurs only once, so that the compiler reports a misspelt type once. */
#define SPARSE_P_TENSOR_DEFINE(name, encoding, fill, ...)                                                    \
    SPARSE_P_BY_PAREN(SPARSE_P_TENSOR_DEFINE_, fill)(name, encoding, fill, __VA_ARGS__)
#define SPARSE_P_TENSOR_DEFINE_0(name, encoding, fill, value, pos, crd, ...)                                 \
    typedef SPARSE_P_ELEMENT(value) sparse_p_values_of_##name;                                                 \
    SPARSE_UNUSED static const sparse_p_values_of_##name name##_fill = __VA_ARGS__;                            \
    SPARSE_P_NOTE_LAYOUT(                                                                                                   \
        name, SPARSE_P_LAYOUT(sparse_p_values_of_##name, SPARSE_P_HAS_ARRAY(value), pos, crd, encoding, (0)))               \
    SPARSE_P_TENSOR(fill, name, encoding, value, pos, crd)
#define SPARSE_P_TENSOR(fill, ...) SPARSE_P_TENSOR_VALUE(fill, __VA_ARGS__)
#define SPARSE_P_TENSOR_VALUE(fill, name, encoding, value, pos, crd)                                         \
    SPARSE_P_CAT(SPARSE_P_TENSOR_CONSTANT_, SPARSE_P_HAS_ARRAY(value))(name, value)                          \
    SPARSE_P_TENSOR_(fill, SPARSE_P_CAT(SPARSE_P_CONSTANT_, SPARSE_P_HAS_ARRAY(value))(name), name,          \
                     sparse_p_values_of_##name, pos, crd, SPARSE_P_ID encoding)
#define SPARSE_P_TENSOR_CONSTANT_1(name, value)
#define SPARSE_P_TENSOR_CONSTANT_0(name, value)                                                              \
    SPARSE_UNUSED static const sparse_p_values_of_##name name##_constant = SPARSE_P_LOAD(value, 0);
#define SPARSE_P_CONSTANT_1(name) NULL
#define SPARSE_P_CONSTANT_0(name) &name##_constant
#define SPARSE_P_TENSOR_(...) SPARSE_P_TENSOR__(__VA_ARGS__)
#define SPARSE_P_TENSOR__(fill, constant, name, value, pos, crd, dims, ...)                                            \
    typedef struct name {                                                                                    \
        sparse_tensor t;                                                                                     \
    } name;                                                                                                  \
    SPARSE_UNUSED static const sparse_encoding name##_encoding = {                                           \
        #name, SPARSE_P_COUNT(~, SPARSE_P_ID dims), SPARSE_P_COUNT(~, __VA_ARGS__), SPARSE_WIDTH(pos),       \
        SPARSE_WIDTH(crd), SPARSE_KIND(value), sizeof(value),                                                \
        {SPARSE_P_TAIL(SPARSE_P_EACHG(SPARSE_P_LEVEL_DATA, dims, (, __VA_ARGS__)))}, fill, constant, NULL};  \
    SPARSE_P_TENSOR_FUNCTIONS(name, value)
/* A type of fixed sizes has one pointer for each array; only the compiler knows the sizes. A kernel builds a tensor from
   it, of which the optimiser keeps only the arrays. */
#define SPARSE_P_TENSOR_DEFINE_1(name, encoding, sizes, value, pos, crd, ...)                                               \
    typedef SPARSE_P_ELEMENT(value) sparse_p_values_of_##name;                                                              \
    SPARSE_UNUSED static const sparse_p_values_of_##name name##_fill = __VA_ARGS__;                                         \
    SPARSE_P_NOTE_LAYOUT(                                                                                                   \
        name, SPARSE_P_LAYOUT(sparse_p_values_of_##name, SPARSE_P_HAS_ARRAY(value), pos, crd, encoding, sizes))             \
    SPARSE_P_CAT(SPARSE_P_TENSOR_CONSTANT_, SPARSE_P_HAS_ARRAY(value))(name, value)                                         \
    SPARSE_P_TENSOR_FIXED(sizes, SPARSE_P_CAT(SPARSE_P_CONSTANT_, SPARSE_P_HAS_ARRAY(value))(name),                         \
                          SPARSE_P_HAS_ARRAY(value), name, sparse_p_values_of_##name, pos, crd, SPARSE_P_ID encoding)
#define SPARSE_P_TENSOR_FIXED(...) SPARSE_P_TENSOR_FIXED_(__VA_ARGS__)
#define SPARSE_P_TENSOR_FIXED_(sizes, constant, stored, name, value, pos, crd, dims, ...)                                   \
    typedef struct name {                                                                                                   \
        SPARSE_P_EACH_LEVEL(SPARSE_P_FIXED_MEMBERS, (SPARSE_P_UINT_##pos, SPARSE_P_UINT_##crd), __VA_ARGS__)                \
        SPARSE_P_CAT(SPARSE_P_FIXED_VALUES_, stored)(value)                                                                 \
    } name;                                                                                                                 \
    SPARSE_UNUSED static const sparse_encoding name##_encoding = {                                                          \
        #name, SPARSE_P_COUNT(~, SPARSE_P_ID dims), SPARSE_P_COUNT(~, __VA_ARGS__), SPARSE_WIDTH(pos),                      \
        SPARSE_WIDTH(crd), SPARSE_KIND(value), sizeof(value),                                                               \
        {SPARSE_P_TAIL(SPARSE_P_EACHG(SPARSE_P_LEVEL_DATA, dims, (, __VA_ARGS__)))}, NULL, constant, NULL};                 \
    SPARSE_P_EACHG(SPARSE_P_FIXED_IS_SIZE, name, (, SPARSE_P_ID sizes))                                                     \
    SPARSE_P_EACH_LEVEL(SPARSE_P_FIXED_REACHES, (name, SPARSE_P_UINT_##crd, (SPARSE_P_ID dims, SPARSE_P_ID sizes)),         \
                        __VA_ARGS__)                                                                                        \
    SPARSE_UNUSED SPARSE_P_INLINE void sparse_p_view_of_##name(const name *sparse_l_from, sparse_tensor *sparse_l_to)       \
    {                                                                                                                       \
        size_t *sparse_l_dim = sparse_l_to->dim;                                                                            \
        sparse_l_to->encoding = &name##_encoding;                                                                           \
        sparse_l_to->val.length = 1;                                                                                        \
        SPARSE_P_EACHG(SPARSE_P_FIXED_DIM, , (, SPARSE_P_ID sizes))                                                         \
        SPARSE_P_EACH_LEVEL(SPARSE_P_FIXED_LEVEL, ((SPARSE_P_ID dims, SPARSE_P_ID sizes)), __VA_ARGS__)                     \
        SPARSE_P_CAT(SPARSE_P_FIXED_VIEW_, stored)                                                                          \
    }
#define SPARSE_P_FIXED_VALUES_0(value)
#define SPARSE_P_FIXED_VALUES_1(value) const value *val;
#define SPARSE_P_FIXED_VIEW_0
#define SPARSE_P_FIXED_VIEW_1 sparse_l_to->val.at = (void *)(uintptr_t)sparse_l_from->val;
#define SPARSE_P_UINT_8       uint8_t
#define SPARSE_P_UINT_16      uint16_t
#define SPARSE_P_UINT_32      uint32_t
#define SPARSE_P_UINT_64      uint64_t
#if SIZE_MAX > 0xffffffff
    #define SPARSE_P_UINT_0 uint64_t
#else
    #define SPARSE_P_UINT_0 uint32_t
#endif
/* EACH_LEVEL(m, (c), level, level) -> m((c), 1, level) m((c), 2, level) */
#define SPARSE_P_EACH_LEVEL(m, c, ...)             SPARSE_P_BY_COUNT(SPARSE_P_EACH_LEVEL_, ~, __VA_ARGS__)(m, c, __VA_ARGS__)
#define SPARSE_P_EACH_LEVEL_1(m, c, s)             m(c, 1, s)
#define SPARSE_P_EACH_LEVEL_2(m, c, s, t)          m(c, 1, s) m(c, 2, t)
#define SPARSE_P_EACH_LEVEL_3(m, c, s, t, u)       m(c, 1, s) m(c, 2, t) m(c, 3, u)
#define SPARSE_P_EACH_LEVEL_4(m, c, s, t, u, v)    m(c, 1, s) m(c, 2, t) m(c, 3, u) m(c, 4, v)
#define SPARSE_P_EACH_LEVEL_5(m, c, s, t, u, v, w) m(c, 1, s) m(c, 2, t) m(c, 3, u) m(c, 4, v) m(c, 5, w)
#define SPARSE_P_EACH_LEVEL_6(m, c, s, t, u, v, w, x)                                                                       \
    m(c, 1, s) m(c, 2, t) m(c, 3, u) m(c, 4, v) m(c, 5, w) m(c, 6, x)
#define SPARSE_P_EACH_LEVEL_7(m, c, s, t, u, v, w, x, y)                                                                    \
    m(c, 1, s) m(c, 2, t) m(c, 3, u) m(c, 4, v) m(c, 5, w) m(c, 6, x) m(c, 7, y)
#define SPARSE_P_EACH_LEVEL_8(m, c, s, t, u, v, w, x, y, z)                                                                 \
    m(c, 1, s) m(c, 2, t) m(c, 3, u) m(c, 4, v) m(c, 5, w) m(c, 6, x) m(c, 7, y) m(c, 8, z)
#define SPARSE_P_FIXED_DIM(c, size) *sparse_l_dim++ = (size_t)(size);
/* SIZE_OF(i, (i, j, 64, 256)) -> the size of dimension i */
#define SPARSE_P_DIM_SIZE(d, sizes)          SPARSE_P_EACHH(SPARSE_P_DIM_SIZE_, d, SPARSE_P_ZIP(, SPARSE_P_ID sizes))
#define SPARSE_P_DIM_SIZE_(d, pair)          SPARSE_P_DIM_SIZE__(d, SPARSE_P_ID pair)
#define SPARSE_P_DIM_SIZE__(...)             SPARSE_P_DIM_SIZE3(__VA_ARGS__)
#define SPARSE_P_DIM_SIZE3(d, another, size) SPARSE_P_IFEQ(d, another, (size_t)(size))
/* the size of a level; FIXED_ERRORS has refused levels without a known size */
#define SPARSE_P_LEVEL_SIZE_OF(sizes, d)              SPARSE_P_LEVEL_SIZE_OF_(sizes, SPARSE_P_EXPRESSION(d))
#define SPARSE_P_LEVEL_SIZE_OF_(...)                  SPARSE_P_LEVEL_SIZE_OF__(__VA_ARGS__)
#define SPARSE_P_LEVEL_SIZE_OF__(sizes, kind, d, c)   SPARSE_P_SIZE_BY_##kind(SPARSE_P_DIM_SIZE(d, sizes), c)
#define SPARSE_P_SIZE_BY_0dim(size, c)             size
#define SPARSE_P_SIZE_BY_floordiv(size, c)         ((size + c - 1) / c)
#define SPARSE_P_SIZE_BY_mod(size, c)              (size_t)(c)
/* the arrays that a level has in memory, by the kind of its storage */
#define SPARSE_P_FIXED_ROW(format)                                                                                          \
    SPARSE_P_FIXED_ROW_(SPARSE_P_BY_PAREN(SPARSE_P_FIXED_ROW_, SPARSE_P_BARE_##format)(format))
#define SPARSE_P_FIXED_ROW_(...)                        SPARSE_P_SECOND(__VA_ARGS__)
#define SPARSE_P_FIXED_ROW_0(format)                    SPARSE_P_STORED_IS_##format
#define SPARSE_P_FIXED_ROW_1(format)                    SPARSE_P_STORED_OF_##format
#define SPARSE_P_FIXED_HAS(what, format)                SPARSE_P_FIXED_HAS_(what, SPARSE_P_FIXED_ROW(format))
#define SPARSE_P_FIXED_HAS_(...)                        SPARSE_P_FIXED_HAS__(__VA_ARGS__)
#define SPARSE_P_FIXED_HAS__(what, row)                 SPARSE_P_CAT(what, SPARSE_P_RANGE_CELL(0arrays, row))
#define SPARSE_P_FIXED_MEMBERS(c, n, level)             SPARSE_P_FIXED_MEMBERS_(n, SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_FIXED_MEMBERS_(...)                    SPARSE_P_FIXED_MEMBERS__(__VA_ARGS__)
#define SPARSE_P_FIXED_MEMBERS__(n, p, q, format, d)    SPARSE_P_FIXED_HAS(SPARSE_P_MEMBERS_OF_, format)(n, p, q)
#define SPARSE_P_MEMBERS_OF_SPARSE_P_DROP(n, p, q)
#define SPARSE_P_MEMBERS_OF_SPARSE_P_ARRAYS_POS_CRD(n, p, q)                                                                \
    const p *pos##n;                                                                                                        \
    const q *crd##n;
#define SPARSE_P_MEMBERS_OF_SPARSE_P_ARRAYS_CRD(n, p, q) const q *crd##n;
#define SPARSE_P_MEMBERS_OF_SPARSE_P_ARRAYS_CRD_SIZE     SPARSE_P_MEMBERS_OF_SPARSE_P_ARRAYS_CRD
#define SPARSE_P_MEMBERS_OF_SPARSE_P_ARRAYS_POS_CRD_SIZE SPARSE_P_MEMBERS_OF_SPARSE_P_ARRAYS_POS_CRD
#define SPARSE_P_FIXED_LEVEL(c, n, level)                SPARSE_P_FIXED_LEVEL_(n, SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_FIXED_LEVEL_(...)                       SPARSE_P_FIXED_LEVEL__(__VA_ARGS__)
#define SPARSE_P_FIXED_LEVEL__(n, sizes, format, d)                                                                         \
    sparse_l_to->lvl[n - 1] = SPARSE_P_LEVEL_SIZE_OF(sizes, d);                                                             \
    sparse_l_to->val.length *= SPARSE_P_IS_DENSE(SPARSE_P_FORMAT_VALUE(format)) ? sparse_l_to->lvl[n - 1] : 0; \
    SPARSE_P_FIXED_HAS(SPARSE_P_VIEW_OF_, format)(n)

#define SPARSE_P_FORMAT_VALUE(format) SPARSE_P_FIRST(SPARSE_P_BY_PAREN(SPARSE_P_FORMAT_, SPARSE_P_BARE_##format)(format))
#define SPARSE_P_VIEW_OF_SPARSE_P_DROP(n)
#define SPARSE_P_VIEW_OF_SPARSE_P_ARRAYS_POS_CRD(n)                                                                         \
    sparse_l_to->pos[n - 1].at = (void *)(uintptr_t)sparse_l_from->pos##n;                                                  \
    SPARSE_P_VIEW_OF_SPARSE_P_ARRAYS_CRD(n)
#define SPARSE_P_VIEW_OF_SPARSE_P_ARRAYS_CRD(n)       sparse_l_to->crd[n - 1].at = (void *)(uintptr_t)sparse_l_from->crd##n;
#define SPARSE_P_VIEW_OF_SPARSE_P_ARRAYS_CRD_SIZE     SPARSE_P_VIEW_OF_SPARSE_P_ARRAYS_CRD
#define SPARSE_P_VIEW_OF_SPARSE_P_ARRAYS_POS_CRD_SIZE SPARSE_P_VIEW_OF_SPARSE_P_ARRAYS_POS_CRD
#define SPARSE_P_FIXED_ARRAY(format)                  SPARSE_P_FIXED_ARRAY_(SPARSE_P_FIXED_ROW(format))
#define SPARSE_P_FIXED_ARRAY_(row)                    SPARSE_P_LEVEL_CELL(ARRAY, row)
#define SPARSE_P_FIXED_REACHES(c, n, level)           SPARSE_P_FIXED_REACHES_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_FIXED_REACHES_(...)                  SPARSE_P_FIXED_REACHES__(__VA_ARGS__)
#define SPARSE_P_FIXED_REACHES__(name, q, sizes, format, d)                                                                 \
    SPARSE_P_STATIC_ASSERT(!SPARSE_P_FIXED_ARRAY(format) || SPARSE_P_LEVEL_SIZE_OF(sizes, d) == 0 ||                        \
                               SPARSE_P_LEVEL_SIZE_OF(sizes, d) - 1 <= (q)-1,                                               \
                           #name ": coordinates are too narrow for the size of dimension " #d);
/* IS_SIZE(x): has x an integer type, and is it a size_t above 0? SPARSE_TENSOR asks for each size in fixed(...). */
#ifdef __cplusplus
    #define SPARSE_P_STATIC_ASSERT(...) static_assert(__VA_ARGS__)
    #define SPARSE_P_IS_SIZE(x)         ((1 ? 1 : (x)) / 2 == 0 && (x) > 0 && (size_t)(x) == (x))
#else
    #define SPARSE_P_STATIC_ASSERT(...) _Static_assert(__VA_ARGS__)
    #define SPARSE_P_IS_SIZE(x)         (SPARSE_P_INTEGER(x) > 0 && (size_t)(x) == SPARSE_P_INTEGER(x))
    #define SPARSE_P_INTEGER(x)                                                                                             \
        _Generic(+(x), int : (x), unsigned : (x), long : (x), unsigned long : (x), long long : (x), unsigned long long      \
                 : (x), default : 0)
#endif
#define SPARSE_P_FIXED_IS_SIZE(name, size)                                                                                  \
    SPARSE_P_STATIC_ASSERT(SPARSE_P_IS_SIZE(size), #name ": the sizes in fixed(...) are whole numbers above 0");
/* The functions of a storage type, such as csr_pack: sparse_pack_untyped and others, with typed values. SPARSE_TENSOR
   documents them. */
#define SPARSE_P_TENSOR_FUNCTIONS(name, value)                                                                              \
    SPARSE_P_TENSOR_FUNCTION(sparse_result)                                                                                 \
    name##_pack(name *sparse_l_t, const size_t *sparse_l_dim, size_t sparse_l_count, const size_t *sparse_l_coordinates,    \
                const value *sparse_l_values, sparse_duplicates sparse_l_how)                                               \
    {                                                                                                                       \
        return sparse_pack_untyped((sparse_tensor *)sparse_l_t, sparse_l_dim, sparse_l_count, sparse_l_coordinates,         \
                                   sparse_l_values, sparse_l_how);                                                          \
    }                                                                                                                       \
    SPARSE_P_TENSOR_FUNCTION(sparse_result)                                                                                 \
    name##_pack_dense(name *sparse_l_t, const size_t *sparse_l_dim, const value *sparse_l_values)                           \
    {                                                                                                                       \
        return sparse_pack_dense_untyped((sparse_tensor *)sparse_l_t, sparse_l_dim, sparse_l_values);                       \
    }                                                                                                                       \
    SPARSE_P_TENSOR_FUNCTION(sparse_result)                                                                                 \
    name##_borrow(name *sparse_l_t, const size_t *sparse_l_dim, const value *sparse_l_values)                               \
    {                                                                                                                       \
        return sparse_borrow_untyped((sparse_tensor *)sparse_l_t, sparse_l_dim, sparse_l_values);                           \
    }                                                                                                                       \
    SPARSE_P_TENSOR_FUNCTION(sparse_result)                                                                                 \
    name##_borrow_arrays(name *sparse_l_t, const size_t *sparse_l_dim, const sparse_arrays *sparse_l_arrays,                \
                         sparse_report *sparse_l_where)                                                                     \
    {                                                                                                                       \
        return sparse_p_borrow_typed((sparse_tensor *)sparse_l_t, &name##_encoding, sparse_l_dim, sparse_l_arrays,          \
                                     sparse_l_where);                                                                       \
    }                                                                                                                       \
    SPARSE_P_TENSOR_FUNCTION(sparse_result)                                                                                 \
    name##_unpack(const name *sparse_l_t, size_t *sparse_l_coordinates, value *sparse_l_values, size_t *sparse_l_count)     \
    {                                                                                                                       \
        return sparse_unpack_untyped((const sparse_tensor *)sparse_l_t, sparse_l_coordinates, sparse_l_values,              \
                                     sparse_l_count);                                                                       \
    }                                                                                                                       \
    SPARSE_P_TENSOR_FUNCTION(sparse_result)                                                                                 \
    name##_unpack_dense(const name *sparse_l_t, value *sparse_l_values)                                                     \
    {                                                                                                                       \
        return sparse_unpack_dense_untyped((const sparse_tensor *)sparse_l_t, sparse_l_values);                             \
    }                                                                                                                       \
    SPARSE_P_TENSOR_FUNCTION(sparse_result)                                                                                 \
    name##_insert(sparse_insertion *sparse_l_s, const size_t *sparse_l_at, value sparse_l_value)                            \
    {                                                                                                                       \
        return sparse_p_insert_typed(sparse_l_s, sparse_l_at, &sparse_l_value, &name##_encoding);                           \
    }                                                                                                                       \
    SPARSE_P_TENSOR_FUNCTION(value *) name##_values(const name *sparse_l_t)                                                 \
    {                                                                                                                       \
        return (value *)sparse_p_values_of((const sparse_tensor *)sparse_l_t);                                              \
    }
#define SPARSE_P_TENSOR_FUNCTION(result) SPARSE_UNUSED static inline result
/* DECLARE_TYPE(csr, double, (32, 32, encoding, (sizes)), k, A): what kernel k says of the type of operand A, before the
   function of the kernel. If the type lacks SPARSE_TENSOR, the compiler reports it once, here. If SPARSE_TENSOR gave it
   another descriptor, the line is refused, because the loops would read the arrays as something else. DECLARE_ENCODING does
   the same inside of a function, where a local name could hide the encoding. DECLARE_FILL(csr, double) declares the fill
   value, for an operand below any(). */
#define SPARSE_P_DESCRIBED(value, described) SPARSE_P_DESCRIBED_(value, SPARSE_P_ID described)
#define SPARSE_P_DESCRIBED_(...)             SPARSE_P_DESCRIBED__(__VA_ARGS__)
#define SPARSE_P_DESCRIBED__(value, ...) \
    SPARSE_P_LAYOUT(SPARSE_P_ELEMENT(value), SPARSE_P_HAS_ARRAY(value), __VA_ARGS__)
#define SPARSE_P_OTHER_DESCRIPTOR(type, kernel, name)                                                                       \
    #kernel ": operand " #name " has another encoding, value type, width or size than SPARSE_TENSOR gave to " #type
#ifdef __cplusplus /* in C++ the type can be from another namespace */
    #define SPARSE_P_NOTE_LAYOUT(name, layout) typedef char name##_of_SPARSE_TENSOR[layout];
    #define SPARSE_P_NO_LAYOUT(name)           typedef char name##_of_SPARSE_TENSOR[1];
    #define SPARSE_P_DECLARE_TYPE(type, value, described, kernel, name)                                                     \
        static_assert(sizeof(type##_of_SPARSE_TENSOR) == 1 ||                                                               \
                          sizeof(type##_of_SPARSE_TENSOR) == SPARSE_P_DESCRIBED(value, described),                          \
                      SPARSE_P_OTHER_DESCRIPTOR(type, kernel, name));
    #define SPARSE_P_DECLARE_ENCODING SPARSE_P_DECLARE_TYPE
    #define SPARSE_P_DECLARE_FILL(type, element)
    #define SPARSE_P_EMPTY_FILL(name) SPARSE_UNUSED static const char name##_fill = 0;
#else
    #define SPARSE_P_NOTE_LAYOUT(name, layout) extern const char name##_of_SPARSE_TENSOR[layout];
    #define SPARSE_P_NO_LAYOUT(name)           extern const char name##_of_SPARSE_TENSOR[];
    #define SPARSE_P_DECLARE_TYPE(type, ...) SPARSE_P_DECLARE_ENCODING(type, __VA_ARGS__) typedef struct type type;
    #define SPARSE_P_DECLARE_ENCODING(type, value, described, kernel, name)                                                 \
        _Static_assert(sizeof(struct { type *t; }) != 0, #type);                                                            \
        extern const char type##_of_SPARSE_TENSOR[];                                                                        \
        _Static_assert(                                                                                                     \
            _Generic(&type##_of_SPARSE_TENSOR, const char(*)[SPARSE_P_DESCRIBED(value, described)]: 1, default: 0),         \
            SPARSE_P_OTHER_DESCRIPTOR(type, kernel, name));                                                                 \
        extern const sparse_encoding type##_encoding;
    #define SPARSE_P_DECLARE_FILL(type, element) extern element const type##_fill;
    #define SPARSE_P_EMPTY_FILL(name)
#endif
/* LAYOUT(double, 1, 32, 32, ((i, j), (dense, i), (compressed, j)), (sizes)) -> a number for a descriptor. If one part
   changes, so does the number, except for one case in 2^30 (2^14 if int has 16 bits): each part is multiplied by an odd
   number, and each level has its own, so that the order counts. The remainder depends on all bits of the sum.
   NOTE_LAYOUT, in SPARSE_TENSOR, notes the number as the length of the array csr_of_SPARSE_TENSOR, which takes no memory:
   C only declares it, and C++ has a type instead. After a refused descriptor, NO_LAYOUT declares an array that agrees with
   every line, so that there is one error and not two. */
#define SPARSE_P_LAYOUT(value, stored, pos, crd, encoding, sizes)                                                           \
    (((SPARSE_P_MIX((unsigned)SPARSE_KIND(value), sizeof(value), stored, (unsigned)SPARSE_WIDTH(pos),                       \
                    (unsigned)SPARSE_WIDTH(crd), 0, 0) SPARSE_P_EACH_LEVEL(SPARSE_P_MIX_SIZE, , SPARSE_P_ID sizes)          \
           SPARSE_P_MIX_LEVELS(SPARSE_P_ID encoding)) %                                                                     \
      (INT_MAX >> 1)) +                                                                                                     \
     2)
#define SPARSE_P_MIX(a, b, c, d, e, f, g)                                                                                   \
    (((((((a)*65599ull + (b)) * 65599 + (c)) * 65599 + (d)) * 65599 + (e)) * 65599 + (f)) * 65599 + (g))
#define SPARSE_P_WEIGHT(n)               (2654435770ull * n + 1)
#define SPARSE_P_MIX_SIZE(c, n, size)    +SPARSE_P_WEIGHT(n) * 65599 * (unsigned long long)(size)
#define SPARSE_P_MIX_LEVELS(...)         SPARSE_P_MIX_LEVELS_(__VA_ARGS__)
#define SPARSE_P_MIX_LEVELS_(dims, ...)  SPARSE_P_EACH_LEVEL(SPARSE_P_MIX_LEVEL, dims, __VA_ARGS__)
#define SPARSE_P_MIX_LEVEL(dims, n, x)                                                                                      \
    SPARSE_P_CAT(SPARSE_P_MIX_LEVEL_, SPARSE_P_ANY_ERROR(SPARSE_P_LEVEL_ERROR((~, dims), x)))(dims, n, x)
#define SPARSE_P_MIX_LEVEL_0(dims, n, x) +SPARSE_P_WEIGHT(n) * SPARSE_P_LEVEL_FIELDS(SPARSE_P_MIX, dims, x)
#define SPARSE_P_MIX_LEVEL_1(dims, n, x) /* SPARSE_TENSOR refuses this level, which adds nothing */
/* The value type of a tensor determines what a statement sees, and how values are read and written. If its first word has
   a row VALUES_word below, that row applies:
     VISIBLE(value)   the type in the statement                  sparse_f16 -> float, double -> double
     ELEMENT(value)   the type in storage                        sparse_f16 -> sparse_f16
     HAS_ARRAY(value) 1, or 0 if no values are stored            constant(double, 1) -> 0
     LOAD(value, x)   the value of an array element x            sparse_f16, x -> sparse_float_of_f16(x)
     DECODE(value, x), ENCODE(value, x)                          from ELEMENT to VISIBLE, and back */
#define SPARSE_P_HAS_WAY(value)     SPARSE_P_IS_PAREN(SPARSE_P_VALUES_##value)
#define SPARSE_P_VISIBLE(value)     SPARSE_P_CAT(SPARSE_P_VISIBLE_, SPARSE_P_HAS_WAY(value))(value)
#define SPARSE_P_ELEMENT(value)     SPARSE_P_CAT(SPARSE_P_ELEMENT_, SPARSE_P_HAS_WAY(value))(value)
#define SPARSE_P_HAS_ARRAY(value)   SPARSE_P_CAT(SPARSE_P_HAS_ARRAY_, SPARSE_P_HAS_WAY(value))(value)
#define SPARSE_P_LOAD(value, x)     SPARSE_P_CAT(SPARSE_P_LOAD_, SPARSE_P_HAS_WAY(value))(value, x)
#define SPARSE_P_DECODE(value, x)   SPARSE_P_CAT(SPARSE_P_DECODE_, SPARSE_P_HAS_WAY(value))(value, x)
#define SPARSE_P_ENCODE(value, x)   SPARSE_P_CAT(SPARSE_P_ENCODE_, SPARSE_P_HAS_WAY(value))(value, x)
#define SPARSE_P_VISIBLE_0(value)   value
#define SPARSE_P_ELEMENT_0(value)   value
#define SPARSE_P_HAS_ARRAY_0(value) 1
#define SPARSE_P_LOAD_0(value, x)   x
#define SPARSE_P_DECODE_0(value, x) x
#define SPARSE_P_ENCODE_0(value, x) x
#define SPARSE_P_VISIBLE_1(value)   SPARSE_P_WAY_HAS(SPARSE_P_VISIBLE_OF, SPARSE_P_VALUES_##value)
#define SPARSE_P_ELEMENT_1(value)   SPARSE_P_WAY_HAS(SPARSE_P_ELEMENT_OF, SPARSE_P_VALUES_##value)
#define SPARSE_P_HAS_ARRAY_1(value) SPARSE_P_WAY_HAS(SPARSE_P_HAS_ARRAY_OF, SPARSE_P_VALUES_##value)
#define SPARSE_P_LOAD_1(value, x)   SPARSE_P_WAY_HAS(SPARSE_P_LOAD_OF, SPARSE_P_VALUES_##value)(x)
#define SPARSE_P_DECODE_1(value, x) SPARSE_P_WAY_HAS(SPARSE_P_DECODE_OF, SPARSE_P_VALUES_##value)(x)
#define SPARSE_P_ENCODE_1(value, x) SPARSE_P_WAY_HAS(SPARSE_P_ENCODE_OF, SPARSE_P_VALUES_##value)(x)
#define SPARSE_P_WAY_HAS(what, way) what way

#define SPARSE_P_VISIBLE_OF(visible, element, array, load, decode, encode)   visible
#define SPARSE_P_ELEMENT_OF(visible, element, array, load, decode, encode)   element
#define SPARSE_P_HAS_ARRAY_OF(visible, element, array, load, decode, encode) array
#define SPARSE_P_LOAD_OF(visible, element, array, load, decode, encode)      load
#define SPARSE_P_DECODE_OF(visible, element, array, load, decode, encode)    decode
#define SPARSE_P_ENCODE_OF(visible, element, array, load, decode, encode)    encode
/* VALUES_word: how kernels treat a value type that begins with the word, as (VISIBLE, ELEMENT, HAS_ARRAY, LOAD, DECODE,
   ENCODE), which are described above. To add a type, add a row. If the kit should also read, print and add its values, it
   needs an enumerator of sparse_kind; `grep -i bf16` finds every place that must know it. */
#define SPARSE_P_VALUES_sparse_f16                                                                           \
    (float, sparse_f16, 1, sparse_float_of_f16, sparse_float_of_f16, sparse_f16_of_float)
#define SPARSE_P_VALUES_sparse_bf16                                                                          \
    (float, sparse_bf16, 1, sparse_float_of_bf16, sparse_float_of_bf16, sparse_bf16_of_float)
#define SPARSE_P_VALUES_constant(type, value) (type, type, 0, (type)(value) SPARSE_P_NOTHING, , )
#define SPARSE_P_NOTHING(x)
/* SPARSE_INIT(type): the initialiser of an empty tensor of a storage type. */
#define SPARSE_INIT(type) {{&type##_encoding, NULL, {0}, {0}, {{NULL, 0, 0}}, {{NULL, 0, 0}}, {NULL, 0, 0}}}

/* SPARSE_WIDTH(bits): the width itself; for 0 the native width, 64 on a 64-bit machine. */
#define SPARSE_WIDTH(bits) ((bits) != 0 ? (bits) : (int)(sizeof(size_t) * CHAR_BIT))
/* LEVEL_FIELDS(m, (i, j), (compressed(nonunique), i)) -> m(SPARSE_COMPRESSED, 0 | SPARSE_NONUNIQUE, map, ...): the fields of
   a sparse_level in order. LEVEL_DATA(dims, level) -> , {fields} */
#define SPARSE_P_LEVEL_DATA(dims, x) SPARSE_P_LEVEL_FIELDS(SPARSE_P_IN_BRACES, dims, x)
#define SPARSE_P_IN_BRACES(...) , {__VA_ARGS__}
#define SPARSE_P_LEVEL_FIELDS(m, dims, x) SPARSE_P_LEVEL_FIELDS_(m, dims, SPARSE_P_ID x)
#define SPARSE_P_LEVEL_FIELDS_(...) SPARSE_P_LEVEL_FIELDS__(__VA_ARGS__)
#define SPARSE_P_LEVEL_FIELDS__(m, dims, format, d)                                                          \
    SPARSE_P_LEVEL_FIELDS3(m, dims, SPARSE_P_BY_PAREN(SPARSE_P_FORMAT_, SPARSE_P_BARE_##format)(format), \
                           SPARSE_P_BY_PAREN(SPARSE_P_MAP_, SPARSE_P_BARE_##d)(d))
#define SPARSE_P_LEVEL_FIELDS3(...) SPARSE_P_LEVEL_FIELDS4(__VA_ARGS__)
#define SPARSE_P_LEVEL_FIELDS4(with, dims, format, properties, n, m, map, d, c)                              \
    with(format, properties, map, SPARSE_P_POS(d, dims) - 1, c, n, m)
#define SPARSE_P_FORMAT_0(format) SPARSE_P_FORMAT_IS_##format, 0, 0, 0
#define SPARSE_P_FORMAT_1(format) SPARSE_P_FORMAT_OF_##format
#define SPARSE_P_PROPERTIES(...) 0 SPARSE_P_EACHH(SPARSE_P_PROPERTY, , (, __VA_ARGS__))
#define SPARSE_P_PROPERTY(c, p) | SPARSE_P_PROPERTY_##p
#define SPARSE_P_PROPERTY_nonunique  SPARSE_NONUNIQUE
#define SPARSE_P_PROPERTY_nonordered SPARSE_NONORDERED
#define SPARSE_P_PROPERTY_soa        SPARSE_SOA
#define SPARSE_P_MAP_0(d) SPARSE_MAP_DIM, d, 0
#define SPARSE_P_MAP_1(d) SPARSE_P_MAP_OF_##d
#define SPARSE_P_MAP_OF_floordiv(d, c) SPARSE_MAP_FLOORDIV, d, c
#define SPARSE_P_MAP_OF_mod(d, c)      SPARSE_MAP_MOD, d, c
#define SPARSE_P_MAP_OF_count(d, c)    SPARSE_MAP_COUNT, d, c
#define SPARSE_P_MAP_OF_minus(d, i)    SPARSE_MAP_MINUS, d, 0
/* expressions that take arguments */
#define SPARSE_P_BARE_floordiv
#define SPARSE_P_BARE_mod
#define SPARSE_P_BARE_count
#define SPARSE_P_BARE_minus

/* SPARSE_KIND(type): the sparse_kind of a C type, a constant expression. SPARSE_P_KIND_OF_VALUE(x): the kind of an
   expression's type. */
/* Computed without ?:, which coverage tools would count as a hundred branches in each function with SPARSE_ARRAY. */
#define SPARSE_P_INTEGER_KIND(type)                                                                          \
    ((sparse_kind)(SPARSE_I8 + ((type)-1 > (type)1) * (SPARSE_U8 - SPARSE_I8) + (sizeof(type) > 1) +         \
                   (sizeof(type) > 2) + (sizeof(type) > 4)))
/* a 4-byte double, as on an AVR, counts as a float */
#define SPARSE_P_IS_WIDE             (sizeof(double) > sizeof(float))
#define SPARSE_P_DOUBLE_KIND         ((sparse_kind)(SPARSE_F32 + SPARSE_P_IS_WIDE * (SPARSE_F64 - SPARSE_F32)))
#define SPARSE_P_DOUBLE_COMPLEX_KIND ((sparse_kind)(SPARSE_C64 + SPARSE_P_IS_WIDE * (SPARSE_C128 - SPARSE_C64)))
#ifdef __cplusplus
template <class T> struct sparse_p_kind { static const sparse_kind is = SPARSE_OPAQUE; };
    #define SPARSE_P_KIND_OF(type, kind) \
        template <> struct sparse_p_kind<type> { static const sparse_kind is = kind; };
    #define SPARSE_P_KIND_OF_INTEGER(type) SPARSE_P_KIND_OF(type, SPARSE_P_INTEGER_KIND(type))
SPARSE_P_KIND_OF_INTEGER(char)
SPARSE_P_KIND_OF_INTEGER(signed char)
SPARSE_P_KIND_OF_INTEGER(unsigned char)
SPARSE_P_KIND_OF_INTEGER(short)
SPARSE_P_KIND_OF_INTEGER(unsigned short)
SPARSE_P_KIND_OF_INTEGER(int)
SPARSE_P_KIND_OF_INTEGER(unsigned)
SPARSE_P_KIND_OF_INTEGER(long)
SPARSE_P_KIND_OF_INTEGER(unsigned long)
SPARSE_P_KIND_OF_INTEGER(long long)
SPARSE_P_KIND_OF_INTEGER(unsigned long long)
SPARSE_P_KIND_OF(float, SPARSE_F32)
SPARSE_P_KIND_OF(double, SPARSE_P_DOUBLE_KIND)
SPARSE_P_KIND_OF(sparse_complex64, SPARSE_C64)
SPARSE_P_KIND_OF(sparse_complex128, SPARSE_P_DOUBLE_COMPLEX_KIND)
SPARSE_P_KIND_OF(sparse_f16, SPARSE_F16)
SPARSE_P_KIND_OF(sparse_bf16, SPARSE_BF16)
    #define SPARSE_KIND(type) sparse_p_kind<type>::is
#else
    #define SPARSE_P_KIND_OF(type) type: SPARSE_P_INTEGER_KIND(type)
    #define SPARSE_KIND(type) SPARSE_P_KIND_OF_VALUE(*(type *)NULL)
    #define SPARSE_P_KIND_OF_VALUE(x)                                                                        \
        _Generic((x), SPARSE_P_KIND_OF(char), SPARSE_P_KIND_OF(signed char),                       \
                 SPARSE_P_KIND_OF(unsigned char), SPARSE_P_KIND_OF(short), SPARSE_P_KIND_OF(unsigned short), \
                 SPARSE_P_KIND_OF(int), SPARSE_P_KIND_OF(unsigned), SPARSE_P_KIND_OF(long),                  \
                 SPARSE_P_KIND_OF(unsigned long), SPARSE_P_KIND_OF(long long),                               \
                 SPARSE_P_KIND_OF(unsigned long long), float: SPARSE_F32, double: SPARSE_P_DOUBLE_KIND,      \
                 sparse_complex64: SPARSE_C64, sparse_complex128: SPARSE_P_DOUBLE_COMPLEX_KIND, sparse_f16: SPARSE_F16,     \
                 sparse_bf16: SPARSE_BF16, default: SPARSE_OPAQUE)
#endif

/* Named encodings (documents 002 and 003). To add one, add a line here and to SPARSE_ENCODINGS. */
#define SPARSE_DENSE_1D     ((i), (dense, i))
#define SPARSE_DENSE_2D     ((i, j), (dense, i), (dense, j))
#define SPARSE_DENSE_3D     ((i, j, k), (dense, i), (dense, j), (dense, k))
#define SPARSE_DENSE_4D     ((i, j, k, l), (dense, i), (dense, j), (dense, k), (dense, l))
#define SPARSE_COLUMN_MAJOR ((i, j), (dense, j), (dense, i))
#define SPARSE_VECTOR       ((i), (compressed, i))
#define SPARSE_CSR          ((i, j), (dense, i), (compressed, j))
#define SPARSE_CSC          ((i, j), (dense, j), (compressed, i))
#define SPARSE_DCSR         ((i, j), (compressed, i), (compressed, j))
#define SPARSE_DCSC         ((i, j), (compressed, j), (compressed, i))
#define SPARSE_CD           ((i, j), (compressed, i), (dense, j))
#define SPARSE_CSF_3D       ((i, j, k), (compressed, i), (compressed, j), (compressed, k))
#define SPARSE_CSF_4D       ((i, j, k, l), (compressed, i), (compressed, j), (compressed, k), (compressed, l))
#define SPARSE_COO          ((i, j), (compressed(nonunique), i), (singleton, j))
#define SPARSE_COO_SOA      ((i, j), (compressed(nonunique), i), (singleton(soa), j))
#define SPARSE_COO_3D       ((i, j, k), (compressed(nonunique), i), (singleton(nonunique), j), (singleton, k))
#define SPARSE_COO_SOA_3D                                                                                    \
    ((i, j, k), (compressed(nonunique), i), (singleton(nonunique, soa), j), (singleton(soa), k))
#define SPARSE_COO_4D                                                                                        \
    ((i, j, k, l), (compressed(nonunique), i), (singleton(nonunique), j), (singleton(nonunique), k),         \
     (singleton, l))
/* Encodings of any rank, from the letters of the dimensions: SPARSE_CSF_ND(i, j, k) is SPARSE_CSF_3D. */
#define SPARSE_DENSE_ND(...)        ((__VA_ARGS__)SPARSE_P_EACHG(SPARSE_P_ND_LEVEL, dense, (, __VA_ARGS__)))
#define SPARSE_COLUMN_MAJOR_ND(...) ((__VA_ARGS__)SPARSE_P_ND(SPARSE_P_ND_BACK_, __VA_ARGS__)(dense, __VA_ARGS__))
#define SPARSE_CSF_ND(...)          ((__VA_ARGS__)SPARSE_P_EACHG(SPARSE_P_ND_LEVEL, compressed, (, __VA_ARGS__)))
#define SPARSE_COO_ND(...)                                                                                   \
    ((__VA_ARGS__)SPARSE_P_ND(SPARSE_P_ND_COO_, __VA_ARGS__)(singleton(nonunique), singleton, __VA_ARGS__))
#define SPARSE_COO_SOA_ND(...)                                                                               \
    ((__VA_ARGS__)SPARSE_P_ND(SPARSE_P_ND_COO_, __VA_ARGS__)(singleton(nonunique, soa), singleton(soa), __VA_ARGS__))
/* ND(name_, i, j) -> name_2 */
#define SPARSE_P_ND(name, ...)      SPARSE_P_CAT(name, SPARSE_P_COUNT(~, __VA_ARGS__))
#define SPARSE_P_ND_LEVEL(format, i) , (format, i)
#define SPARSE_P_ND_BACK_1(f, a)                      , (f, a)
#define SPARSE_P_ND_BACK_2(f, a, b)                   , (f, b), (f, a)
#define SPARSE_P_ND_BACK_3(f, a, b, c)                , (f, c), (f, b), (f, a)
#define SPARSE_P_ND_BACK_4(f, a, b, c, d)             , (f, d), (f, c), (f, b), (f, a)
#define SPARSE_P_ND_BACK_5(f, a, b, c, d, e)          , (f, e), (f, d), (f, c), (f, b), (f, a)
#define SPARSE_P_ND_BACK_6(f, a, b, c, d, e, g)       , (f, g), (f, e), (f, d), (f, c), (f, b), (f, a)
#define SPARSE_P_ND_BACK_7(f, a, b, c, d, e, g, h)    , (f, h), (f, g), (f, e), (f, d), (f, c), (f, b), (f, a)
#define SPARSE_P_ND_BACK_8(f, a, b, c, d, e, g, h, i) , (f, i), (f, h), (f, g), (f, e), (f, d), (f, c), (f, b), (f, a)
#define SPARSE_P_ND_COO_1(more, last, a)                      , (compressed, a)
#define SPARSE_P_ND_COO_2(more, last, a, b)                   , (compressed(nonunique), a), (last, b)
#define SPARSE_P_ND_COO_3(more, last, a, b, c)                SPARSE_P_ND_COO_2(more, more, a, b), (last, c)
#define SPARSE_P_ND_COO_4(more, last, a, b, c, d)             SPARSE_P_ND_COO_3(more, more, a, b, c), (last, d)
#define SPARSE_P_ND_COO_5(more, last, a, b, c, d, e)          SPARSE_P_ND_COO_4(more, more, a, b, c, d), (last, e)
#define SPARSE_P_ND_COO_6(more, last, a, b, c, d, e, f)       SPARSE_P_ND_COO_5(more, more, a, b, c, d, e), (last, f)
#define SPARSE_P_ND_COO_7(more, last, a, b, c, d, e, f, g)                                                   \
    SPARSE_P_ND_COO_6(more, more, a, b, c, d, e, f), (last, g)
#define SPARSE_P_ND_COO_8(more, last, a, b, c, d, e, f, g, h)                                                \
    SPARSE_P_ND_COO_7(more, more, a, b, c, d, e, f, g), (last, h)
#define SPARSE_MODE_GENERIC_3D ((i, j, k), (compressed, i), (compressed, j), (dense, k))
#define SPARSE_HICOO_3D(b)                                                                                   \
    ((i, j, k), (compressed, floordiv(i, b)), (compressed, floordiv(j, b)), (compressed, floordiv(k, b)),    \
     (compressed(nonunique), mod(i, b)), (singleton(nonunique), mod(j, b)), (singleton, mod(k, b)))
#define SPARSE_CSB(b) /* a grid of b x b blocks that suits caches; b = 65536 needs 16-bit coordinates */ \
    ((i, j), (dense, floordiv(i, b)), (dense, floordiv(j, b)),                                               \
     (compressed(nonunique, nonordered), mod(i, b)), (singleton(soa, nonordered), mod(j, b)))
#define SPARSE_BSR(r, c)                                                                                     \
    ((i, j), (dense, floordiv(i, r)), (compressed, floordiv(j, c)), (dense, mod(i, r)), (dense, mod(j, c)))
#define SPARSE_BSR_INNER_COLUMNS(r, c) /* blocks by rows; the values of a block by columns */ \
    ((i, j), (dense, floordiv(i, r)), (compressed, floordiv(j, c)), (dense, mod(j, c)), (dense, mod(i, r)))
#define SPARSE_BSC(r, c)                                                                                     \
    ((i, j), (dense, floordiv(j, c)), (compressed, floordiv(i, r)), (dense, mod(j, c)), (dense, mod(i, r)))
#define SPARSE_BSC_INNER_ROWS(r, c) /* blocks by columns; the values of a block by rows */ \
    ((i, j), (dense, floordiv(j, c)), (compressed, floordiv(i, r)), (dense, mod(i, r)), (dense, mod(j, c)))
#define SPARSE_N_OF_M(n, m)    ((i, j), (dense, i), (dense, floordiv(j, m)), (structured(n, m), mod(j, m)))
#define SPARSE_PACKED_N_OF_M(n, m) /* SPARSE_N_OF_M with indices of as few bits as possible */ \
    ((i, j), (dense, i), (dense, floordiv(j, m)), (packed(n, m), mod(j, m)))
#define SPARSE_DIA             ((i, j), (compressed, minus(j, i)), (dense, i))
#define SPARSE_DIA_BLOCKS(b) /* blocks of b rows, each with its own diagonals, one block after the other in memory */ \
    ((i, j), (dense, floordiv(i, b)), (compressed, minus(j, i)), (dense, mod(i, b)))
#define SPARSE_ELL(slices)     ((i, j), (dense, count(i, slices)), (dense, i), (compressed, j))
#define SPARSE_JAGGED(slices)  ((i, j), (dense, count(i, slices)), (compressed, i), (singleton, j))
#define SPARSE_BITMAP_VECTOR   ((i), (bitmap, i))
#define SPARSE_BITMAP_ROWS     ((i, j), (dense, i), (bitmap, j))
#define SPARSE_BITMASK_VECTOR  ((i), (bitmask, i)) /* values only where bits are set */
#define SPARSE_BITMASK_ROWS    ((i, j), (dense, i), (bitmask, j))

/* CSR that stores distances between columns, in `bits` bits each */
#define SPARSE_CSR_DELTA(bits) ((i, j), (dense, i), (delta(bits), j))

#define SPARSE_BATCHED_CSR     ((b, i, j), (batch, b), (dense, i), (compressed, j))
#define SPARSE_BATCHED_COO     ((b, i, j), (batch, b), (compressed(nonunique), i), (singleton, j))
/* SPARSE_ENCODINGS(X): a row X(name, encoding) for each named encoding. In the name, which sparse_gen.c uses, # stands
   for a size; in the encoding, a capital letter does. An encoding of any rank has a row for each rank with a name of its
   own. */
#define SPARSE_ENCODINGS(X)                                                                                  \
    X("vec", SPARSE_DENSE_1D) X("mat", SPARSE_DENSE_2D) X("cube", SPARSE_DENSE_3D) X("dense4", SPARSE_DENSE_4D) \
    X("dense5", SPARSE_DENSE_ND(i, j, k, l, m)) X("dense6", SPARSE_DENSE_ND(i, j, k, l, m, n))               \
    X("dense7", SPARSE_DENSE_ND(i, j, k, l, m, n, o)) X("dense8", SPARSE_DENSE_ND(i, j, k, l, m, n, o, p))   \
    X("colmajor", SPARSE_COLUMN_MAJOR) X("colmajor3", SPARSE_COLUMN_MAJOR_ND(i, j, k))                       \
    X("colmajor4", SPARSE_COLUMN_MAJOR_ND(i, j, k, l)) X("svec", SPARSE_VECTOR)                              \
    X("csr", SPARSE_CSR) X("csc", SPARSE_CSC) X("dcsr", SPARSE_DCSR) X("dcsc", SPARSE_DCSC) X("cd", SPARSE_CD) \
    X("csf", SPARSE_CSF_3D) X("csf4", SPARSE_CSF_4D) X("csf5", SPARSE_CSF_ND(i, j, k, l, m))                 \
    X("csf6", SPARSE_CSF_ND(i, j, k, l, m, n)) X("csf7", SPARSE_CSF_ND(i, j, k, l, m, n, o))                 \
    X("csf8", SPARSE_CSF_ND(i, j, k, l, m, n, o, p))                                                         \
    X("coo", SPARSE_COO) X("coo3", SPARSE_COO_3D) X("coo4", SPARSE_COO_4D)                                   \
    X("coo5", SPARSE_COO_ND(i, j, k, l, m)) X("coo6", SPARSE_COO_ND(i, j, k, l, m, n))                       \
    X("coo7", SPARSE_COO_ND(i, j, k, l, m, n, o)) X("coo8", SPARSE_COO_ND(i, j, k, l, m, n, o, p))           \
    X("coosoa", SPARSE_COO_SOA) X("coosoa3", SPARSE_COO_SOA_3D) X("coosoa4", SPARSE_COO_SOA_ND(i, j, k, l))  \
    X("mode_generic", SPARSE_MODE_GENERIC_3D) X("hicoo#", SPARSE_HICOO_3D(B)) X("csb#", SPARSE_CSB(B))       \
    X("bsr#x#", SPARSE_BSR(R, C)) X("bsr_inner_columns#x#", SPARSE_BSR_INNER_COLUMNS(R, C))                  \
    X("bsc#x#", SPARSE_BSC(R, C)) X("bsc_inner_rows#x#", SPARSE_BSC_INNER_ROWS(R, C))                        \
    X("n#of#", SPARSE_N_OF_M(N, M)) X("packed#of#", SPARSE_PACKED_N_OF_M(N, M)) X("dia", SPARSE_DIA)         \
    X("dia#", SPARSE_DIA_BLOCKS(B)) X("ell#", SPARSE_ELL(S)) \
    X("jagged#", SPARSE_JAGGED(S))                                                                           \
    X("bitvec", SPARSE_BITMAP_VECTOR) X("bitrows", SPARSE_BITMAP_ROWS)                                       \
    X("bitmaskvec", SPARSE_BITMASK_VECTOR) X("bitmaskrows", SPARSE_BITMASK_ROWS) X("csr_delta#", SPARSE_CSR_DELTA(B)) \
    X("batched_csr", SPARSE_BATCHED_CSR) X("batched_coo", SPARSE_BATCHED_COO)

/* clang-format on */

/* >>storage
   A tensor. A tensor that is zeroed or initialised with SPARSE_INIT is empty and may be freed; sparse_free may be called
   any number of times. Elements of pos are unsigned integers of encoding->pos_bits bits, elements of crd of
   encoding->crd_bits bits. All lengths count elements. A level that does not use an array leaves it empty.
   AoS singletons share the interleaved crd of the compressed level above the first of them. Below batch levels, every
   array has one part for each batch, one after the other, all as long as the longest. If the encoding has a constant for
   all values, val has a length but no array. */
typedef struct sparse_tensor {
    const sparse_encoding *encoding;      /* change it only after sparse_free, because it describes the existing arrays */
    const sparse_hooks *hooks;            /* null: malloc, realloc and free */
    size_t dim[SPARSE_MAX_RANK];          /* sizes of the dimensions */
    size_t lvl[SPARSE_MAX_LEVELS];        /* sizes of the levels */
    sparse_buffer pos[SPARSE_MAX_LEVELS]; /* positions of compressed levels */
    sparse_buffer crd[SPARSE_MAX_LEVELS]; /* coordinates of sparse levels */
    sparse_buffer val;                    /* values; length = number of stored values */
} sparse_tensor;

/* Accessors for kernels. They are functions because a program may define a macro with the name of a member. Levels count
   from 1. */
SPARSE_P_INLINE size_t sparse_p_lvl_of(const void *tensor, unsigned level)
{
    return ((const sparse_tensor *)tensor)->lvl[level - 1];
}
SPARSE_P_INLINE void *sparse_p_pos_of(const void *tensor, unsigned level)
{
    return ((const sparse_tensor *)tensor)->pos[level - 1].at;
}
SPARSE_P_INLINE void *sparse_p_crd_of(const void *tensor, unsigned level)
{
    return ((const sparse_tensor *)tensor)->crd[level - 1].at;
}
SPARSE_P_INLINE void *sparse_p_val_of(const void *tensor) { return ((const sparse_tensor *)tensor)->val.at; }
SPARSE_P_INLINE size_t sparse_p_dim_of(const sparse_encoding *e, unsigned level) { return e->level[level - 1].dim; }
SPARSE_P_INLINE void *sparse_p_memory_of(const sparse_buffer *buffer) { return buffer->at; }

/* >>numbers
   Sizes, and the elements of position and coordinate arrays. */

/* True if size > bound. The bound may exceed size_t, which has 16 bits on small controllers; a function avoids the
   compiler's warning about that. */
SPARSE_P_INLINE bool sparse_p_above(uint64_t size, uint64_t bound) { return size > bound; }

/* Sets *product = a * b and returns true; returns false if size_t cannot hold the product. */
static inline bool sparse_p_mul(size_t *product, size_t a, size_t b)
{
    if (b != 0 && a > SIZE_MAX / b) return false;
    *product = a * b;
    return true;
}

/* Sets *sum = a + b and returns true; returns false if size_t cannot hold the sum. */
static inline bool sparse_p_add(size_t *sum, size_t a, size_t b)
{
    if (a > SIZE_MAX - b) return false;
    *sum = a + b;
    return true;
}

SPARSE_P_INLINE size_t sparse_p_min(size_t a, size_t b) { return a < b ? a : b; }
SPARSE_P_INLINE size_t sparse_p_max(size_t a, size_t b) { return a > b ? a : b; }

/* The largest number of `bits` bits, for bits from 1 to 64. */
static inline uint64_t sparse_p_largest(unsigned bits) { return bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX; }

/* The number of bits that a number needs: 0 -> 0, 255 -> 8, 256 -> 9. */
static inline unsigned sparse_p_width(uint64_t number)
{
    unsigned bits = 0;
    for (; number != 0; number >>= 1) bits++;
    return bits;
}

/* The number of the lowest bit of `bits`, which is not 0. */
SPARSE_P_INLINE unsigned sparse_p_first_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(bits);
#else
    unsigned n = 0;
    for (; !(bits & 1); bits >>= 1) n++;
    return n;
#endif
}

/* Returns the number of the lowest bit that is set in a word of `bits` bits. The word must not be 0. If it fits into an
   unsigned int, this is one instruction. */
SPARSE_P_INLINE unsigned sparse_p_first_in(uint64_t word, unsigned bits)
{
#if defined(__GNUC__)
    if (bits <= 8 * sizeof(unsigned)) return (unsigned)__builtin_ctz((unsigned)word);
#endif
    (void)bits;
    return sparse_p_first_bit(word);
}

/* Returns how many of `bits` are set: counts them in pairs, in groups of four and eight, then in all. gcc recognises
   this form, and uses the instruction of the processor if there is one. Without one, gcc's builtin would call a
   function. */
SPARSE_P_INLINE unsigned sparse_p_bits_set(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/* Returns array[p] in full, for an array of unsigned integers of `bits` bits. */
SPARSE_P_INLINE uint64_t sparse_p_load(const void *array, unsigned bits, size_t p)
{
    switch (bits) {
    case 8:
        return ((const uint8_t *)array)[p];
    case 16:
        return ((const uint16_t *)array)[p];
    case 32:
        return ((const uint32_t *)array)[p];
    default:
        return ((const uint64_t *)array)[p];
    }
}

/* Returns array[p], for an array of unsigned integers of `bits` bits: 8, 16, 32 or 64. If size_t is narrower,
   sparse_validate has checked that the number fits. */
SPARSE_P_INLINE size_t sparse_load(const void *array, unsigned bits, size_t p)
{
    return (size_t)sparse_p_load(array, bits, p);
}

/* Returns the coordinate of position p, crd[p * stride], for an array of numbers of `bytes` bytes. */
SPARSE_P_INLINE size_t sparse_p_stored(const void *crd, size_t bytes, size_t stride, size_t p)
{
    return sparse_load(crd, (unsigned)bytes * 8, p * stride);
}

/* The search that all levels use. Among positions [p, end) with ascending coordinates, returns the first with coordinate
   + pad >= at; end if there is none. Gallops: it makes one comparison if the result is p, else O(log of the distance). */
SPARSE_P_INLINE size_t sparse_p_gallop(const void *crd, size_t bytes, size_t stride, size_t p, size_t end, size_t pad,
                                       size_t at)
{
    if (p >= end || sparse_p_stored(crd, bytes, stride, p) + pad >= at) return p;
    size_t low = p, step = 1; /* the coordinate at low is less than at, */
    for (; step < end - low && sparse_p_stored(crd, bytes, stride, low + step) + pad < at; step += step) low += step;
    size_t high = step < end - low ? low + step : end; /* the one at high is not */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (sparse_p_stored(crd, bytes, stride, middle) + pad < at)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Calls `function`, whose last parameter is a width, with `bits` as a constant, so that the compiler makes a loop for
   each width. Outside of loops, no other code distinguishes widths. */
#define SPARSE_P_BY_WIDTH(bits, function, ...)                                                                              \
    switch (bits) {                                                                                                         \
    case 8:                                                                                                                 \
        function(__VA_ARGS__, 8);                                                                                           \
        break;                                                                                                              \
    case 16:                                                                                                                \
        function(__VA_ARGS__, 16);                                                                                          \
        break;                                                                                                              \
    case 32:                                                                                                                \
        function(__VA_ARGS__, 32);                                                                                          \
        break;                                                                                                              \
    default:                                                                                                                \
        function(__VA_ARGS__, 64);                                                                                          \
        break;                                                                                                              \
    }

/* to[k] = array[at[k] * stride]. */
SPARSE_P_INLINE void sparse_p_gather(size_t *to, const void *array, size_t stride, const size_t *at, size_t count,
                                     unsigned bits)
{
    for (size_t k = 0; k < count; k++) to[k] = sparse_load(array, bits, at[k] * stride);
}

/* Sets array[p] to the lowest `bits` bits of number: 8, 16, 32 or 64. */
SPARSE_P_INLINE void sparse_p_save(void *array, unsigned bits, size_t p, uint64_t number)
{
    switch (bits) {
    case 8:
        ((uint8_t *)array)[p] = (uint8_t)number;
        break;
    case 16:
        ((uint16_t *)array)[p] = (uint16_t)number;
        break;
    case 32:
        ((uint32_t *)array)[p] = (uint32_t)number;
        break;
    default:
        ((uint64_t *)array)[p] = number;
        break;
    }
}

/* array[at[k] * stride] = from[k]. */
SPARSE_P_INLINE void sparse_p_scatter_to(void *array, size_t stride, const size_t *at, const size_t *from, size_t count,
                                         unsigned bits)
{
    for (size_t k = 0; k < count; k++) sparse_p_save(array, bits, at[k] * stride, from[k]);
}

/* Sets array[p] = number, which must fit into `bits` bits: 8, 16, 32 or 64. */
SPARSE_P_INLINE void sparse_store(void *array, unsigned bits, size_t p, size_t number)
{
    sparse_p_save(array, bits, p, number);
}

#if SPARSE_P_DEFINED
/* sparse_store as one call instead of a branch for each width. Use it outside of loops over entries. */
SPARSE_P_OUTLINE void sparse_p_put_number(void *array, unsigned bits, size_t p, size_t number)
{
    sparse_store(array, bits, p, number);
}
#endif

/* Conversion between 16-bit floating-point numbers and float. */

/* clang converts its type __fp16 with an instruction, also in vectors. gcc 12 does not, so its loops over dense arrays
   would be slower than with the code below. */
#if defined(__clang__) && (defined(__F16C__) || defined(__aarch64__))
    #define SPARSE_P_HAS_FP16 1
#else
    #define SPARSE_P_HAS_FP16 0
#endif

/* Converts to float, without rounding. */
static inline float sparse_float_of_f16(sparse_f16 number)
{
#if SPARSE_P_HAS_FP16
    __fp16 half;
    memcpy(&half, &number.bits, sizeof half);
    return (float)half;
#else
    const uint32_t sign = (uint32_t)(number.bits >> 15) << 31;
    uint32_t bits = (uint32_t)(number.bits & 0x7FFFu) << 13;
    /* both cases are selected without a branch */
    const bool tiny = bits < UINT32_C(1) << 23, special = bits >= UINT32_C(31) << 23;
    float value;
    bits += (tiny ? UINT32_C(113) : special ? UINT32_C(224) : UINT32_C(112)) << 23;
    memcpy(&value, &bits, sizeof value);
    value -= tiny ? 6.103515625e-5F : 0; /* subtracts the 2^-14 that was added to the fraction */
    memcpy(&bits, &value, sizeof bits);
    bits |= sign;
    memcpy(&value, &bits, sizeof value);
    return value;
#endif
}

/* Returns the nearest number, ties to even. */
static inline sparse_f16 sparse_f16_of_float(float value)
{
    sparse_f16 number;
#if SPARSE_P_HAS_FP16
    const __fp16 nearest = (__fp16)value;
    memcpy(&number.bits, &nearest, sizeof nearest);
#else
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t size = bits & 0x7FFFFFFFu, exponent = size >> 23, shift = 126 - exponent;
    uint32_t half = 0;
    if (size > 0x7F800000u)
        half = 0x7E00u | (size >> 13 & 0x1FFu);
    else if (size >= 0x477FF000u) /* rounds to 2^16 or more: infinity */
        half = 0x7C00u;
    else if (exponent >= 113)
        half = (size - (UINT32_C(112) << 23) + 0xFFFu + (size >> 13 & 1)) >> 13;
    else if (exponent >= 102) { /* subnormal: a multiple of 2^-24 */
        const uint32_t digits = (size & 0x7FFFFFu) | 0x800000u, rest = digits & ((UINT32_C(1) << shift) - 1);
        const uint32_t middle = UINT32_C(1) << (shift - 1);
        half = digits >> shift;
        half += rest > middle || (rest == middle && (half & 1));
    }
    number.bits = (uint16_t)((bits >> 16 & 0x8000u) | half);
#endif
    return number;
}

static inline float sparse_float_of_bf16(sparse_bf16 number)
{
    const uint32_t bits = (uint32_t)number.bits << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline sparse_bf16 sparse_bf16_of_float(float value)
{
    uint32_t bits;
    sparse_bf16 number;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u)
        bits |= 0x400000u; /* a quiet NaN */
    else
        bits += 0x7FFFu + (bits >> 16 & 1);
    number.bits = (uint16_t)(bits >> 16);
    return number;
}

/* Rescaling of integer sums to few bits, the last operation of a neural network layer with integer weights. A scale is a
   31-bit multiplier times 2^(shift - 31). TFLite and CMSIS-NN derive both from a scale between -1 and 1. */

/* number / 2^bits, rounded down. */
static inline int64_t sparse_p_shift_down(int64_t number, unsigned bits)
{
    return number < 0 ? ~(~number >> bits) : number >> bits;
}

/* Clamps a number to [least, most]. */
SPARSE_UNUSED static inline int32_t sparse_clamp(int32_t number, int32_t least, int32_t most)
{
    return number < least ? least : number > most ? most : number;
}

/* Clamps a number to the range of int8_t. */
SPARSE_UNUSED static inline int8_t sparse_saturate_8(int32_t number)
{
    return (int8_t)sparse_clamp(number, INT8_MIN, INT8_MAX);
}

/* Clamps a number to the range of int16_t. */
SPARSE_UNUSED static inline int16_t sparse_saturate_16(int32_t number)
{
    return (int16_t)sparse_clamp(number, INT16_MIN, INT16_MAX);
}

/* Returns sum * multiplier * 2^(shift - 31), for shift from -31 to 30. The product is first rounded to 32 bits. If shift
   < 0, it is then rounded to the result, halves away from zero. Returns the same bits as MultiplyByQuantizedMultiplier of
   TFLite and arm_nn_requantize of CMSIS-NN with their defaults, if the multiplier is not negative. As there, sum *
   2^shift must fit in 32 bits. */
SPARSE_UNUSED static inline int32_t sparse_requantize(int32_t sum, int32_t multiplier, int32_t shift)
{
    const unsigned left = shift > 0 ? (unsigned)shift : 0, right = shift < 0 ? (unsigned)-shift : 0;
    const int32_t shifted = (int32_t)((uint32_t)sum << left);
    const int32_t high = (int32_t)sparse_p_shift_down((int64_t)shifted * multiplier + ((int64_t)1 << 30), 31);
    const uint32_t mask = (UINT32_C(1) << right) - 1, rest = (uint32_t)high & mask;
    return (int32_t)sparse_p_shift_down(high, right) + (rest > (mask >> 1) + (high < 0));
}

/* sparse_requantize with a single rounding, halves up, as TFLite does with TFLITE_SINGLE_ROUNDING and CMSIS-NN with
   CMSIS_NN_USE_SINGLE_ROUNDING. */
SPARSE_UNUSED static inline int32_t sparse_requantize_once(int32_t sum, int32_t multiplier, int32_t shift)
{
    const unsigned bits = (unsigned)(31 - shift);
    return (int32_t)sparse_p_shift_down((int64_t)sum * multiplier + ((int64_t)1 << (bits - 1)), bits);
}

/* sparse_requantize for a sum of at most 48 bits, from 16-bit values and 8-bit weights. Uses the upper 16 bits of the
   multiplier and rounds once, as the 64-bit MultiplyByQuantizedMultiplier of TFLite and arm_nn_requantize_s64 of CMSIS-NN
   do. shift is at most 14. */
SPARSE_UNUSED static inline int32_t sparse_requantize_64(int64_t sum, int32_t multiplier, int32_t shift)
{
    const int32_t upper = multiplier < 0x7FFF0000 ? (int32_t)sparse_p_shift_down((int64_t)multiplier + 0x8000, 16) : 0x7FFF;
    const unsigned bits = (unsigned)(15 - shift);
    return (int32_t)sparse_p_shift_down(sum * upper + ((int64_t)1 << (bits - 1)), bits);
}

/* Converts a sum of products of Q15 numbers to Q15, 16-bit fixed point with 15 fractional bits. Truncates the lower bits
   and saturates, as arm_mult_q15 of CMSIS-DSP does with one product. */
SPARSE_UNUSED static inline int16_t sparse_q15_of_sum(int64_t sum)
{
    const int64_t number = sparse_p_shift_down(sum, 15);
    return (int16_t)(number < INT16_MIN ? INT16_MIN : number > INT16_MAX ? INT16_MAX : number);
}

/* >>rules
   Which encodings are valid (as SparseTensorEncodingAttr in MLIR's dialect defines it), which are equal, and how they map
   coordinates and sizes. */

/* The widths of positions and coordinates in bits. */
SPARSE_P_INLINE unsigned sparse_pos_bits(const sparse_encoding *e) { return (unsigned)SPARSE_WIDTH(e->pos_bits); }
SPARSE_P_INLINE unsigned sparse_crd_bits(const sparse_encoding *e) { return (unsigned)SPARSE_WIDTH(e->crd_bits); }

/* The bytes of one value in val: 0 if all values are the same constant. */
SPARSE_P_INLINE size_t sparse_p_stored_size(const sparse_encoding *e) { return e->constant ? 0 : e->value_size; }

/* The traits of a level type; 0 for an unknown type. */
SPARSE_P_INLINE unsigned sparse_p_traits(unsigned format)
{
#define SPARSE_P_LEVEL_ROW(NAME, name, traits) (traits),
    static const uint16_t of[] = {SPARSE_LEVELS(SPARSE_P_LEVEL_ROW)};
#undef SPARSE_P_LEVEL_ROW
    return format < SPARSE_P_FORMATS ? of[format] : 0u;
}

/* True if level l is a singleton in the interleaved crd of the level above. */
static inline bool sparse_p_is_aos(const sparse_encoding *e, unsigned l)
{
    return l < SPARSE_MAX_LEVELS && sparse_p_traits(e->level[l].type) & SPARSE_TRAIT_SHARED &&
           !(e->level[l].properties & SPARSE_SOA);
}

/* Returns a level that stores dimension d: dense, or else compressed. */
static inline sparse_level sparse_p_level_of(bool dense, unsigned d)
{
    const sparse_level v = {(uint8_t)(dense ? SPARSE_DENSE : SPARSE_COMPRESSED), 0, SPARSE_MAP_DIM, (uint8_t)d, 0, 0, 0};
    return v;
}

/* Gives e the levels of a matrix: CSR, or COO if `listed`. The first level stores dimension `outer`, 0 or 1: with 1 the
   matrix is stored by columns. */
static inline void sparse_p_set_row_levels(sparse_encoding *e, unsigned outer, bool listed)
{
    e->rank = e->levels = 2;
    e->level[0] = sparse_p_level_of(!listed, outer);
    e->level[1] = sparse_p_level_of(false, 1 - outer);
    if (!listed) return;
    e->level[0].properties = SPARSE_NONUNIQUE;
    e->level[1].type = SPARSE_SINGLETON;
}

/* Checks an encoding. If it is invalid, returns the rule that it breaks: E_RANK, E_WIDTH, E_VALUE_TYPE, E_MAP, E_INVERSE,
   E_PROPERTY, E_BATCH, E_SINGLETON, E_STRUCTURED, E_PACKED, E_ARGUMENT (unknown format). */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_encoding_check(const sparse_encoding *e);

/* True if two encodings describe the same storage. Their names do not matter. */
SPARSE_API bool sparse_same_encoding(const sparse_encoding *a, const sparse_encoding *b);

/* Computes lvl = map(dim), the level coordinates of dimension coordinates. Without sizes, a negative difference wraps
   modulo SIZE_MAX + 1, and a count is 0. This function and the next two are called in loops, so they check nothing, not
   even for null; sparse_crd_translate checks. */
SPARSE_API void sparse_dim_to_lvl(const sparse_encoding *e, const size_t *dim, size_t *lvl);

/* Computes dim = inverse map(lvl), the dimension coordinates of level coordinates. Differences wrap as above. */
SPARSE_API void sparse_lvl_to_dim(const sparse_encoding *e, const size_t *lvl, size_t *dim);

/* Computes lvl, the level sizes of a tensor with dimension sizes dim. E_COORDINATE_WIDTH if a level has coordinates that
   do not fit into crd_bits, E_OVERFLOW if it has more diagonals than size_t can number. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_level_sizes(const sparse_encoding *e, const size_t *dim, size_t *lvl);

/* >>arrays
   Memory of a tensor. These rules hold for every function, here and below, that builds a tensor:
     It frees the old contents of the tensor.
     If it builds from entries or other tensors, it reuses arrays that the tensor owns, if they are long enough and at most
     twice as long as needed.
     If it fails, the tensor is empty or unchanged, and keeps its encoding and hooks. No memory leaks. */

/* Frees the arrays that t owns, and clears its pointers to borrowed arrays and its sizes. Encoding and hooks stay. t may
   be null, empty, or freed before. */
SPARSE_API void sparse_free(sparse_tensor *t);

/* Frees the contents of t and sets its sizes to dim[0..rank), and the level sizes accordingly. Allocates no arrays. dim
   may be t->dim. Errors: as for sparse_encoding_check and sparse_level_sizes. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_resize_dims(sparse_tensor *t, const size_t *dim);

/* Returns the number of stored values of t, including zeros and the padding of blocks. With batches, each batch counts as
   many values as the fullest one. */
SPARSE_API size_t sparse_entries(const sparse_tensor *t);

/* Returns the memory of t in bytes: the used parts of its arrays, including borrowed ones. */
SPARSE_API size_t sparse_bytes(const sparse_tensor *t);

/* Sets all stored values of t to 0 and keeps the pattern. Does nothing if the type of t has a constant value. */
SPARSE_API void sparse_zero(sparse_tensor *t);

/* Makes t a tensor of sizes dim[0..rank) that is zero, or the fill value, everywhere. All its levels must be dense, else
   E_ENCODING. E_CONSTANT if its type has a constant value. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_allocate_dense(sparse_tensor *t, const size_t *dim);

/* Allocates arrays for an output in the arena of its hooks, with the lengths that a kernel has counted. They replace the
   arrays that t borrows; t must own none, else E_ARGUMENT. t borrows the new arrays too: they exist until
   sparse_arena_release. E_MEMORY: the arena has less than `result` bytes left, and t is empty. E_ARGUMENT: the hooks of t
   are not the hooks of an arena. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_arena_outputs(sparse_tensor *t);

/* dst = src: a deep copy, in memory from dst's hooks. dst must have the encoding of src, or none, in which case it gets
   it; else E_ENCODING. E_ALIAS if both are one tensor, or src borrows an array that dst owns. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_copy(sparse_tensor *dst, const sparse_tensor *src);

/* clang-format off */
/* >>levels
   A level maps each position of the level above, its parent, to a range of positions of its own, and each position to
   one coordinate. A level type is one row of SPARSE_LEVELS and one room below, `>>level name`, which opens with a
   matrix and its arrays. The examples are the matrix A, in rows, and the arrays of its second level:

            0 5 0 7      CSR    dense rows, compressed columns        pos 0 2 2 4             crd 1 3 0 2
       A =  0 0 0 0      DCSR   compressed rows,                      pos 0 2                 crd 0 2
            9 0 3 0             compressed columns                    pos 0 2 4               crd 1 3 0 2
                         COO    compressed(nonunique) rows,           pos 0 4                 crd 0 1  0 3  2 0  2 2
                                singleton columns, in the same crd    val 5 7 9 3 for all of these
                         BSR    dense rows of 2 x 2 blocks,
                                compressed columns of blocks,         pos 0 2 4               crd 0 1 0 1
                                two dense levels within a block       val 0 5 0 0  0 7 0 0  9 0 0 0  3 0 0 0
                         ELL(2) dense slots, dense rows,
                                compressed columns                    pos 0 1 1 2 3 3 4       crd 1 0 3 2
                                                                      val 5 9 7 3
                         DIA    compressed diagonals j - i + 2,       pos 0 4                 crd 0 2 3 5
                                dense rows                            val 0 0 9  0 0 3  5 0 0  7 0 0

   A room defines these functions, its verbs. Their signatures are equal for all level types:

     reading
     sparse_<name>_enter(i, lo, hi)       moves iterator i to the positions below the parents [lo, hi): one parent or, in a
                                          singleton, a segment of parents with equal coordinates. Calls
                                          sparse_<name>_range, whose parameters differ between level types
     sparse_<name>_parents(i, at, coordinate, count, parent)
                                          replaces positions by their parents. at[k], for k < count, are ascending
                                          positions. Sets coordinate[k] to the coordinate at at[k], then at[k] to its
                                          parent. `coordinate` may be null if crd holds the coordinates. *parent keeps the
                                          last parent for the next call; before the first call it is 0. False if
                                          positions do not determine their parents
     writing
     sparse_<name>_append(w, parent, coordinate)
                                          appends a coordinate and returns its position; SIZE_MAX if the level cannot
                                          hold it. Parents ascend, and so do the coordinates below a parent
     sparse_<name>_close(w, parents)      completes the arrays for this number of parents, after the last append
     checking
     sparse_<name>_check(e, l)            may level l of e have this type, given the levels around it? E_PROPERTY or an
                                          error of the level type
     sparse_<name>_extent(v, size, x)     computes the memory of a level of this size below x->parents parents: the lengths
                                          of pos and crd, and the number of positions. If the type has SPARSE_TRAIT_POS,
                                          the caller sets x->positions instead. False if size_t cannot hold a number
     sparse_<name>_validate(t, l, parents, positions, where)
                                          are the arrays sound? Their lengths already agree with the extent

   sparse_writer explains the parameters of append and close. Opening a level and making room in it follow from the extent,
   so one function does each for all level types: sparse_p_open_writer, sparse_p_reserve_writer.

   Kernels need SPARSE_P_STORED_IS_name, SPARSE_P_LEVEL_ROW_name, a row of table RANGE and, if coordinates do not lie in an
   array, of table CRD: see >>kernels over levels.

   A program can add a level type. It defines SPARSE_LEVELS_MORE(X) as X(SPARSE_NAME, name, traits) before it includes the
   kit, and the room afterwards: tests/triangle.h is an example. If descriptors spell the level type name(...), with
   arguments or properties, the room also defines SPARSE_P_FORMAT_OF_name, SPARSE_P_STORED_OF_name, and an empty
   SPARSE_P_BARE_name. */
/* clang-format on */
/* The coordinates of a level: an array of the given width, of which every `stride`-th element counts. `at` is the first;
   null if the level has no coordinate array. */
typedef struct sparse_p_column {
    void *at;
    uint16_t stride;
} sparse_p_column;

/* The level whose crd holds the coordinates of level l: l itself, or the level above the first AoS singleton. */
static inline unsigned sparse_p_head(const sparse_encoding *e, unsigned l)
{
    while (l > 0 && sparse_p_is_aos(e, l)) l--;
    return l;
}

/* The coordinates of level l. If several levels share an interleaved array (AoS), the stride is their number. */
SPARSE_P_INLINE sparse_p_column sparse_p_crd(const sparse_encoding *e, const sparse_tensor *t, unsigned l)
{
    const unsigned first = sparse_p_head(e, l);
    unsigned last = l;
    while (last + 1 < e->levels && sparse_p_is_aos(e, last + 1)) last++;
    sparse_p_column c = {t->crd[first].at, (uint16_t)(last - first + 1)};
    if (c.at) c.at = (char *)c.at + (l - first) * (sparse_crd_bits(e) / 8u);
    return c;
}
#if SPARSE_P_DEFINED
/* sparse_p_crd as one function, for arguments that are not constants. */
SPARSE_P_OUTLINE sparse_p_column sparse_p_column_of(const sparse_tensor *t, unsigned l)
{
    return sparse_p_crd(t->encoding, t, l);
}
#endif
/* The address of the first coordinate, for a storage type. */
SPARSE_P_INLINE const void *sparse_p_first_crd(const sparse_encoding *e, const void *tensor, unsigned l)
{
    return sparse_p_crd(e, (const sparse_tensor *)tensor, l).at;
}

/* A position in a level; it is valid while position < end. The other members describe the level. */
typedef struct sparse_level_iterator {
    size_t position, end;
    size_t first;          /* linear levels: the position of coordinate 0; masks: its bit */
    size_t coordinate;     /* forward levels: the coordinate at this position */
    size_t size;           /* the size of the level */
    const void *pos, *crd; /* the arrays of the level; the coordinate of p is crd[p * stride] */
    uint16_t stride, n;    /* n of structured[n,m], packed[n,m] and delta[n] */
    uint16_t traits;
    uint8_t type, properties, pos_bits, crd_bits;
    uint8_t packed_bits; /* bits of a number in crd, if a word holds several; else 0 */
} sparse_level_iterator;

/* The positions [begin, end) below a parent. Each level type has a function sparse_<name>_range that returns them; its
   parameters are the facts on which the range depends, so that compilers can fold it. For a segment of parents [lo, hi),
   the range goes from the first position below lo to the last below hi - 1, provided that the children of each parent
   follow the children of the parent before it. */
typedef struct sparse_range {
    size_t begin, end;
} sparse_range;

/* Where sparse_validate found an error. */
typedef struct sparse_report {
    const char *array; /* "lvl", "pos", "crd" or "val" */
    unsigned level;
    size_t position; /* in lvl and pos: the index of the element; in crd: the position in the level; in val: the length */
} sparse_report;

/* The memory that a level needs for a number of parents: positions, elements of pos, and coordinates or words of bits in
   crd. */
typedef struct sparse_extent {
    size_t parents, positions, pos, crd;
    unsigned crd_bits;
} sparse_extent;

/* A level that is being written from its first position to its last. Invariant: positions [0, next) are written. `closed`
   tells how much of the data for parents is written; each level type explains its own. append and close allocate no
   memory; sparse_p_reserve_writer does that before. */
typedef struct sparse_writer {
    sparse_tensor *t;
    void *pos, *crd;      /* the arrays of the level; the coordinate of position p is crd[p * stride] */
    size_t next, closed;  /* next: the next position, in the end the number of positions; closed: see above */
    size_t parents, room; /* the arrays have room for this many parents and positions */
    /* SPARSE_TRAIT_COUNTS: how many coordinates the parent still gets, counted down by append. SPARSE_TRAIT_FORWARD: the
       first coordinate that may follow. SPARSE_TRAIT_MASK: how many words of crd are written */
    size_t below;
    size_t size;        /* the size of the level */
    uint16_t stride, n; /* n: the argument of structured(n, m), packed(n, m) and delta(n) */
    uint8_t level, pos_bits, crd_bits, packed_bits;
} sparse_writer;

enum { SPARSE_P_CHUNK = SPARSE_FREESTANDING ? 16 : 256 };

/* Entries in order, on their way into the levels of a tensor. They pass one level after the other: each level replaces
   at[k], the position of entry k in the level above, by its position in the level itself. */
typedef struct sparse_packer {
    sparse_tensor *t;
    const struct sparse_p_records *r;
    const struct sparse_p_policy *policy;
    sparse_writer level[SPARSE_MAX_LEVELS];
    unsigned fresh[SPARSE_MAX_LEVELS]; /* level l appends a coordinate for entry k if differs[k] < fresh[l] */
    size_t first, count;               /* the chunk: entries [first, first + count) */
    size_t at[SPARSE_P_CHUNK];         /* their positions in the current level, */
    size_t coordinate[SPARSE_P_CHUNK]; /* room for their coordinates in it, */
    uint8_t differs[SPARSE_P_CHUNK];   /* the first level in which each differs from the entry before */
    float sum;                         /* for 16-bit values: the sum of the entries so far at position `summed` - 1 */
    size_t summed;
} sparse_packer;

#define SPARSE_P_LEVEL_ROW(NAME, name, traits)                                                                              \
    SPARSE_P_INLINE void sparse_##name##_enter(sparse_level_iterator *i, size_t lo, size_t hi);                             \
    SPARSE_P_INLINE bool sparse_##name##_parents(const sparse_level_iterator *i, size_t *at, size_t *coordinate,            \
                                                 size_t count, size_t *parent);                                             \
    SPARSE_P_INLINE size_t sparse_##name##_append(sparse_writer *w, size_t parent, size_t coordinate);                      \
    SPARSE_P_INLINE void sparse_##name##_close(sparse_writer *w, size_t parents);
SPARSE_LEVELS(SPARSE_P_LEVEL_ROW)
#undef SPARSE_P_LEVEL_ROW

/* Returns the first position of [p, end) whose bit is set in words of `bits` bits; `end` if there is none. */
SPARSE_P_INLINE size_t sparse_p_find_bit(const void *words, unsigned bits, size_t p, size_t end)
{
    while (p < end) {
        const unsigned bit = (unsigned)(p % bits);
        const uint64_t word = sparse_p_load(words, bits, p / bits) >> bit;
        const size_t step = word ? sparse_p_first_bit(word) : bits - bit;
        if (step >= end - p) return end;
        p += step;
        if (word) return p;
    }
    return p;
}
SPARSE_P_OUTLINE size_t sparse_p_next_bit(const void *words, unsigned bits, size_t p, size_t end)
{
    return sparse_p_find_bit(words, bits, p, end);
}

/* Returns how many bits of [p, end) are set in words of `bits` bits. */
SPARSE_P_INLINE size_t sparse_p_count_bits(const void *words, unsigned bits, size_t p, size_t end)
{
    size_t count = 0;
    while (p < end) {
        const unsigned bit = (unsigned)(p % bits);
        const size_t step = sparse_p_min(bits - bit, end - p);
        count += sparse_p_bits_set(sparse_p_load(words, bits, p / bits) >> bit & sparse_p_largest((unsigned)step));
        p += step;
    }
    return count;
}
SPARSE_P_OUTLINE size_t sparse_p_bits_between(const void *words, unsigned bits, size_t p, size_t end)
{
    return sparse_p_count_bits(words, bits, p, end);
}

/* Arrays of n-bit numbers in words of `bits` bits. No number crosses a word boundary. packed_words: the number of words
   for `count` numbers. packed: number p. put_packed: writes number p, after all numbers before it are written. */
SPARSE_P_INLINE size_t sparse_p_packed_words(unsigned bits, size_t n, size_t count)
{
    const size_t per = bits / n;
    return count / per + (count % per != 0);
}
SPARSE_P_INLINE size_t sparse_p_packed(const void *words, unsigned bits, size_t n, size_t p)
{
    const size_t per = bits / n;
    if (per == 1) return sparse_load(words, bits, p);
    return (size_t)(sparse_p_load(words, bits, p / per) >> p % per * n & ((UINT64_C(1) << n) - 1));
}
SPARSE_P_INLINE void sparse_p_put_packed(void *words, unsigned bits, size_t n, size_t p, size_t number)
{
    const size_t per = bits / n, at = p / per, shift = p % per * n;
    sparse_p_save(words, bits, at, (shift > 0 ? sparse_p_load(words, bits, at) : 0) | (uint64_t)number << shift);
}

/* The number of bits for an index below m, a constant. */
SPARSE_P_INLINE unsigned sparse_p_index_bits(size_t m)
{
    return 1u + (m > 2) + (m > 4) + (m > 8) + (m > 16) + (m > 32) + (m > 64) + (m > 128) + (m > 256) + (m > 512) +
           (m > 1024) + (m > 2048) + (m > 4096) + (m > 8192) + (m > 16384) + (m > 32768);
}
/* sparse_p_index_bits for an m that is not a constant. */
SPARSE_P_OUTLINE unsigned sparse_p_bits_of_index(size_t m) { return m > 2 ? sparse_p_width(m - 1) : 1; }
/* The number of bits of a number in crd of a PACKED level; 0 for other levels. */
SPARSE_P_INLINE unsigned sparse_p_packed_bits(const sparse_level *v)
{
    const unsigned traits = sparse_p_traits(v->type);
    if (!(traits & SPARSE_TRAIT_PACKED)) return 0;
    return traits & SPARSE_TRAIT_FORWARD ? v->n : sparse_p_bits_of_index(v->m);
}

/* The number at position p of a PACKED level. */
SPARSE_P_OUTLINE size_t sparse_p_packed_at(const sparse_level_iterator *i, size_t p)
{
    return sparse_p_packed(i->crd, i->crd_bits, i->packed_bits, p);
}

/* Functions that several level types use for reading.
   Unless coordinate is null, sets coordinate[k] to the coordinate of position at[k]. */
SPARSE_P_OUTLINE void sparse_p_load_coordinates(const sparse_level_iterator *i, const size_t *at, size_t *coordinate,
                                                size_t count)
{
    if (!coordinate) return;
    if (i->packed_bits)
        for (size_t k = 0; k < count; k++) coordinate[k] = sparse_p_packed_at(i, at[k]);
    else
        SPARSE_P_BY_WIDTH(i->crd_bits, sparse_p_gather, coordinate, i->crd, i->stride, at, count);
}

/* In a level with `size` positions below each parent, replaces positions by parents: rest[k] = at[k] % size, then at[k]
   = at[k] / size. The positions ascend. *parent is the last parent of the call before, and becomes the last one. */
SPARSE_P_INLINE void sparse_p_divide_positions(size_t size, size_t *at, size_t *rest, size_t count, size_t *parent)
{
    size_t p = *parent, first = p * size;
    for (size_t k = 0; k < count; k++) {
        const size_t beyond = at[k] - first;
        if (beyond >= size) { /* usually the next parent, which needs no division */
            p += beyond - size < size ? 1 : beyond / size;
            first = p * size;
        }
        rest[k] = at[k] - first;
        at[k] = p;
    }
    *parent = p;
}

/* Functions that several level types use for writing.
   Appends a coordinate to an array of coordinates. Returns its position. */
SPARSE_P_INLINE size_t sparse_p_append_coordinate(sparse_writer *w, size_t coordinate)
{
    sparse_store(w->crd, w->crd_bits, w->next * w->stride, coordinate);
    return w->next++;
}
/* Appends a number to an array of words that hold several numbers each. Returns its position. */
SPARSE_P_OUTLINE size_t sparse_p_append_packed(sparse_writer *w, size_t number)
{
    sparse_p_put_packed(w->crd, w->crd_bits, w->packed_bits, w->next, number);
    return w->next++;
}

/* Appends to a level that stores every coordinate: position = parent * size + coordinate. */
SPARSE_P_INLINE size_t sparse_p_append_linear(sparse_writer *w, size_t parent, size_t coordinate)
{
    const size_t position = parent * w->size + coordinate;
    w->next = position + 1;
    return position;
}

/* Updates the iterator of a forward level after it moved to the next position. */
SPARSE_P_INLINE void sparse_p_come_forward(sparse_level_iterator *i)
{
    if (i->position >= i->end) return;
    if (i->traits & SPARSE_TRAIT_MASK)
        i->coordinate = sparse_p_next_bit(i->crd, i->crd_bits, i->first + i->coordinate + 1, i->first + i->size) - i->first;
    else
        i->coordinate += sparse_p_packed(i->crd, i->crd_bits, i->n, i->position) + 1;
}

/* Moves the iterator to position p, or to the first stored position after it. In a forward level, p must be the next
   position. */
SPARSE_P_INLINE void sparse_p_go(sparse_level_iterator *i, size_t p)
{
    i->position = i->traits & SPARSE_TRAIT_BITS ? sparse_p_next_bit(i->crd, i->crd_bits, p, i->end) : p;
    if (i->traits & SPARSE_TRAIT_FORWARD) sparse_p_come_forward(i);
}
/* Moves the iterator to the next position, whether it is stored or not. */
SPARSE_P_INLINE void sparse_p_step(sparse_level_iterator *i)
{
    i->position++;
    if (i->traits & SPARSE_TRAIT_FORWARD) sparse_p_come_forward(i);
}

#if SPARSE_P_DEFINED
    #define SPARSE_P_LEVEL_ROW(NAME, name, traits)                                                                          \
        static inline sparse_result sparse_##name##_check(const sparse_encoding *e, unsigned l);                            \
        static inline bool sparse_##name##_extent(const sparse_level *v, size_t size, sparse_extent *x);                    \
        static inline sparse_result sparse_##name##_validate(const sparse_tensor *t, unsigned l, size_t parents,            \
                                                             size_t positions, sparse_report *where);
SPARSE_LEVELS(SPARSE_P_LEVEL_ROW)
    #undef SPARSE_P_LEVEL_ROW

/* Pointers to the functions with which a level type checks arrays. A program links only the functions of its own level
   types. */
typedef void (*sparse_p_entering)(sparse_level_iterator *i, size_t lo, size_t hi);
typedef bool (*sparse_p_extending)(const sparse_level *v, size_t size, sparse_extent *x);
struct sparse_p_level_check {
    sparse_p_extending extent;
    sparse_result (*validate)(const sparse_tensor *t, unsigned l, size_t parents, size_t positions, sparse_report *where);
};

/* defined below, used in several rooms */
SPARSE_P_COLD sparse_result sparse_p_report(sparse_report *where, sparse_result result, const char *array, unsigned level,
                                            size_t position);
SPARSE_P_DETACHED sparse_result sparse_p_check_disjoint(const sparse_tensor *t, unsigned l, size_t parents, size_t positions,
                                                        sparse_report *where);
SPARSE_P_OUTLINE sparse_result sparse_p_check_coordinates(const sparse_tensor *t, unsigned l, size_t parents,
                                                          size_t positions, sparse_p_entering enter, sparse_report *where);

/* Returns E_PROPERTY if level l has properties other than `allowed`; _plain also if it has n or m, which a level type
   without numbers must not have. */
SPARSE_P_COLD sparse_result sparse_p_check_properties(const sparse_encoding *e, unsigned l, unsigned allowed)
{
    return e->level[l].properties & ~allowed ? SPARSE_E_PROPERTY : SPARSE_OK;
}
SPARSE_P_COLD sparse_result sparse_p_check_plain(const sparse_encoding *e, unsigned l, unsigned allowed)
{
    return e->level[l].n || e->level[l].m ? SPARSE_E_PROPERTY : sparse_p_check_properties(e, l, allowed);
}

/* True if coordinates of this stride have 32 bits and are contiguous. */
static inline bool sparse_p_is_common_crd(const sparse_encoding *e, size_t stride)
{
    return sparse_crd_bits(e) == 32 && stride == 1;
}
#endif

/* >>level dense
   Stores every coordinate below every parent: position = parent * size + coordinate. It has no arrays.

       0 5 0 7      size 4
       0 0 0 0      positions 0 1 2 3  4 5 6 7  8 9 10 11
       9 0 3 0      values    0 5 0 7  0 0 0 0  9 0  3  0 */
#define SPARSE_P_IS_DENSE(type) ((type) == SPARSE_DENSE)
SPARSE_P_INLINE bool sparse_p_is_dense_level(const sparse_level *v) { return SPARSE_P_IS_DENSE(v->type); }
#define SPARSE_P_STORED_IS_dense 0dense, 0dense, 0unique, 0ordered, 0

#define SPARSE_P_LEVEL_ROW_0dense         ()
#define SPARSE_P_LEVEL_0dense_BUILT       , 0dense
#define SPARSE_P_LEVEL_0dense_BUILT_BELOW , 0dense
#define SPARSE_P_LEVEL_0dense_BATCHED     , 0dense
#define SPARSE_P_LEVEL_0dense_DEALT       , 0dense

#define SPARSE_P_RANGE_0dense_LO                 , SPARSE_P_LO_LINEAR
#define SPARSE_P_RANGE_0dense_HI                 , SPARSE_P_HI_LINEAR
#define SPARSE_P_LO_LINEAR(A, n, pos, m, parent) SPARSE_P_PARENT(A, n) * sparse_l_##A##n##_size
#define SPARSE_P_HI_LINEAR(A, n, pos, m, parent) SPARSE_P_PARENT(A, n) * sparse_l_##A##n##_size + sparse_l_##A##n##_size
SPARSE_P_INLINE sparse_range sparse_dense_range(size_t size, size_t parent)
{
    const sparse_range r = {parent * size, parent * size + size};
    return r;
}
SPARSE_P_INLINE void sparse_dense_enter(sparse_level_iterator *i, size_t lo, size_t hi)
{
    const sparse_range r = sparse_dense_range(i->size, lo);
    (void)hi;
    i->position = i->first = r.begin;
    i->end = r.end;
}
SPARSE_P_INLINE bool sparse_dense_parents(const sparse_level_iterator *i, size_t *at, size_t *coordinate, size_t count,
                                          size_t *parent)
{
    sparse_p_divide_positions(i->size, at, coordinate, count, parent);
    return true;
}
SPARSE_P_INLINE size_t sparse_dense_append(sparse_writer *w, size_t parent, size_t coordinate)
{
    return sparse_p_append_linear(w, parent, coordinate);
}
SPARSE_P_INLINE void sparse_dense_close(sparse_writer *w, size_t parents) { w->next = parents * w->size; }
#if SPARSE_P_DEFINED
static inline sparse_result sparse_dense_check(const sparse_encoding *e, unsigned l)
{
    return sparse_p_check_plain(e, l, 0);
}
static inline bool sparse_dense_extent(const sparse_level *v, size_t size, sparse_extent *x)
{
    (void)v;
    return sparse_p_mul(&x->positions, x->parents, size);
}
static inline sparse_result sparse_dense_validate(const sparse_tensor *t, unsigned l, size_t parents, size_t positions,
                                                  sparse_report *where)
{
    (void)t, (void)l, (void)parents, (void)positions, (void)where;
    return SPARSE_OK;
}
#endif

/* >>level batch
   Stores every coordinate, like a dense level. Each coordinate is a sub-tensor whose arrays are as long as those of the
   largest one. Batch levels come before all other levels. The levels below see one sub-tensor at a time
   (sparse_p_build_batches, sparse_p_check_batches, sparse_p_enter_batch).

       0 5 0 7      rows are batches, columns compressed:
       0 0 0 0      pos 0 2  0 0  0 2
       9 0 3 0      crd 1 3  0 0  0 2      values 5 7  0 0  9 3 */
SPARSE_P_INLINE bool sparse_p_is_batch_level(const sparse_level *v) { return v->type == SPARSE_BATCH; }
#define SPARSE_P_STORED_IS_batch 0dense, batch, 0unique, 0ordered, 0

#define SPARSE_P_LEVEL_ROW_batch     ()
#define SPARSE_P_LEVEL_batch_WITHIN  , batch
#define SPARSE_P_LEVEL_batch_BATCHED , batch

#define SPARSE_P_RANGE_batch_LO , SPARSE_P_LO_LINEAR
#define SPARSE_P_RANGE_batch_HI , SPARSE_P_HI_LINEAR
SPARSE_P_INLINE void sparse_batch_enter(sparse_level_iterator *i, size_t lo, size_t hi) { sparse_dense_enter(i, lo, hi); }
/* Every batch has separate arrays, so positions do not determine the parent. */
SPARSE_P_INLINE bool sparse_batch_parents(const sparse_level_iterator *i, size_t *at, size_t *coordinate, size_t count,
                                          size_t *parent)
{
    (void)i, (void)at, (void)coordinate, (void)count, (void)parent;
    return false;
}
SPARSE_P_INLINE size_t sparse_batch_append(sparse_writer *w, size_t parent, size_t coordinate)
{
    return sparse_p_append_linear(w, parent, coordinate);
}
SPARSE_P_INLINE void sparse_batch_close(sparse_writer *w, size_t parents) { sparse_dense_close(w, parents); }
#if SPARSE_P_DEFINED
static inline sparse_result sparse_batch_check(const sparse_encoding *e, unsigned l)
{
    if (l > 0 && e->level[l - 1].type != SPARSE_BATCH) return SPARSE_E_BATCH;
    return sparse_p_check_plain(e, l, 0);
}
static inline bool sparse_batch_extent(const sparse_level *v, size_t size, sparse_extent *x)
{
    return sparse_dense_extent(v, size, x);
}
static inline sparse_result sparse_batch_validate(const sparse_tensor *t, unsigned l, size_t parents, size_t positions,
                                                  sparse_report *where)
{
    return sparse_dense_validate(t, l, parents, positions, where);
}
#endif

/* >>level compressed
   Stores the coordinates that have entries. Parent p owns the positions [pos[p], pos[p + 1]); crd has one coordinate for
   each position. pos has parents + 1 elements, even if there are no entries.

       0 5 0 7      pos 0 2 2 4
       0 0 0 0      crd 1 3 | | 0 2
       9 0 3 0 */
SPARSE_P_INLINE bool sparse_p_is_compressed_level(const sparse_level *v) { return v->type == SPARSE_COMPRESSED; }
#define SPARSE_P_STORED_IS_compressed      0sparse, compressed, 0unique, 0ordered, 0
#define SPARSE_P_STORED_OF_compressed(...) 0sparse, compressed, SPARSE_P_TRAITS(__VA_ARGS__), 0
#define SPARSE_P_BARE_compressed

#define SPARSE_P_LEVEL_ROW_compressed     ()
#define SPARSE_P_LEVEL_compressed_ARRAY   , 1
#define SPARSE_P_LEVEL_compressed_BUILT   , 0compressed
#define SPARSE_P_LEVEL_compressed_BATCHED , 0batched
#define SPARSE_P_LEVEL_compressed_DEALT   , 0slot

#define SPARSE_P_RANGE_compressed_LO               , SPARSE_P_LO_POS
#define SPARSE_P_RANGE_compressed_HI               , SPARSE_P_HI_POS
#define SPARSE_P_RANGE_compressed_0arrays          , SPARSE_P_ARRAYS_POS_CRD
#define SPARSE_P_RANGE_compressed_0arguments       , SPARSE_P_ARGUMENTS_POS_CRD
#define SPARSE_P_RANGE_compressed_0slice_arrays    , SPARSE_P_ARRAYS_POS_CRD
#define SPARSE_P_RANGE_compressed_0slice_arguments , SPARSE_P_ARGUMENTS_POS_CRD
/* PER_PARENT: parent p of a unique level owns the positions from pos[1 * p] to pos[1 * p + 1] */
#define SPARSE_P_PER_PARENT_compressed0unique (1)
#define SPARSE_P_LO_POS(A, n, pos, m, parent) SPARSE_P_WIDE_##pos(sparse_l_##A##n##_pos[SPARSE_P_PARENT(A, n)])
#define SPARSE_P_HI_POS(A, n, pos, m, parent) SPARSE_P_WIDE_##pos(sparse_l_##A##n##_pos[SPARSE_P_PARENT_NEXT(A, n)])
/* Below batch levels, a batch has one part of each array: its parents + 1 elements of pos, and its share of the
   coordinates. Positions count through all batches. */
#define SPARSE_P_LEVEL_0batched_ARRAY , 1

#define SPARSE_P_RANGE_0batched_LO               , SPARSE_P_LO_BATCHED
#define SPARSE_P_RANGE_0batched_HI               , SPARSE_P_HI_BATCHED
#define SPARSE_P_RANGE_0batched_NEEDS            , 0above
#define SPARSE_P_RANGE_0batched_0arrays          , SPARSE_P_ARRAYS_BATCHED
#define SPARSE_P_RANGE_0batched_0arguments       , SPARSE_P_ARGUMENTS_BATCHED
#define SPARSE_P_RANGE_0batched_0slice_arrays    , SPARSE_P_ARRAYS_BATCHED
#define SPARSE_P_RANGE_0batched_0slice_arguments , SPARSE_P_ARGUMENTS_BATCHED
#define SPARSE_P_LO_BATCHED(A, n, pos, m, parent)                                                                           \
    SPARSE_P_WIDE_##pos(sparse_l_##A##n##_pos[SPARSE_P_PARENT(A, n) + sparse_l_p##A##m]) +                                  \
        sparse_l_##A##n##_part *sparse_l_p##A##m
#define SPARSE_P_HI_BATCHED(A, n, pos, m, parent)                                                                           \
    SPARSE_P_WIDE_##pos(sparse_l_##A##n##_pos[SPARSE_P_PARENT_NEXT(A, n) + sparse_l_p##A##m]) +                             \
        sparse_l_##A##n##_part *sparse_l_p##A##m
#define SPARSE_P_ARRAYS_BATCHED(A, type, n, pos, crd)                                                                       \
    SPARSE_P_ARRAYS_POS_CRD(A, type, n, pos, crd), const size_t sparse_l_##A##n##_part
#define SPARSE_P_ARGUMENTS_BATCHED(A, type, n, pos, crd)                                                                    \
    SPARSE_P_ARGUMENTS_POS_CRD(A, type, n, pos, crd), sparse_p_part(&A->t, n - 1)
/* Below slices whose rows are all stored, each slot holds one entry, whose position is the number of the slot. */
#define SPARSE_P_RANGE_0slot_LO               , SPARSE_P_LO_SLOT
#define SPARSE_P_RANGE_0slot_HI               , SPARSE_P_HI_SLOT
#define SPARSE_P_RANGE_0slot_NEEDS            , 0above
#define SPARSE_P_RANGE_0slot_0arrays          , SPARSE_P_ARRAYS_POS_CRD
#define SPARSE_P_RANGE_0slot_0arguments       , SPARSE_P_ARGUMENTS_POS_CRD
#define SPARSE_P_RANGE_0slot_0slice_arrays    , SPARSE_P_ARRAYS_POS_CRD
#define SPARSE_P_RANGE_0slot_0slice_arguments , SPARSE_P_ARGUMENTS_POS_CRD
#define SPARSE_P_LO_SLOT(A, n, pos, m, parent)                                                                              \
    (sparse_l_##m##_whole ? SPARSE_P_PARENT(A, n) : SPARSE_P_LO_POS(A, n, pos, m, parent))
#define SPARSE_P_HI_SLOT(A, n, pos, m, parent)                                                                              \
    (sparse_l_##m##_whole ? SPARSE_P_PARENT_NEXT(A, n) : SPARSE_P_HI_POS(A, n, pos, m, parent))
#define SPARSE_P_FORMAT_OF_compressed(...) SPARSE_COMPRESSED, SPARSE_P_PROPERTIES(__VA_ARGS__), 0, 0
SPARSE_P_INLINE sparse_range sparse_compressed_range(const void *pos, unsigned bits, size_t lo, size_t hi)
{
    const sparse_range r = {sparse_load(pos, bits, lo), sparse_load(pos, bits, hi)};
    return r;
}
SPARSE_P_INLINE void sparse_compressed_enter(sparse_level_iterator *i, size_t lo, size_t hi)
{
    const sparse_range r = sparse_compressed_range(i->pos, i->pos_bits, lo, hi);
    i->position = r.begin;
    i->end = r.end;
}
SPARSE_P_INLINE bool sparse_compressed_parents(const sparse_level_iterator *i, size_t *at, size_t *coordinate, size_t count,
                                               size_t *parent)
{
    if (count == 0) return true;
    sparse_p_load_coordinates(i, at, coordinate, count);
    size_t p = *parent, end = sparse_load(i->pos, i->pos_bits, p + 1);
    for (size_t k = 0; k < count; k++) {
        while (end <= at[k]) end = sparse_load(i->pos, i->pos_bits, ++p + 1);
        at[k] = p;
    }
    *parent = p;
    return true;
}
/* Writing: pos[0, closed) is written. pos[p] is written when parent p or a later one gets its first coordinate. */
SPARSE_P_INLINE void sparse_p_start_compressed(sparse_writer *w, size_t parents)
{
    for (; w->closed < parents; w->closed++) sparse_store(w->pos, w->pos_bits, w->closed, w->next);
}
SPARSE_P_INLINE size_t sparse_compressed_append(sparse_writer *w, size_t parent, size_t coordinate)
{
    sparse_p_start_compressed(w, parent + 1);
    return sparse_p_append_coordinate(w, coordinate);
}
SPARSE_P_INLINE void sparse_compressed_close(sparse_writer *w, size_t parents)
{
    sparse_p_start_compressed(w, parents);
    /* a separate statement, because clang 14 drops an overflow check for `<=` */
    sparse_store(w->pos, w->pos_bits, w->closed++, w->next);
}
#if SPARSE_P_DEFINED
static inline sparse_result sparse_compressed_check(const sparse_encoding *e, unsigned l)
{
    return sparse_p_check_plain(e, l, SPARSE_NONUNIQUE | SPARSE_NONORDERED);
}
static inline bool sparse_compressed_extent(const sparse_level *v, size_t size, sparse_extent *x)
{
    (void)v, (void)size;
    x->crd = x->positions;
    return sparse_p_add(&x->pos, x->parents, 1);
}
/* Checks that pos starts at 0, never decreases, and ends at the number of positions. */
static inline sparse_result sparse_p_check_pos(const sparse_tensor *t, unsigned l, size_t positions, sparse_report *where)
{
    const size_t length = t->pos[l].length;
    uint64_t before = 0;
    for (size_t p = 0; p < length; p++) {
        const uint64_t start = sparse_p_load(t->pos[l].at, sparse_pos_bits(t->encoding), p);
        const bool first = p == 0, last = p + 1 == length;
        if (start < before || start > positions || (first && start != 0) || (last && start != positions))
            return sparse_p_report(where, SPARSE_E_POSITIONS, "pos", l, p);
        before = start;
    }
    return SPARSE_OK;
}
static inline sparse_result sparse_compressed_validate(const sparse_tensor *t, unsigned l, size_t parents, size_t positions,
                                                       sparse_report *where)
{
    SPARSE_P_TRY(sparse_p_check_pos(t, l, positions, where));
    return sparse_p_check_coordinates(t, l, parents, positions, sparse_compressed_enter, where);
}
#endif

/* >>level loose_compressed
   Stores the coordinates that have entries, as a compressed level does, but parent p owns the positions
   [pos[2p], pos[2p + 1]). So the ranges of parents may come in any order, and there may be gaps between them.

       0 5 0 7      pos 3 5  0 0  0 2
       0 0 0 0      crd 0 2 (unused) 1 3         one possibility; packing leaves no gaps
       9 0 3 0 */
#define SPARSE_P_STORED_IS_loose_compressed      0sparse, 0loose, 0unique, 0ordered, 0
#define SPARSE_P_STORED_OF_loose_compressed(...) 0sparse, 0loose, SPARSE_P_TRAITS(__VA_ARGS__), 0
#define SPARSE_P_BARE_loose_compressed

#define SPARSE_P_LEVEL_ROW_0loose     ()
#define SPARSE_P_LEVEL_0loose_ARRAY   , 1
#define SPARSE_P_LEVEL_0loose_BATCHED , 0batched_loose
#define SPARSE_P_LEVEL_0loose_DEALT   , 0loose

#define SPARSE_P_RANGE_0loose_LO                , SPARSE_P_LO_LOOSE
#define SPARSE_P_RANGE_0loose_HI                , SPARSE_P_HI_LOOSE
#define SPARSE_P_RANGE_0loose_0arrays           , SPARSE_P_ARRAYS_POS_CRD
#define SPARSE_P_RANGE_0loose_0arguments        , SPARSE_P_ARGUMENTS_POS_CRD
#define SPARSE_P_RANGE_0loose_0slice_arrays     , SPARSE_P_ARRAYS_POS_CRD
#define SPARSE_P_RANGE_0loose_0slice_arguments  , SPARSE_P_ARGUMENTS_POS_CRD
#define SPARSE_P_PER_PARENT_0loose0unique       (2)
#define SPARSE_P_LO_LOOSE(A, n, pos, m, parent) SPARSE_P_WIDE_##pos(sparse_l_##A##n##_pos[2 * SPARSE_P_PARENT(A, n)])
#define SPARSE_P_HI_LOOSE(A, n, pos, m, parent) SPARSE_P_WIDE_##pos(sparse_l_##A##n##_pos[2 * SPARSE_P_PARENT(A, n) + 1])

#define SPARSE_P_LEVEL_0batched_loose_ARRAY , 1

#define SPARSE_P_RANGE_0batched_loose_LO               , SPARSE_P_LO_BATCHED_LOOSE
#define SPARSE_P_RANGE_0batched_loose_HI               , SPARSE_P_HI_BATCHED_LOOSE
#define SPARSE_P_RANGE_0batched_loose_NEEDS            , 0above
#define SPARSE_P_RANGE_0batched_loose_0arrays          , SPARSE_P_ARRAYS_BATCHED
#define SPARSE_P_RANGE_0batched_loose_0arguments       , SPARSE_P_ARGUMENTS_BATCHED
#define SPARSE_P_RANGE_0batched_loose_0slice_arrays    , SPARSE_P_ARRAYS_BATCHED
#define SPARSE_P_RANGE_0batched_loose_0slice_arguments , SPARSE_P_ARGUMENTS_BATCHED
#define SPARSE_P_LO_BATCHED_LOOSE(A, n, pos, m, parent)                                                                     \
    SPARSE_P_LO_LOOSE(A, n, pos, m, parent) + sparse_l_##A##n##_part *sparse_l_p##A##m
#define SPARSE_P_HI_BATCHED_LOOSE(A, n, pos, m, parent)                                                                     \
    SPARSE_P_HI_LOOSE(A, n, pos, m, parent) + sparse_l_##A##n##_part *sparse_l_p##A##m
#define SPARSE_P_FORMAT_OF_loose_compressed(...) SPARSE_LOOSE_COMPRESSED, SPARSE_P_PROPERTIES(__VA_ARGS__), 0, 0
SPARSE_P_INLINE sparse_range sparse_loose_compressed_range(const void *pos, unsigned bits, size_t parent)
{
    const sparse_range r = {sparse_load(pos, bits, 2 * parent), sparse_load(pos, bits, 2 * parent + 1)};
    return r;
}
SPARSE_P_INLINE void sparse_loose_compressed_enter(sparse_level_iterator *i, size_t lo, size_t hi)
{
    const sparse_range r = sparse_loose_compressed_range(i->pos, i->pos_bits, lo);
    (void)hi;
    i->position = r.begin;
    i->end = r.end;
}
/* A position does not determine its parent, because the ranges may be in any order. */
SPARSE_P_INLINE bool sparse_loose_compressed_parents(const sparse_level_iterator *i, size_t *at, size_t *coordinate,
                                                     size_t count, size_t *parent)
{
    (void)i, (void)at, (void)coordinate, (void)count, (void)parent;
    return false;
}
/* Writing: ranges follow each other without gaps. The first `closed` parents have their start, and all but the last of
   them their end. */
SPARSE_P_INLINE void sparse_p_start_loose(sparse_writer *w, size_t parents)
{
    for (; w->closed < parents; w->closed++) {
        if (w->closed > 0) sparse_store(w->pos, w->pos_bits, 2 * w->closed - 1, w->next);
        sparse_store(w->pos, w->pos_bits, 2 * w->closed, w->next);
    }
}
SPARSE_P_INLINE size_t sparse_loose_compressed_append(sparse_writer *w, size_t parent, size_t coordinate)
{
    sparse_p_start_loose(w, parent + 1);
    return sparse_p_append_coordinate(w, coordinate);
}
SPARSE_P_INLINE void sparse_loose_compressed_close(sparse_writer *w, size_t parents)
{
    sparse_p_start_loose(w, parents);
    if (parents > 0) sparse_store(w->pos, w->pos_bits, 2 * parents - 1, w->next);
}
#if SPARSE_P_DEFINED
static inline sparse_result sparse_loose_compressed_check(const sparse_encoding *e, unsigned l)
{
    return sparse_compressed_check(e, l);
}
static inline bool sparse_loose_compressed_extent(const sparse_level *v, size_t size, sparse_extent *x)
{
    (void)v, (void)size;
    x->crd = x->positions;
    return sparse_p_mul(&x->pos, x->parents, 2);
}
/* Checks that the ranges are within the positions and disjoint. */
static inline sparse_result sparse_loose_compressed_validate(const sparse_tensor *t, unsigned l, size_t parents,
                                                             size_t positions, sparse_report *where)
{
    uint64_t end = 0;
    bool ascending = true;
    for (size_t p = 0; p < parents; p++) {
        const uint64_t lo = sparse_p_load(t->pos[l].at, sparse_pos_bits(t->encoding), 2 * p);
        const uint64_t hi = sparse_p_load(t->pos[l].at, sparse_pos_bits(t->encoding), 2 * p + 1);
        if (lo > hi || hi > positions) return sparse_p_report(where, SPARSE_E_POSITIONS, "pos", l, 2 * p);
        if (lo == hi) continue;
        ascending = ascending && lo >= end;
        end = hi;
    }
    const sparse_result result = ascending ? SPARSE_OK : sparse_p_check_disjoint(t, l, parents, positions, where);
    return result ? result : sparse_p_check_coordinates(t, l, parents, positions, sparse_loose_compressed_enter, where);
}
#endif

/* >>level singleton
   Stores one coordinate below each parent, at the position of the parent. The coordinates lie in an array of their own
   (soa), or are interleaved with the coordinates of the levels above (aos). Singletons run from a compressed level to the
   last level, and are all soa or all aos. In COO, the rows are compressed(nonunique), the columns singleton:

       0 5 0 7      pos 0 4 of the rows
       0 0 0 0      crd 0 1  0 3  2 0  2 2                        aos: one array
       9 0 3 0      crd 0 0 2 2 of rows, 1 3 0 2 of columns       soa: two arrays */
#define SPARSE_P_STORED_IS_singleton      0sparse, 0aos, 0unique, 0ordered, 0
#define SPARSE_P_STORED_OF_singleton(...) 0sparse, SPARSE_P_TRAIT(0SOA, 0aos, __VA_ARGS__), SPARSE_P_TRAITS(__VA_ARGS__), 0
#define SPARSE_P_BARE_singleton

#define SPARSE_P_LEVEL_ROW_singleton         ()
#define SPARSE_P_LEVEL_singleton_FOLLOWS     , 1
#define SPARSE_P_LEVEL_singleton_ARRAY       , 1
#define SPARSE_P_LEVEL_singleton_BUILT_BELOW , 0singleton
#define SPARSE_P_LEVEL_singleton_BATCHED     , singleton
#define SPARSE_P_LEVEL_singleton_DEALT       , singleton

#define SPARSE_P_LEVEL_ROW_0aos         ()
#define SPARSE_P_LEVEL_0aos_FOLLOWS     , 1
#define SPARSE_P_LEVEL_0aos_SHARED      , 1
#define SPARSE_P_LEVEL_0aos_ARRAY       , 1
#define SPARSE_P_LEVEL_0aos_BUILT_BELOW , 0singleton
#define SPARSE_P_LEVEL_0aos_BATCHED     , 0aos
#define SPARSE_P_LEVEL_0aos_DEALT       , 0aos

#define SPARSE_P_RANGE_singleton_LO               , SPARSE_P_LO_ENTRY
#define SPARSE_P_RANGE_singleton_HI               , SPARSE_P_HI_ENTRY
#define SPARSE_P_RANGE_singleton_0arrays          , SPARSE_P_ARRAYS_CRD
#define SPARSE_P_RANGE_singleton_0arguments       , SPARSE_P_ARGUMENTS_CRD
#define SPARSE_P_RANGE_singleton_0slice_arrays    , SPARSE_P_ARRAYS_CRD
#define SPARSE_P_RANGE_singleton_0slice_arguments , SPARSE_P_ARGUMENTS_CRD_OF_LEVEL

#define SPARSE_P_RANGE_0aos_LO                  , SPARSE_P_LO_ENTRY
#define SPARSE_P_RANGE_0aos_HI                  , SPARSE_P_HI_ENTRY
#define SPARSE_P_RANGE_0aos_0slice_arrays       , SPARSE_P_ARRAYS_CRD
#define SPARSE_P_RANGE_0aos_0slice_arguments    , SPARSE_P_ARGUMENTS_CRD_OF_LEVEL
#define SPARSE_P_LO_ENTRY(A, n, pos, m, parent) SPARSE_P_PARENT(A, n)
#define SPARSE_P_HI_ENTRY(A, n, pos, m, parent) SPARSE_P_HI_ENTRY_##parent(A, n)
#define SPARSE_P_HI_ENTRY_0unique(A, n)         SPARSE_P_PARENT_NEXT(A, n)
#define SPARSE_P_HI_ENTRY_0nonunique(A, n)      SPARSE_P_PARENT_END(A, n)
#define SPARSE_P_HI_ENTRY_0neither              SPARSE_P_HI_ENTRY_0nonunique
#define SPARSE_P_FORMAT_OF_singleton(...)       SPARSE_SINGLETON, SPARSE_P_PROPERTIES(__VA_ARGS__), 0, 0
SPARSE_P_INLINE sparse_range sparse_singleton_range(size_t lo, size_t hi)
{
    const sparse_range r = {lo, hi};
    return r;
}
SPARSE_P_INLINE void sparse_singleton_enter(sparse_level_iterator *i, size_t lo, size_t hi)
{
    const sparse_range r = sparse_singleton_range(lo, hi);
    i->position = r.begin;
    i->end = r.end;
}
SPARSE_P_INLINE bool sparse_singleton_parents(const sparse_level_iterator *i, size_t *at, size_t *coordinate, size_t count,
                                              size_t *parent)
{
    (void)parent;
    sparse_p_load_coordinates(i, at, coordinate, count);
    return true;
}
SPARSE_P_INLINE size_t sparse_singleton_append(sparse_writer *w, size_t parent, size_t coordinate)
{
    w->next = parent;
    return sparse_p_append_coordinate(w, coordinate);
}
SPARSE_P_INLINE void sparse_singleton_close(sparse_writer *w, size_t parents) { w->next = parents; }
#if SPARSE_P_DEFINED
static inline sparse_result sparse_singleton_check(const sparse_encoding *e, unsigned l)
{
    const sparse_level *above = l > 0 ? &e->level[l - 1] : NULL;
    const unsigned traits = above ? sparse_p_traits(above->type) : 0;
    if (!(traits & (SPARSE_TRAIT_POS | SPARSE_TRAIT_SHARED)) || !(traits & SPARSE_TRAIT_CRD)) return SPARSE_E_SINGLETON;
    if (above->type == SPARSE_SINGLETON && sparse_p_is_aos(e, l) != sparse_p_is_aos(e, l - 1)) return SPARSE_E_SINGLETON;
    return sparse_p_check_plain(e, l, SPARSE_NONUNIQUE | SPARSE_NONORDERED | SPARSE_SOA);
}
static inline bool sparse_singleton_extent(const sparse_level *v, size_t size, sparse_extent *x)
{
    (void)size;
    x->positions = x->parents;
    x->crd = v->properties & SPARSE_SOA ? x->parents : 0;
    return true;
}
/* Checks nothing: sparse_p_check_coordinates checks a singleton together with the level above the first singleton. */
static inline sparse_result sparse_singleton_validate(const sparse_tensor *t, unsigned l, size_t parents, size_t positions,
                                                      sparse_report *where)
{
    return sparse_dense_validate(t, l, parents, positions, where);
}
#endif

/* >>level structured
   structured(n, m) stores n coordinates out of m. Parent p owns the positions [n * p, n * p + n). It is the last level,
   below dense ones, and its parents are blocks of m coordinates. Blocks with fewer entries are padded with zeros at the
   least coordinates that have none.

       0 5 0 7      n = 2, m = 4
       0 0 0 0      crd 1 3  0 1  0 2
       9 0 3 0      val 5 7  0 0  9 3 */
#define SPARSE_P_STORED_OF_structured(n, m) 0sparse, structured, 0unique, 0ordered, n
#define SPARSE_P_BARE_structured

#define SPARSE_P_LEVEL_ROW_structured     ()
#define SPARSE_P_LEVEL_structured_ARRAY   , 1
#define SPARSE_P_LEVEL_structured_BATCHED , structured
#define SPARSE_P_LEVEL_structured_DEALT   , structured

#define SPARSE_P_RANGE_structured_LO               , SPARSE_P_LO_BLOCK
#define SPARSE_P_RANGE_structured_HI               , SPARSE_P_HI_BLOCK
#define SPARSE_P_RANGE_structured_0arrays          , SPARSE_P_ARRAYS_CRD
#define SPARSE_P_RANGE_structured_0arguments       , SPARSE_P_ARGUMENTS_CRD
#define SPARSE_P_RANGE_structured_0slice_arrays    , SPARSE_P_ARRAYS_CRD
#define SPARSE_P_RANGE_structured_0slice_arguments , SPARSE_P_ARGUMENTS_CRD
#define SPARSE_P_LO_BLOCK(A, n, pos, m, parent)    m *SPARSE_P_PARENT(A, n)
#define SPARSE_P_HI_BLOCK(A, n, pos, m, parent)    sparse_p_block_end(m *SPARSE_P_PARENT(A, n), m)
/* first + n, which does not overflow. The compiler then knows that the loop makes n iterations, and can leave out the
   test. */
SPARSE_P_INLINE size_t sparse_p_block_end(size_t first, size_t n)
{
#if defined(__GNUC__) && !SPARSE_P_FOR_SIZE /* gcc would keep the test */
    if (first > SIZE_MAX - n) __builtin_unreachable();
#endif
    return first + n;
}
#define SPARSE_P_FORMAT_OF_structured(n, m) SPARSE_STRUCTURED, 0, n, m
SPARSE_P_INLINE sparse_range sparse_structured_range(size_t n, size_t lo, size_t hi)
{
    const sparse_range r = {lo * n, hi * n};
    return r;
}
SPARSE_P_INLINE void sparse_structured_enter(sparse_level_iterator *i, size_t lo, size_t hi)
{
    const sparse_range r = sparse_structured_range(i->n, lo, hi);
    i->position = r.begin;
    i->end = r.end;
}
SPARSE_P_INLINE bool sparse_structured_parents(const sparse_level_iterator *i, size_t *at, size_t *coordinate, size_t count,
                                               size_t *parent)
{
    size_t within[SPARSE_P_CHUNK];
    sparse_p_load_coordinates(i, at, coordinate, count);
    sparse_p_divide_positions(i->n, at, within, count, parent);
    return true;
}
/* Writing: `closed` parents have coordinates, and their blocks are complete, except the end of the last one. A block with
   fewer than n coordinates is padded with the smallest coordinates that it does not store. So as long as padding remains,
   the coordinates of a block count up from 0. */
SPARSE_P_INLINE size_t sparse_p_append_index(sparse_writer *w, size_t index)
{
    return w->packed_bits ? sparse_p_append_packed(w, index) : sparse_p_append_coordinate(w, index);
}

/* Appends padding up to position `end`. */
SPARSE_P_INLINE void sparse_p_pad_block(sparse_writer *w, size_t end)
{
    while (w->next < end) sparse_p_append_index(w, w->next % w->n);
}
SPARSE_P_OUTLINE size_t sparse_p_append_structured(sparse_writer *w, size_t parent, size_t coordinate)
{
    const size_t begin = parent * w->n;
    if (w->closed <= parent) {
        if (w->below > w->n) return SIZE_MAX;
        sparse_p_pad_block(w, begin);
        w->closed = parent + 1;
    }
    const size_t padding = begin + w->n - w->next - w->below--, gap = coordinate - (w->next - begin);
    sparse_p_pad_block(w, w->next + sparse_p_min(gap, padding));
    return sparse_p_append_index(w, coordinate);
}
SPARSE_P_INLINE size_t sparse_structured_append(sparse_writer *w, size_t parent, size_t coordinate)
{
    return sparse_p_append_structured(w, parent, coordinate);
}
SPARSE_P_INLINE void sparse_structured_close(sparse_writer *w, size_t parents) { sparse_p_pad_block(w, parents * w->n); }
#if SPARSE_P_DEFINED
static inline sparse_result sparse_structured_check(const sparse_encoding *e, unsigned l)
{
    const sparse_level *v = &e->level[l];
    if (l + 1 != e->levels || v->n > v->m || v->map != SPARSE_MAP_MOD) return SPARSE_E_STRUCTURED;
    for (unsigned k = 0; k < e->levels; k++)
        if ((k < l && e->level[k].type != SPARSE_DENSE) || (e->level[k].map != SPARSE_MAP_DIM && e->level[k].c != v->m))
            return SPARSE_E_STRUCTURED;
    return sparse_p_check_properties(e, l, 0);
}
static inline bool sparse_structured_extent(const sparse_level *v, size_t size, sparse_extent *x)
{
    (void)size;
    const bool fits = sparse_p_mul(&x->positions, x->parents, v->n);
    x->crd = x->positions;
    return fits;
}

static inline sparse_result sparse_structured_validate(const sparse_tensor *t, unsigned l, size_t parents, size_t positions,
                                                       sparse_report *where)
{
    return sparse_p_check_coordinates(t, l, parents, positions, sparse_structured_enter, where);
}
#endif

/* >>level packed
   packed(n, m) is structured(n, m) with indices in as few bits as possible: 1 bit for m = 2, 2 bits up to m = 4, 3 bits up
   to m = 8. A word of crd holds several indices, the first in its lowest bits; no index crosses a word boundary. With 8-bit
   coordinates, a word holds a power of two of them, so loops need no division.

       0 5 0 7      n = 2, m = 4
       0 0 0 0      crd 1 3  0 1 | 0 2      in words of 8 bits: 1 + 4 * 3 + 16 * 0 + 64 * 1, 0 + 4 * 2
       9 0 3 0      val 5 7  0 0   9 3 */
#define SPARSE_P_STORED_OF_packed(n, m) 0sparse, packed, 0unique, 0ordered, 0of(n, m)
#define SPARSE_P_FORMAT_OF_packed(n, m) SPARSE_PACKED, 0, n, m
#define SPARSE_P_N_0of(n, m)            n
#define SPARSE_P_M_0of(n, m)            m
#define SPARSE_P_BARE_packed

#define SPARSE_P_LEVEL_ROW_packed ()

#define SPARSE_P_RANGE_packed_LO         , SPARSE_P_LO_PACKED
#define SPARSE_P_RANGE_packed_HI         , SPARSE_P_HI_PACKED
#define SPARSE_P_RANGE_packed_0arrays    , SPARSE_P_ARRAYS_CRD
#define SPARSE_P_RANGE_packed_0arguments , SPARSE_P_ARGUMENTS_CRD
#define SPARSE_P_RANGE_packed_BEGIN      , SPARSE_P_BEGIN_PACKED

#define SPARSE_P_CRD_packed_NUMBER               , 1
#define SPARSE_P_CRD_packed_COORDINATE           , SPARSE_P_CRD_PACKED
#define SPARSE_P_CRD_packed_SEEK                 , SPARSE_P_SEEK_PACKED
#define SPARSE_P_LO_PACKED(A, n, pos, m, parent) SPARSE_P_LO_BLOCK(A, n, pos, SPARSE_P_N_##m, parent)
#define SPARSE_P_HI_PACKED(A, n, pos, m, parent) SPARSE_P_HI_BLOCK(A, n, pos, SPARSE_P_N_##m, parent)
/* If no block crosses a word boundary, a kernel loads all indices of a block at once, unless it is optimised for size. */
#define SPARSE_P_BEGIN_PACKED(A, n, role, above, pos, m, parent, guard)                                                     \
    SPARSE_UNUSED const size_t sparse_l_##A##n##_block = sparse_p_packed_block(                                             \
        sparse_l_##A##n##_crd, 8 * sizeof *sparse_l_##A##n##_crd, sparse_p_index_bits(SPARSE_P_M_##m), SPARSE_P_N_##m,      \
        guard(A, above, SPARSE_P_LO_PACKED(A, n, pos, m, parent)),                                                          \
        guard(A, above, SPARSE_P_HI_PACKED(A, n, pos, m, parent)));
#define SPARSE_P_CRD_PACKED(A, n, p, crd, m, parent, stride, offset)                                                        \
    sparse_p_packed_index(sparse_l_##A##n##_block, sparse_l_##A##n##_crd, 8 * sizeof *sparse_l_##A##n##_crd,                \
                          sparse_p_index_bits(SPARSE_P_M_##m), SPARSE_P_N_##m, SPARSE_P_LO_PACKED(A, n, ~, m, parent), p)
#define SPARSE_P_SEEK_PACKED(A, n, i, crd, m, parent, stride, head, offset)                                                 \
    sparse_p_packed_seek(sparse_l_##A##n##_block, sparse_l_##A##n##_crd, 8 * sizeof *sparse_l_##A##n##_crd,                 \
                         sparse_p_index_bits(SPARSE_P_M_##m), SPARSE_P_N_##m, SPARSE_P_LO_PACKED(A, n, ~, m, parent),       \
                         &sparse_l_p##A##n, sparse_l_e##A##n, i)
/* True if a block of n indices never crosses a word boundary, so that one load reads it. False if optimised for size. */
SPARSE_P_INLINE bool sparse_p_is_in_one_word(size_t width, size_t bits, size_t n)
{
    return !SPARSE_P_FOR_SIZE && n * bits < 8 * sizeof(size_t) && n > 0 && width / bits % n == 0;
}

/* Returns the word with the indices of the block [lo, hi), the first one in its lowest bits; 0 if it is not in one
   word. */
SPARSE_P_INLINE size_t sparse_p_packed_block(const void *crd, unsigned width, size_t bits, size_t n, size_t lo, size_t hi)
{
    const size_t per = width / bits;
    if (!sparse_p_is_in_one_word(width, bits, n) || lo >= hi) return 0;
    return (size_t)(sparse_p_load(crd, width, lo / per) >> lo % per * bits);
}

/* Returns the index at position p, from the block or from crd. */
SPARSE_P_INLINE size_t sparse_p_packed_index(size_t block, const void *crd, unsigned width, size_t bits, size_t n, size_t lo,
                                             size_t p)
{
    if (!sparse_p_is_in_one_word(width, bits, n)) return sparse_p_packed(crd, width, bits, p);
    return block >> (p - lo) * bits & (((size_t)1 << bits) - 1);
}

/* Moves *p to the first index that is not less than i, or to end. Returns true if it is i. */
SPARSE_P_INLINE bool sparse_p_packed_seek(size_t block, const void *crd, unsigned width, size_t bits, size_t n, size_t lo,
                                          size_t *p, size_t end, size_t i)
{
    while (*p < end && sparse_p_packed_index(block, crd, width, bits, n, lo, *p) < i) ++*p;
    return *p < end && sparse_p_packed_index(block, crd, width, bits, n, lo, *p) == i;
}
SPARSE_P_INLINE void sparse_packed_enter(sparse_level_iterator *i, size_t lo, size_t hi)
{
    sparse_structured_enter(i, lo, hi);
}
SPARSE_P_INLINE bool sparse_packed_parents(const sparse_level_iterator *i, size_t *at, size_t *coordinate, size_t count,
                                           size_t *parent)
{
    return sparse_structured_parents(i, at, coordinate, count, parent);
}
SPARSE_P_INLINE size_t sparse_packed_append(sparse_writer *w, size_t parent, size_t coordinate)
{
    return sparse_p_append_structured(w, parent, coordinate);
}
SPARSE_P_INLINE void sparse_packed_close(sparse_writer *w, size_t parents) { sparse_structured_close(w, parents); }
#if SPARSE_P_DEFINED
static inline sparse_result sparse_packed_check(const sparse_encoding *e, unsigned l)
{
    const sparse_level *v = &e->level[l];
    if (v->m < 2 || sparse_p_bits_of_index(v->m) > sparse_crd_bits(e)) return SPARSE_E_PACKED;
    return sparse_structured_check(e, l);
}
static inline bool sparse_packed_extent(const sparse_level *v, size_t size, sparse_extent *x)
{
    const unsigned bits = sparse_p_bits_of_index(v->m);
    const bool fits = sparse_structured_extent(v, size, x);
    x->crd = bits <= x->crd_bits ? sparse_p_packed_words(x->crd_bits, bits, x->positions) : 0;
    return fits;
}
static inline sparse_result sparse_packed_validate(const sparse_tensor *t, unsigned l, size_t parents, size_t positions,
                                                   sparse_report *where)
{
    return sparse_structured_validate(t, l, parents, positions, where);
}
#endif

/* >>level bitmap
   Stores a bit for each coordinate below each parent: 1 if an entry is stored there. Every coordinate has a position, and
   so a value, as in a dense level. Position p has bit p % w of word p / w of crd, where w is the width of coordinates. A
   bitmap lies between a compressed level, which stores a coordinate for each entry, and a dense level, which does not know
   which entries are stored.

       0 5 0 7      w = 8: the bits of positions 1 3 8 10
       0 0 0 0      crd 2 + 8 = 10, 1 + 4 = 5
       9 0 3 0      val 0 5 0 7  0 0 0 0  9 0 3 0 */
#define SPARSE_P_STORED_IS_bitmap 0sparse, bitmap, 0unique, 0ordered, 0

#define SPARSE_P_LEVEL_ROW_bitmap   ()
#define SPARSE_P_LEVEL_bitmap_ALL   , 0
#define SPARSE_P_LEVEL_bitmap_DEALT , bitmap

#define SPARSE_P_RANGE_bitmap_LO               , SPARSE_P_LO_LINEAR
#define SPARSE_P_RANGE_bitmap_HI               , SPARSE_P_HI_LINEAR
#define SPARSE_P_RANGE_bitmap_0arrays          , SPARSE_P_ARRAYS_CRD_SIZE
#define SPARSE_P_RANGE_bitmap_0arguments       , SPARSE_P_ARGUMENTS_CRD_SIZE
#define SPARSE_P_RANGE_bitmap_0slice_arrays    , SPARSE_P_ARRAYS_CRD_SIZE
#define SPARSE_P_RANGE_bitmap_0slice_arguments , SPARSE_P_ARGUMENTS_CRD_SIZE

#define SPARSE_P_CRD_bitmap_NUMBER     , 1
#define SPARSE_P_CRD_bitmap_PLAIN      , 2
#define SPARSE_P_CRD_bitmap_SLICED     , 0shifted_bitmap
#define SPARSE_P_CRD_bitmap_COORDINATE , SPARSE_P_CRD_COUNTED
#define SPARSE_P_CRD_bitmap_SEEK       , SPARSE_P_SEEK_BIT
#define SPARSE_P_CRD_bitmap_ON         , SPARSE_P_BIT
#define SPARSE_P_CRD_bitmap_NEXT       , SPARSE_P_NEXT_BIT
#define SPARSE_P_CRD_bitmap_FIRST      , SPARSE_P_FIRST_BIT
#define SPARSE_P_ARRAYS_CRD_SIZE(A, type, n, pos, crd)                                                                      \
    SPARSE_P_ARRAYS_CRD(A, type, n, pos, crd) SPARSE_P_ARRAYS_SIZE(A, type, n, pos, crd)
#define SPARSE_P_ARGUMENTS_CRD_SIZE(A, type, n, pos, crd)                                                                   \
    SPARSE_P_ARGUMENTS_CRD(A, type, n, pos, crd) SPARSE_P_ARGUMENTS_SIZE(A, type, n, pos, crd)
#define SPARSE_P_SEEK_BIT(A, n, i, bits, m, parent, stride, head, offset)                                                   \
    (SPARSE_P_SEEK_COUNTED(A, n, i, bits, m, parent, bitmap, head, offset) && SPARSE_P_BIT(A, n, bits, stride))
#define SPARSE_P_BIT(A, n, bits, stride)         sparse_p_bit_##bits(sparse_l_##A##n##_crd, sparse_l_p##A##n)
#define SPARSE_P_NEXT_BIT(A, n, bits, stride, p) sparse_p_next_bit_##bits(sparse_l_##A##n##_crd, p, sparse_l_e##A##n)
#define SPARSE_P_FIRST_BIT(A, n, bits, stride)   sparse_l_p##A##n = SPARSE_P_NEXT_BIT(A, n, bits, stride, sparse_l_p##A##n);
/* sparse_p_bit_32(words, p): true if position p is stored.
   sparse_p_next_bit_32(words, p, end): the first stored position of [p, end); end if there is none.
   A loop over the stored positions of [p, end) begins with b = sparse_p_bits_of_32(words, p, end). Each call of
   sparse_p_take_bit_32(words, &b, &p, end) sets p to the next one; it returns false if there is none. b.left holds the
   bits of the current word that are still to be visited; b.word is the position of its lowest bit. */
#define SPARSE_P_BITS_OF(bits)                                                                                              \
    SPARSE_P_INLINE uint##bits##_t sparse_p_bits_from_##bits(const uint##bits##_t *words, size_t p)                         \
    {                                                                                                                       \
        return (uint##bits##_t)(words[p / bits] >> p % bits);                                                               \
    }                                                                                                                       \
    SPARSE_P_INLINE bool sparse_p_bit_##bits(const uint##bits##_t *words, size_t p)                                         \
    {                                                                                                                       \
        return sparse_p_bits_from_##bits(words, p) & 1u;                                                                    \
    }                                                                                                                       \
    SPARSE_UNUSED static inline size_t sparse_p_next_bit_##bits(const uint##bits##_t *words, size_t p, size_t end)          \
    {                                                                                                                       \
        while (p < end && !sparse_p_bit_##bits(words, p)) {                                                                 \
            const uint##bits##_t rest = sparse_p_bits_from_##bits(words, p);                                                \
            p += rest ? sparse_p_first_in(rest, bits) : bits - p % bits;                                                    \
        }                                                                                                                   \
        return sparse_p_min(p, end);                                                                                        \
    }                                                                                                                       \
    typedef struct sparse_bits_##bits {                                                                                     \
        size_t word;                                                                                                        \
        uint##bits##_t left;                                                                                                \
    } sparse_bits_##bits;                                                                                                   \
    SPARSE_P_INLINE sparse_bits_##bits sparse_p_bits_of_##bits(const uint##bits##_t *words, size_t p, size_t end)           \
    {                                                                                                                       \
        const size_t from = p % bits;                                                                                       \
        const sparse_bits_##bits b = {p - from,                                                                             \
                                      (uint##bits##_t)(p < end ? sparse_p_bits_from_##bits(words, p) << from : 0)};         \
        return b;                                                                                                           \
    }                                                                                                                       \
    SPARSE_P_INLINE bool sparse_p_take_bit_##bits(const uint##bits##_t *words, sparse_bits_##bits *b, size_t *p,            \
                                                  size_t end)                                                               \
    {                                                                                                                       \
        while (!b->left) {                                                                                                  \
            b->word += bits;                                                                                                \
            if (b->word >= end) return false;                                                                               \
            b->left = words[b->word / bits];                                                                                \
        }                                                                                                                   \
        *p = b->word + sparse_p_first_in(b->left, bits);                                                                    \
        b->left = (uint##bits##_t)(b->left & (b->left - 1u));                                                               \
        return *p < end;                                                                                                    \
    }
SPARSE_P_BITS_OF(8)
SPARSE_P_BITS_OF(16)
SPARSE_P_BITS_OF(32)
SPARSE_P_BITS_OF(64)
SPARSE_P_INLINE sparse_range sparse_bitmap_range(size_t size, size_t parent) { return sparse_dense_range(size, parent); }
SPARSE_P_INLINE void sparse_bitmap_enter(sparse_level_iterator *i, size_t lo, size_t hi)
{
    const sparse_range r = sparse_bitmap_range(i->size, lo);
    (void)hi;
    i->first = r.begin;
    i->end = r.end;
    sparse_p_go(i, i->first);
}
SPARSE_P_INLINE bool sparse_bitmap_parents(const sparse_level_iterator *i, size_t *at, size_t *coordinate, size_t count,
                                           size_t *parent)
{
    return sparse_dense_parents(i, at, coordinate, count, parent);
}
/* Writing: words [0, *written) of crd are written; in a bitmap level, *written is w->closed. The first function writes
   zeros up to `words`. The second sets bit p. */
SPARSE_P_INLINE void sparse_p_clear_words(sparse_writer *w, size_t *written, size_t words)
{
    while (*written < words) sparse_p_save(w->crd, w->crd_bits, (*written)++, 0);
}
SPARSE_P_INLINE void sparse_p_put_bit(sparse_writer *w, size_t *written, size_t p)
{
    const size_t word = p / w->crd_bits;
    sparse_p_clear_words(w, written, word + 1);
    const uint64_t bits = sparse_p_load(w->crd, w->crd_bits, word);
    sparse_p_save(w->crd, w->crd_bits, word, bits | UINT64_C(1) << p % w->crd_bits);
}
SPARSE_P_INLINE size_t sparse_bitmap_append(sparse_writer *w, size_t parent, size_t coordinate)
{
    const size_t position = sparse_p_append_linear(w, parent, coordinate);
    sparse_p_put_bit(w, &w->closed, position);
    return position;
}
SPARSE_P_INLINE void sparse_bitmap_close(sparse_writer *w, size_t parents)
{
    sparse_dense_close(w, parents);
    sparse_p_clear_words(w, &w->closed, sparse_p_packed_words(w->crd_bits, 1, w->next));
}
#if SPARSE_P_DEFINED
static inline sparse_result sparse_bitmap_check(const sparse_encoding *e, unsigned l)
{
    return sparse_p_check_plain(e, l, 0);
}
static inline bool sparse_bitmap_extent(const sparse_level *v, size_t size, sparse_extent *x)
{
    const bool fits = sparse_dense_extent(v, size, x);
    x->crd = sparse_p_packed_words(x->crd_bits, 1, x->positions);
    return fits;
}
/* Checks that no bit is set beyond the last position. */
static inline sparse_result sparse_bitmap_validate(const sparse_tensor *t, unsigned l, size_t parents, size_t positions,
                                                   sparse_report *where)
{
    const unsigned bits = sparse_crd_bits(t->encoding);
    (void)parents;
    if (positions % bits != 0 && sparse_p_load(t->crd[l].at, bits, positions / bits) >> positions % bits)
        return sparse_p_report(where, SPARSE_E_COORDINATE, "crd", l, positions);
    return SPARSE_OK;
}
#endif

/* >>level bitmask
   Stores the coordinates that have entries, as a compressed level does, but in the form of a bitmap level: crd has a bit
   for each coordinate below each parent. Coordinate c below parent q has bit p % w of word p / w, where p = q * size + c
   and w is the width of coordinates. Only coordinates whose bit is set have positions and values: parent q owns the
   positions [pos[q], pos[q + 1]). A position does not determine its coordinate; a loop counts bits from the coordinate
   that it found before. A bitmask takes fewer bytes than a compressed level if more than one of w coordinates is stored.

       0 5 0 7      pos 0 2 2 4         w = 8: the bits of 1 3 8 10
       0 0 0 0      crd 2 + 8 = 10, 1 + 4 = 5
       9 0 3 0      val 5 7  9 3 */
#define SPARSE_P_STORED_IS_bitmask 0sparse, bitmask, 0unique, 0forward, 0

#define SPARSE_P_LEVEL_ROW_bitmask ()

#define SPARSE_P_RANGE_bitmask_LO         , SPARSE_P_LO_POS
#define SPARSE_P_RANGE_bitmask_HI         , SPARSE_P_HI_POS
#define SPARSE_P_RANGE_bitmask_0arrays    , SPARSE_P_ARRAYS_POS_CRD_SIZE
#define SPARSE_P_RANGE_bitmask_0arguments , SPARSE_P_ARGUMENTS_POS_CRD_SIZE
#define SPARSE_P_RANGE_bitmask_BEGIN      , SPARSE_P_BEGIN_BITMASK

#define SPARSE_P_CRD_bitmask_PLAIN      , 2
#define SPARSE_P_CRD_bitmask_COORDINATE , SPARSE_P_CRD_BITMASK
#define SPARSE_P_CRD_bitmask_SEEK       , SPARSE_P_SEEK_BITMASK
#define SPARSE_P_ARRAYS_POS_CRD_SIZE(A, type, n, pos, crd)                                                                  \
    SPARSE_P_ARRAYS_POS_CRD(A, type, n, pos, crd) SPARSE_P_ARRAYS_SIZE(A, type, n, pos, crd)
#define SPARSE_P_ARGUMENTS_POS_CRD_SIZE(A, type, n, pos, crd)                                                               \
    SPARSE_P_ARGUMENTS_POS_CRD(A, type, n, pos, crd) SPARSE_P_ARGUMENTS_SIZE(A, type, n, pos, crd)
/* A loop over the set bits of [first, end), whose bits are numbered from 0 for `first`, begins with
   b = sparse_p_masked_32(words, first, end). Each call of sparse_p_take_masked_32(&b, &i) sets i to the number of the next
   one; it returns false if there is none. Bits beyond the end are cleared when their word is loaded: on a Cortex-M4 that
   is faster than comparing each bit with the end. Without the test before the loop over words, gcc for a Cortex-M55 would
   compute the number of remaining words for each bit. */
#define SPARSE_P_MASKED_OF(bits)                                                                                            \
    typedef struct sparse_masked_##bits {                                                                                   \
        const uint##bits##_t *words; /* from the word with the bit `first` on */                                            \
        size_t from, end;            /* the first bit, and the end, counted from the lowest bit of words[0] */              \
        size_t base;                 /* the number of the lowest bit of the current word */                                 \
        uint##bits##_t left;         /* the bits of the current word that are still to be visited */                        \
    } sparse_masked_##bits;                                                                                                 \
    SPARSE_P_INLINE uint##bits##_t sparse_p_bits_before_##bits(uint##bits##_t word, size_t count)                           \
    {                                                                                                                       \
        if (count >= bits) return word;                                                                                     \
        return (uint##bits##_t)(word & (((uint##bits##_t)1 << count) - 1));                                                 \
    }                                                                                                                       \
    SPARSE_P_INLINE sparse_masked_##bits sparse_p_masked_##bits(const uint##bits##_t *words, size_t first, size_t end)      \
    {                                                                                                                       \
        const size_t from = first % bits;                                                                                   \
        sparse_masked_##bits b = {first < end ? words + first / bits : words, from, end - (first - from), 0 - from, 0};     \
        if (first < end)                                                                                                    \
            b.left = sparse_p_bits_before_##bits((uint##bits##_t)(sparse_p_bits_from_##bits(words, first) << from), b.end); \
        return b;                                                                                                           \
    }                                                                                                                       \
    SPARSE_P_INLINE bool sparse_p_take_masked_##bits(sparse_masked_##bits *b, size_t *i)                                    \
    {                                                                                                                       \
        if (!b->left) do {                                                                                                  \
                b->base += bits;                                                                                            \
                const size_t word = b->base + b->from;                                                                      \
                if (word < b->end - b->end % bits)                                                                          \
                    b->left = b->words[word / bits];                                                                        \
                else if (word < b->end)                                                                                     \
                    b->left = sparse_p_bits_before_##bits(b->words[word / bits], b->end - word);                            \
                else                                                                                                        \
                    return false;                                                                                           \
            } while (!b->left);                                                                                             \
        *i = b->base + sparse_p_first_in(b->left, bits);                                                                    \
        b->left = (uint##bits##_t)(b->left & (b->left - 1u));                                                               \
        return true;                                                                                                        \
    }
SPARSE_P_MASKED_OF(8)
SPARSE_P_MASKED_OF(16)
SPARSE_P_MASKED_OF(32)
SPARSE_P_MASKED_OF(64)
/* The state of a loop over a bitmask level: coordinate 0 has bit `first`, and position `next` has the first set bit from
   `bit` on. */
typedef struct sparse_p_mask {
    size_t first, bit, next;
} sparse_p_mask;
#define SPARSE_P_BEGIN_BITMASK(A, n, role, above, pos, m, parent, guard)                                                    \
    SPARSE_UNUSED sparse_p_mask sparse_l_##A##n##_mask = sparse_p_mask_of(                                                  \
        guard(A, above, SPARSE_P_LO_LINEAR(A, n, pos, m, parent)), guard(A, above, SPARSE_P_LO_POS(A, n, pos, m, parent)));
#define SPARSE_P_CRD_BITMASK(A, n, p, crd, m, parent, stride, offset)                                                       \
    sparse_p_mask_coordinate(&sparse_l_##A##n##_mask, sparse_l_##A##n##_crd, crd, p)
#define SPARSE_P_SEEK_BITMASK(A, n, i, crd, m, parent, stride, head, offset)                                                \
    sparse_p_mask_seek(&sparse_l_##A##n##_mask, sparse_l_##A##n##_crd, crd, &sparse_l_p##A##n, sparse_l_e##A##n, i)
SPARSE_P_INLINE sparse_p_mask sparse_p_mask_of(size_t first, size_t next)
{
    const sparse_p_mask mask = {first, first, next};
    return mask;
}
SPARSE_P_INLINE bool sparse_p_is_set(const void *crd, unsigned bits, size_t p)
{
    return sparse_p_load(crd, bits, p / bits) >> p % bits & 1;
}

/* Returns the coordinate of position p: counts set bits, forward or back, from the last position. */
SPARSE_P_INLINE size_t sparse_p_mask_coordinate(sparse_p_mask *mask, const void *crd, unsigned bits, size_t p)
{
    for (; mask->next < p; mask->next++) mask->bit = sparse_p_find_bit(crd, bits, mask->bit, SIZE_MAX) + 1;
    for (; mask->next > p; mask->next--) /* loops over several lanes can go back */
        do mask->bit--;
        while (!sparse_p_is_set(crd, bits, mask->bit));
    mask->bit = sparse_p_find_bit(crd, bits, mask->bit, SIZE_MAX);
    return mask->bit - mask->first;
}

/* Moves *p to the first position whose coordinate is not less than i. Returns true if coordinate i is stored. */
SPARSE_P_INLINE bool sparse_p_mask_seek(sparse_p_mask *mask, const void *crd, unsigned bits, size_t *p, size_t end, size_t i)
{
    const size_t bit = mask->first + i;
    if (*p == end) return false;
    mask->next += sparse_p_count_bits(crd, bits, mask->bit, bit);
    mask->next -= sparse_p_count_bits(crd, bits, bit, mask->bit);
    mask->bit = bit;
    *p = mask->next;
    return *p < end && sparse_p_is_set(crd, bits, bit);
}
SPARSE_P_INLINE void sparse_bitmask_enter(sparse_level_iterator *i, size_t lo, size_t hi)
{
    sparse_compressed_enter(i, lo, hi);
    i->first = lo * i->size;
    i->coordinate = SIZE_MAX;
    sparse_p_come_forward(i);
}
/* Moves to the first coordinate that is not less than `coordinate`, and counts the bits in between. */
SPARSE_P_OUTLINE void sparse_p_seek_bit(sparse_level_iterator *i, size_t coordinate)
{
    if (i->position >= i->end || i->coordinate >= coordinate) return;
    coordinate = sparse_p_min(coordinate, i->size);
    i->position += sparse_p_bits_between(i->crd, i->crd_bits, i->first + i->coordinate, i->first + coordinate);
    i->coordinate = coordinate - 1;
    sparse_p_come_forward(i);
}
/* A position determines neither its coordinate nor its parent. */
SPARSE_P_INLINE bool sparse_bitmask_parents(const sparse_level_iterator *i, size_t *at, size_t *coordinate, size_t count,
                                            size_t *parent)
{
    return sparse_delta_parents(i, at, coordinate, count, parent);
}
/* Writing: as in a compressed level. In addition, w->below words of bits are written. */
SPARSE_P_INLINE size_t sparse_bitmask_append(sparse_writer *w, size_t parent, size_t coordinate)
{
    sparse_p_start_compressed(w, parent + 1);
    sparse_p_put_bit(w, &w->below, parent * w->size + coordinate);
    return w->next++;
}
SPARSE_P_INLINE void sparse_bitmask_close(sparse_writer *w, size_t parents)
{
    sparse_compressed_close(w, parents);
    sparse_p_clear_words(w, &w->below, sparse_p_packed_words(w->crd_bits, 1, parents * w->size));
}
#if SPARSE_P_DEFINED
static inline sparse_result sparse_bitmask_check(const sparse_encoding *e, unsigned l)
{
    return sparse_p_check_plain(e, l, 0);
}
static inline bool sparse_bitmask_extent(const sparse_level *v, size_t size, sparse_extent *x)
{
    sparse_extent places = *x;
    const bool fits = sparse_bitmap_extent(v, size, &places);
    x->crd = places.crd;
    return fits && sparse_p_add(&x->pos, x->parents, 1);
}
/* Checks that below each parent as many bits are set as it has positions, and that no bit is set beyond the last
   parent. */
static inline sparse_result sparse_bitmask_validate(const sparse_tensor *t, unsigned l, size_t parents, size_t positions,
                                                    sparse_report *where)
{
    const unsigned bits = sparse_crd_bits(t->encoding);
    const size_t size = t->lvl[l];
    SPARSE_P_TRY(sparse_p_check_pos(t, l, positions, where));
    for (size_t p = 0; p < parents; p++) {
        const sparse_range r = sparse_compressed_range(t->pos[l].at, sparse_pos_bits(t->encoding), p, p + 1);
        if (sparse_p_bits_between(t->crd[l].at, bits, p * size, (p + 1) * size) != r.end - r.begin)
            return sparse_p_report(where, SPARSE_E_POSITIONS, "pos", l, p + 1);
    }
    return sparse_bitmap_validate(t, l, parents, parents * size, where);
}
#endif

/* >>level delta
   delta(bits) stores the coordinates that have entries, as a compressed level does, but as distances. Each number in crd
   says how many coordinates are skipped since the entry before or, for the first entry below a parent, since the
   beginning. A number has `bits` bits, and several are packed into a word of crd, the first in its lowest bits. If a number
   does not fit into `bits` bits, padding precedes the entry: positions with the fill value. A loop can only go forward,
   from one entry to the next.

       0 5 0 7      pos 0 2 2 4
       0 0 0 0      crd 1 1 | | 0 1        with delta(4) in words of 8 bits: 1 + 16 * 1, 0 + 16 * 1
       9 0 3 0      val 5 7     9 3 */
#define SPARSE_P_STORED_OF_delta(...)  0sparse, delta, 0unique, 0forward, SPARSE_P_FIRST(__VA_ARGS__)
#define SPARSE_P_FORMAT_OF_delta(bits) SPARSE_DELTA, 0, bits, 0
#define SPARSE_P_BARE_delta

#define SPARSE_P_LEVEL_ROW_delta ()

#define SPARSE_P_RANGE_delta_LO         , SPARSE_P_LO_POS
#define SPARSE_P_RANGE_delta_HI         , SPARSE_P_HI_POS
#define SPARSE_P_RANGE_delta_0arrays    , SPARSE_P_ARRAYS_POS_CRD
#define SPARSE_P_RANGE_delta_0arguments , SPARSE_P_ARGUMENTS_POS_CRD
#define SPARSE_P_RANGE_delta_BEGIN      , SPARSE_P_BEGIN_DELTA

#define SPARSE_P_CRD_delta_NUMBER     , 1
#define SPARSE_P_CRD_delta_COORDINATE , SPARSE_P_CRD_DELTA
#define SPARSE_P_CRD_delta_SEEK       , SPARSE_P_SEEK_DELTA
/* The state of a loop over a delta level: `sum` is the coordinate at position `next` - 1. Before the first position it
   is SIZE_MAX, which is -1. */
typedef struct sparse_p_run {
    size_t next, sum;
} sparse_p_run;
#define SPARSE_P_BEGIN_DELTA(A, n, role, above, pos, m, parent, guard)                                                      \
    SPARSE_UNUSED sparse_p_run sparse_l_##A##n##_run = {guard(A, above, SPARSE_P_LO_POS(A, n, pos, m, parent)), SIZE_MAX};
#define SPARSE_P_CRD_DELTA(A, n, p, crd, bits, parent, stride, offset)                                                      \
    sparse_p_run_to(&sparse_l_##A##n##_run, sparse_l_##A##n##_crd, crd, bits, p)
#define SPARSE_P_SEEK_DELTA(A, n, i, crd, bits, parent, stride, head, offset)                                               \
    sparse_p_run_seek(&sparse_l_##A##n##_run, sparse_l_##A##n##_crd, crd, bits, &sparse_l_p##A##n, sparse_l_e##A##n, i)
/* Returns the coordinate of position p: adds distances, or subtracts them, from the last position. */
SPARSE_P_INLINE size_t sparse_p_run_to(sparse_p_run *run, const void *crd, unsigned width, size_t bits, size_t p)
{
    while (run->next <= p) run->sum += sparse_p_packed(crd, width, bits, run->next++) + 1;
    /* loops over several lanes can go back */
    while (run->next > p + 1) run->sum -= sparse_p_packed(crd, width, bits, --run->next) + 1;
    return run->sum;
}

/* Moves *p to the first coordinate that is not less than i, or to end. Returns true if it is i. */
SPARSE_P_INLINE bool sparse_p_run_seek(sparse_p_run *run, const void *crd, unsigned width, size_t bits, size_t *p,
                                       size_t end, size_t i)
{
    while (*p < end && sparse_p_run_to(run, crd, width, bits, *p) < i) ++*p;
    return *p < end && run->sum == i;
}
SPARSE_P_INLINE void sparse_delta_enter(sparse_level_iterator *i, size_t lo, size_t hi)
{
    sparse_compressed_enter(i, lo, hi);
    i->coordinate = SIZE_MAX;
    sparse_p_come_forward(i);
}
/* A position determines neither its coordinate nor its parent. */
SPARSE_P_INLINE bool sparse_delta_parents(const sparse_level_iterator *i, size_t *at, size_t *coordinate, size_t count,
                                          size_t *parent)
{
    (void)i, (void)at, (void)coordinate, (void)count, (void)parent;
    return false;
}
/* Writing: as in a compressed level. The arrays have room for the padding too. */
SPARSE_P_OUTLINE size_t sparse_p_append_delta(sparse_writer *w, size_t parent, size_t coordinate)
{
    const size_t most = (size_t)sparse_p_largest(w->n);
    if (w->closed <= parent) w->below = 0;
    sparse_p_start_compressed(w, parent + 1);
    for (; coordinate - w->below > most; w->below += most + 1) sparse_p_append_packed(w, most);
    const size_t gap = coordinate - w->below;
    w->below = coordinate + 1;
    return sparse_p_append_packed(w, gap);
}
SPARSE_P_INLINE size_t sparse_delta_append(sparse_writer *w, size_t parent, size_t coordinate)
{
    return sparse_p_append_delta(w, parent, coordinate);
}
SPARSE_P_INLINE void sparse_delta_close(sparse_writer *w, size_t parents) { sparse_compressed_close(w, parents); }
#if SPARSE_P_DEFINED
static inline sparse_result sparse_delta_check(const sparse_encoding *e, unsigned l)
{
    const unsigned bits = e->level[l].n;
    if (bits == 0 || bits > sparse_crd_bits(e) || bits > 32 || e->level[l].m > 0) return SPARSE_E_DELTA;
    return sparse_p_check_properties(e, l, 0);
}
static inline bool sparse_delta_extent(const sparse_level *v, size_t size, sparse_extent *x)
{
    (void)size;
    x->crd = v->n > 0 && v->n <= x->crd_bits ? sparse_p_packed_words(x->crd_bits, v->n, x->positions) : 0;
    return sparse_p_add(&x->pos, x->parents, 1);
}
/* Checks that the coordinates below each parent stay within the level. */
static inline sparse_result sparse_delta_validate(const sparse_tensor *t, unsigned l, size_t parents, size_t positions,
                                                  sparse_report *where)
{
    const sparse_encoding *const e = t->encoding;
    SPARSE_P_TRY(sparse_p_check_pos(t, l, positions, where));
    for (size_t parent = 0; parent < parents; parent++) {
        const sparse_range r = sparse_compressed_range(t->pos[l].at, sparse_pos_bits(e), parent, parent + 1);
        size_t rest = t->lvl[l];
        for (size_t p = r.begin; p < r.end; p++) {
            const size_t gap = sparse_p_packed(t->crd[l].at, sparse_crd_bits(e), e->level[l].n, p);
            if (gap >= rest) return sparse_p_report(where, SPARSE_E_COORDINATE, "crd", l, p);
            rest -= gap + 1;
        }
    }
    return SPARSE_OK;
}
#endif

/* >>iterators
   A level is a sequence of coordinates below every position of the level above; below the root there is one position, 0.
   To walk the levels of a matrix, y = A x:

       sparse_level_iterator i = sparse_level_begin(A, 0, 0), j = sparse_level_open(A->encoding, A, 1);
       for (; sparse_level_valid(&i); sparse_level_next(&i)) {
           sparse_level_enter(&j, i.position, i.position + 1);
           for (; sparse_level_valid(&j); sparse_level_next(&j))
               y[sparse_level_coordinate(&i)] += value[j.position] * x[sparse_level_coordinate(&j)];
       }

   The position in the last level is the position of the value. All functions are inlined. If the encoding given to
   sparse_level_open is a constant, only the loads of the arrays remain. */

/* Returns an iterator over level l of t that has not entered any position yet. e is the encoding of t; pass it as a
   constant if you can. The functions of level iterators check nothing: t has storage, l is one of its levels, and an
   iterator enters only positions of the level above. */
SPARSE_P_INLINE sparse_level_iterator sparse_level_open(const sparse_encoding *e, const sparse_tensor *t, unsigned l)
{
    const sparse_p_column c = sparse_p_crd(e, t, l);
    sparse_level_iterator i;
    i.position = i.end = i.first = i.coordinate = 0;
    i.size = t->lvl[l];
    i.pos = t->pos[l].at;
    i.crd = c.at;
    i.stride = c.stride;
    i.n = e->level[l].n;
    i.type = e->level[l].type;
    i.traits = (uint16_t)sparse_p_traits(i.type);
    i.packed_bits = (uint8_t)sparse_p_packed_bits(&e->level[l]);
    i.properties = e->level[l].properties;
    i.pos_bits = (uint8_t)sparse_pos_bits(e);
    i.crd_bits = (uint8_t)sparse_crd_bits(e);
    return i;
}

/* Moves to the first coordinate below the positions [lo, hi) of the level above: one position or, above a singleton, a
   segment of equal coordinates (sparse_level_segment). */
SPARSE_P_INLINE void sparse_level_enter(sparse_level_iterator *i, size_t lo, size_t hi)
{
    switch (i->type) {
#define SPARSE_P_LEVEL_ROW(NAME, name, traits)                                                                              \
case NAME:                                                                                                                  \
    sparse_##name##_enter(i, lo, hi);                                                                                       \
    break;
        SPARSE_LEVELS(SPARSE_P_LEVEL_ROW)
#undef SPARSE_P_LEVEL_ROW
    default:
        break;
    }
}

/* Returns an iterator over the coordinates of level l of t below `parent`, a position of the level above. */
SPARSE_P_INLINE sparse_level_iterator sparse_level_begin(const sparse_tensor *t, unsigned l, size_t parent)
{
    sparse_level_iterator i = sparse_level_open(t->encoding, t, l);
    sparse_level_enter(&i, parent, parent + 1);
    return i;
}

/* True if the iterator is at a coordinate. */
SPARSE_P_INLINE bool sparse_level_valid(const sparse_level_iterator *i) { return i->position < i->end; }

/* The coordinate at position p of the level. In a forward level, the iterator must be at p. */
SPARSE_P_INLINE size_t sparse_p_coordinate(const sparse_level_iterator *i, size_t p)
{
    if (i->traits & SPARSE_TRAIT_LINEAR) return p - i->first;
    if (i->traits & SPARSE_TRAIT_FORWARD) return i->coordinate;
    return i->traits & SPARSE_TRAIT_PACKED ? sparse_p_packed_at(i, p) : sparse_load(i->crd, i->crd_bits, p * i->stride);
}

/* The coordinate at the iterator, which must be valid. */
SPARSE_P_INLINE size_t sparse_level_coordinate(const sparse_level_iterator *i)
{
    return sparse_p_coordinate(i, i->position);
}

/* Moves to the next coordinate. */
SPARSE_P_INLINE void sparse_level_next(sparse_level_iterator *i) { sparse_p_go(i, i->position + 1); }

/* Returns the end of the segment of positions that have the same coordinate as the iterator, which must be valid. In a
   unique level this is the next position. */
SPARSE_P_INLINE size_t sparse_level_segment(const sparse_level_iterator *i)
{
    size_t hi = i->position + 1;
    if (i->properties & SPARSE_NONUNIQUE)
        while (hi < i->end && sparse_p_coordinate(i, hi) == sparse_level_coordinate(i)) hi++;
    return hi;
}

/* Moves to the first coordinate that is not less than `coordinate`. The level must be ordered. Takes one step in a dense
   level; in a level with crd, galloping, in time logarithmic in the distance; in a packed or delta level, a scan. In a
   bitmask level it counts bits. */
SPARSE_P_INLINE void sparse_level_seek(sparse_level_iterator *i, size_t coordinate)
{
    if (i->traits & SPARSE_TRAIT_LINEAR) {
        const size_t p = coordinate < i->end - i->first ? i->first + coordinate : i->end;
        if (p > i->position) sparse_p_go(i, p);
        return;
    }
    if (i->traits & SPARSE_TRAIT_MASK) {
        sparse_p_seek_bit(i, coordinate);
        return;
    }
    if (i->traits & SPARSE_TRAIT_PACKED) {
        while (sparse_level_valid(i) && sparse_level_coordinate(i) < coordinate) sparse_p_step(i);
        return;
    }
    i->position = sparse_p_gallop(i->crd, i->crd_bits / 8u, i->stride, i->position, i->end, 0, coordinate);
}

/* True if `coordinate` is stored at or after the iterator; then moves there. A dense level needs one step, an ordered one
   galloping, any other a scan. */
SPARSE_P_INLINE bool sparse_level_locate(sparse_level_iterator *i, size_t coordinate)
{
    if (!(i->properties & SPARSE_NONORDERED))
        sparse_level_seek(i, coordinate);
    else
        while (sparse_level_valid(i) && sparse_level_coordinate(i) != coordinate) sparse_level_next(i);
    return sparse_level_valid(i) && sparse_level_coordinate(i) == coordinate;
}

/* The next coordinate when two ordered, unique levels are merged, and which of them store it. */
typedef struct sparse_coiteration {
    size_t coordinate;
    bool has_a, has_b;
} sparse_coiteration;

/* Returns the smaller of the two current coordinates, and which iterators have it. If both are exhausted, neither has it. */
SPARSE_P_INLINE sparse_coiteration sparse_coiterate(const sparse_level_iterator *a, const sparse_level_iterator *b)
{
    sparse_coiteration m = {0, sparse_level_valid(a), sparse_level_valid(b)};
    const size_t i = m.has_a ? sparse_level_coordinate(a) : SIZE_MAX;
    const size_t j = m.has_b ? sparse_level_coordinate(b) : SIZE_MAX;
    m.coordinate = i < j ? i : j;
    m.has_a = m.has_a && i == m.coordinate;
    m.has_b = m.has_b && j == m.coordinate;
    return m;
}

/* Moves from m to the next coordinate. */
SPARSE_P_INLINE sparse_coiteration sparse_coiterate_next(sparse_coiteration m, sparse_level_iterator *a,
                                                         sparse_level_iterator *b)
{
    if (m.has_a) sparse_level_next(a);
    if (m.has_b) sparse_level_next(b);
    return sparse_coiterate(a, b);
}

/* SPARSE_COITERATE(m, a, b): a loop over every coordinate of the iterators a or b, in order; a and b are variables:
     double dot = 0;
     SPARSE_COITERATE(m, a, b) {
         if (m.has_a && m.has_b) dot += x[a.position] * y[b.position];
     } */
#define SPARSE_COITERATE(m, a, b)                                                                                           \
    for (sparse_coiteration m = sparse_coiterate(&(a), &(b)); m.has_a || m.has_b; m = sparse_coiterate_next(m, &(a), &(b)))

/* A part of a dimension: its coordinate i, for i < size, is coordinate offset + i * stride of the dimension. */
typedef struct sparse_slice {
    size_t offset, size, stride;
} sparse_slice;

/* Returns the dimension coordinate of slice coordinate i. */
SPARSE_P_INLINE size_t sparse_slice_coordinate(size_t i, sparse_slice s) { return s.offset + i * s.stride; }

/* Returns the distance in the dimension of two coordinates whose distance in the slice is `apart`. If the slice has at
   most `apart` coordinates, it cannot contain both, and the result is `apart`. */
SPARSE_P_INLINE size_t sparse_slice_steps(size_t apart, sparse_slice s) { return apart < s.size ? apart * s.stride : apart; }

/* Checks that there is a slice for every dimension of t, with a stride greater than 0, and within the dimension; else
   E_ARGUMENT. The size of a slice may be 0. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_check_slices(const sparse_tensor *t, const sparse_slice *slice);

/* A position in a whole tensor, for loops over its entries in storage order, with their dimension coordinates. */
typedef struct sparse_cursor {
    size_t dim[SPARSE_MAX_RANK]; /* coordinates of the entry */
    void *value;                 /* do not write to it if the type has a constant value */
    size_t position;             /* the position of the value */
    size_t base;                 /* position of the first value of the batch */
    bool valid;
    unsigned run; /* from this level on, all levels are singletons, so that one position is one entry */
    char *values; /* address of the first value, and distance of values */
    size_t size;
    const sparse_tensor *tensor;
    const sparse_slice *slice; /* a slice for each dimension; null: everything */
    bool plain;                /* true if there are no slices, differences, or bitmap levels */
    /* blocked dimensions: where the current block begins; differences: the current diagonal */
    size_t block[SPARSE_MAX_RANK];
    sparse_level_iterator level[SPARSE_MAX_LEVELS];
} sparse_cursor;

/* Takes coordinate `at` of level l. If it completes a diagonal, also computes the coordinate of the other dimension. */
SPARSE_API bool sparse_p_take_derived(sparse_cursor *c, unsigned l, size_t at);

/* True if position p of level l is stored, that is, if its bit in a bitmap is set. */
SPARSE_P_INLINE bool sparse_p_is_stored(const sparse_level_iterator *i, size_t p)
{
    return !(i->traits & SPARSE_TRAIT_BITS) || sparse_p_next_bit(i->crd, i->crd_bits, p, p + 1) == p;
}

/* Computes dimension coordinates from level l at position p. Returns false if the cursor must skip the position: it is in
   the part of a block or diagonal outside of the tensor, or outside of the slice. */
SPARSE_P_INLINE bool sparse_p_take(sparse_cursor *c, unsigned l, size_t p)
{
    const sparse_level *v = &c->tensor->encoding->level[l];
    size_t i = sparse_p_coordinate(&c->level[l], p);
    if (v->map != SPARSE_MAP_DIM) {
        if (v->map != SPARSE_MAP_MOD) {
            c->block[v->dim] = v->map == SPARSE_MAP_FLOORDIV ? i * (size_t)v->c : i;
            return c->plain || sparse_p_is_stored(&c->level[l], p);
        }
        if (i >= c->tensor->dim[v->dim] - c->block[v->dim]) return false;
        i += c->block[v->dim];
    }
    c->dim[v->dim] = i;
    return c->plain || (sparse_p_is_stored(&c->level[l], p) && sparse_p_take_derived(c, l, i));
}

/* Takes the current position of level l, and of all levels that share it. Returns false if the cursor must skip it. */
SPARSE_P_INLINE bool sparse_p_take_position(sparse_cursor *c, unsigned l)
{
    const size_t p = c->level[l].position;
    const unsigned last = l == c->run ? c->tensor->encoding->levels - 1u : l;
    for (; l <= last; l++)
        if (!sparse_p_take(c, l, p)) return false;
    return true;
}

/* Sets c->value to the value of the current entry. */
SPARSE_P_INLINE void sparse_p_take_value(sparse_cursor *c)
{
    c->position = c->base + c->level[c->run].position;
    c->value = c->values + c->position * c->size;
}

/* Moves to the next entry, after level l was entered or advanced. */
SPARSE_API void sparse_p_settle(sparse_cursor *c, unsigned l);

/* Returns a cursor at the first entry of t in the slices, which must be valid (sparse_check_slices). Null: all of t. */
SPARSE_API sparse_cursor sparse_begin_slice(const sparse_tensor *t, const sparse_slice *slice);

/* Returns a cursor at the first entry of t. */
static inline sparse_cursor sparse_begin(const sparse_tensor *t) { return sparse_begin_slice(t, NULL); }

/* True if the cursor is at an entry. */
SPARSE_P_INLINE bool sparse_valid(const sparse_cursor *c) { return c->valid; }

/* Moves to the next entry. */
SPARSE_P_INLINE void sparse_next(sparse_cursor *c)
{
    sparse_level_iterator *i = &c->level[c->run];
    sparse_p_step(i); /* skips positions that are not stored */
    if (sparse_level_valid(i) && sparse_p_take_position(c, c->run))
        sparse_p_take_value(c);
    else
        sparse_p_settle(c, c->run);
}

/* SPARSE_FOREACH(cursor, tensor): a loop over every entry of *tensor in storage order. It also visits
   padding, which has the fill value: in dense levels, as those of blocks and diagonals, in n:m groups and delta levels.
     SPARSE_FOREACH(c, &A) y[c.dim[0]] += SPARSE_VALUE(c, double) * x[c.dim[1]]; */
#define SPARSE_FOREACH(cursor, tensor)                                                                                      \
    for (sparse_cursor cursor = sparse_begin(tensor); sparse_valid(&cursor); sparse_next(&cursor))

/* SPARSE_FOREACH for the entries within slices, one for each dimension. The coordinates are slice coordinates. */
#define SPARSE_FOREACH_SLICE(cursor, tensor, slice)                                                                         \
    for (sparse_cursor cursor = sparse_begin_slice(tensor, slice); sparse_valid(&cursor); sparse_next(&cursor))

/* The value at a cursor, an lvalue of the type of the tensor's values. */
#define SPARSE_VALUE(cursor, type) (*(type *)(cursor).value)

/* >>packing
   Builds a tensor from entries, and lists the entries of a tensor. */

/* Combines a second value at the same coordinates with the first: *acc = *acc (+) *v. */
typedef void sparse_combine(void *acc, const void *v, void *context);

/* How to treat values at the same coordinates. */
typedef enum sparse_duplicates {
    SPARSE_DUPLICATES_SUM,   /* add the values in the given order; 16-bit floats are added in float, integers wrap */
    SPARSE_DUPLICATES_LAST,  /* keep the last value */
    SPARSE_DUPLICATES_ERROR, /* refuse: E_DUPLICATE */
    SPARSE_DUPLICATES_KEEP   /* store all of them if the last level is nonunique; else refuse: E_DUPLICATE */
} sparse_duplicates;

/* t = the tensor of sizes dim[0..rank) whose entries are values[k], of the encoding's value type, at
   coordinates[k * rank ...], for k < count, in any order. Zeros are stored like any other value. Linear time; t owns its
   arrays. Errors: E_ALIAS if `coordinates` or `values` lie in arrays that t owns; t is then unchanged. E_COORDINATE;
   E_DUPLICATE; E_VALUE_TYPE for a sum of opaque values; E_ARGUMENT for an unknown `how`; E_CONSTANT; E_FULL if a singleton,
   structured or packed level cannot hold the entries; E_POSITION_WIDTH; E_COORDINATE_WIDTH; E_OVERFLOW; E_MEMORY; otherwise
   as for sparse_encoding_check. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_pack_untyped(sparse_tensor *t, const size_t *dim, size_t count,
                                                              const size_t *coordinates, const void *values,
                                                              sparse_duplicates how);

/* sparse_pack_untyped with a function for values at the same coordinates: combine(first, other, context) is called for
   each of the others, in the given order. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_pack_with_untyped(sparse_tensor *t, const size_t *dim, size_t count,
                                                                   const size_t *coordinates, const void *values,
                                                                   sparse_combine *combine, void *context);

/* t = the tensor of sizes dim[0..rank) with the given values, of the encoding's value type, the last dimension fastest.
   Zeros are left out, except where a level stores every coordinate. Errors: as for sparse_pack_untyped. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_pack_dense_untyped(sparse_tensor *t, const size_t *dim, const void *values);

/* Lists the entries of t in storage order in the caller's arrays: coordinates[k * rank ...] and values[k] for k < *count.
   There are at most t->val.length entries; padding outside of the tensor is left out. Either array may be null. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_unpack_untyped(const sparse_tensor *t, size_t *coordinates, void *values,
                                                                size_t *count);

/* >>conversion */

/* dst = src, in the encoding of dst, which must have the rank (E_DIMENSIONS), value type and fill
   value (E_VALUE_TYPE) of src. All stored entries are copied, zeros included. If the last level of src pads
   (dense, batch, structured, packed), only nonzeros are copied. If dst cannot hold several entries with the same
   coordinates, they are added up. If the type of dst has a constant value, every copied value must be equal to it:
   E_CONSTANT. Linear time. Other errors: as for sparse_pack_untyped, E_EMPTY, E_ALIAS. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_convert(sparse_tensor *dst, const sparse_tensor *src);

/* values = t, the last dimension fastest, in the caller's array, whose length is the product of the sizes of t. Elements
   that are not stored are zero, or the fill value; stored values keep their bits. Values at the same coordinates are
   added; of opaque values, the last is kept. Allocates memory only if coordinates can repeat: E_MEMORY. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_unpack_dense_untyped(const sparse_tensor *t, void *values);

/* Sets *equal: true if a and b have the same rank, value type and sizes, and equal values everywhere, up to |x - y| <=
   tolerance * max(1, |x|, |y|). Their encodings may differ. Opaque values are equal if their bytes are; E_VALUE_TYPE if
   several have the same coordinates, because they cannot be added. Allocates memory from the hooks of a: E_MEMORY. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_equal(const sparse_tensor *a, const sparse_tensor *b, double tolerance,
                                                       bool *equal);

/* >>validation */

/* Checks that the arrays of t have the lengths that its levels demand, that positions and coordinates are in range and
   in order, and that unique levels do not repeat a coordinate. If a check fails, returns the error and, if `where` is
   not null, sets *where to the element: E_EMPTY, E_SHAPE (level sizes), E_LENGTH, E_POSITIONS, E_COORDINATE, E_ORDER,
   the errors of sparse_encoding_check and sparse_level_sizes. Reads nothing outside of the arrays, provided that they
   are as long as t says. Time is linear in the entries. Allocates memory only for loose ranges out of order, for unique
   levels that are not ordered, and for slices: E_MEMORY. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_validate(const sparse_tensor *t, sparse_report *where);

/* >>assembly
   Tensors from the arrays of other software, and back. */

/* An array of the caller, which is only read: `length` elements of a known type. SPARSE_ARRAY(at, length) initialises one
   from a typed pointer. A `size` of 0 means that the type is unknown; sparse_assemble refuses such an array. */
typedef struct sparse_array {
    const void *at;
    size_t length;
    size_t size;      /* the size of an element in bytes */
    sparse_kind kind; /* the kind of an element */
} sparse_array;
#ifdef __cplusplus
template <class T> sparse_array sparse_p_array_of(const T *at, size_t length)
{
    const sparse_array array = {at, length, sizeof(T), SPARSE_KIND(T)};
    return array;
}
template <> sparse_array sparse_p_array_of<void>(const void *at, size_t length) = delete;
    #define SPARSE_ARRAY(at, length) sparse_p_array_of(at, length)
#else
    #define SPARSE_ARRAY(at, length)                                                                                        \
        {                                                                                                                   \
            at, length, _Generic((at), void *: (size_t)0, const void *: (size_t)0, default: sizeof *(at)),               \
                SPARSE_P_KIND_OF_VALUE(*(at))  \
        }
#endif

/* The arrays of a tensor, as its encoding requires: see sparse_tensor. For example, a matrix in CSR from the
   int *rowptr, *colind and double *val of other software:
     (sparse_arrays){.pos[1] = SPARSE_ARRAY(rowptr, rows + 1), .crd[1] = SPARSE_ARRAY(colind, entries),
                     .val = SPARSE_ARRAY(val, entries)}
   If pos or crd count from 1, as in Fortran, set pos_base or crd_base to 1. */
typedef struct sparse_arrays {
    sparse_array pos[SPARSE_MAX_LEVELS];
    sparse_array crd[SPARSE_MAX_LEVELS];
    sparse_array val;
    size_t pos_base, crd_base;
} sparse_arrays;

/* An array of the caller with room for `capacity` elements, of which `length` are in use. */
typedef struct sparse_room {
    sparse_buffer pos[SPARSE_MAX_LEVELS];
    sparse_buffer crd[SPARSE_MAX_LEVELS];
    sparse_buffer val;
} sparse_room;

typedef enum sparse_ownership {
    SPARSE_COPY, /* the tensor copies the arrays and owns the copies */
    /* the tensor uses the caller's arrays, which must outlive it, and never frees or moves them. Code that changes the
       tensor's values (an output, update(), sparse_zero) writes to them, so they must then not be constants */
    SPARSE_BORROW
} sparse_ownership;

/* t = the tensor of sizes dim[0..rank) that is stored in the arrays, `length` elements of each. Elements of pos and crd
   must be integers of the encoding's widths, unsigned or signed; elements of val must have its value type. Otherwise
   E_ELEMENT, and *where names the array. If the encoding has a constant value, values are not read. The arrays are
   validated: errors are as for sparse_validate, and unless `where` is null, *where is the wrong element. Negative numbers
   are errors, like numbers that are too large.
   Arrays that do not count from 0 are copied, so that the tensor counts from 0, even if it borrows the other arrays:
   E_MEMORY; sparse_free frees the copies. E_ALIAS if t owns one of the arrays; E_ARGUMENT for an unknown ownership. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_assemble(sparse_tensor *t, const size_t *dim, const sparse_arrays *arrays,
                                                          sparse_ownership ownership, sparse_report *where);

/* t = the tensor of sizes dim[0..rank) with the array at `values`, in the order of the levels of t, which must all be
   dense (E_ENCODING). The array must outlive t, which never frees or moves it. A kernel that writes to t writes to the
   array, so it must then not be a constant. E_ALIAS if t owns the array. Other errors: as for sparse_resize_dims. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_borrow_untyped(sparse_tensor *t, const size_t *dim, const void *values);

/* Returns the arrays of t, in the form that sparse_assemble takes. t still owns them. */
SPARSE_API sparse_arrays sparse_arrays_of(const sparse_tensor *t);

/* csr_borrow_arrays calls sparse_p_borrow_typed. The compiler knows the encoding, so a program contains only the checks
   of its own level types. An encoding with batches, counts or unordered levels takes sparse_assemble instead. */
typedef struct sparse_p_level_check sparse_p_level_check;
SPARSE_NODISCARD SPARSE_API sparse_result sparse_p_borrow_arrays(sparse_tensor *t, const sparse_encoding *e,
                                                                 const size_t *dim, const sparse_arrays *arrays,
                                                                 sparse_report *where,
                                                                 const sparse_p_level_check *const *check);
#define SPARSE_P_LEVEL_ROW(NAME, name, traits) SPARSE_API const sparse_p_level_check *sparse_p_check_of_##name(void);
SPARSE_LEVELS(SPARSE_P_LEVEL_ROW)
#undef SPARSE_P_LEVEL_ROW
SPARSE_P_INLINE const sparse_p_level_check *sparse_p_check_of(const sparse_encoding *e, unsigned l)
{
    if (l >= SPARSE_MAX_LEVELS || l >= e->levels) return NULL;
    switch (e->level[l].type) {
#define SPARSE_P_LEVEL_ROW(NAME, name, traits)                                                                              \
case NAME:                                                                                                                  \
    return sparse_p_check_of_##name();
        SPARSE_LEVELS(SPARSE_P_LEVEL_ROW)
#undef SPARSE_P_LEVEL_ROW
    default:
        return NULL;
    }
}
/* OF_LEVELS(is, e): is(e, l) for any level l? It is no loop, so that compilers evaluate it. A program without such levels
   then does not contain the functions and conversions that they need. */
#define SPARSE_P_OF_LEVELS(is, e)                                                                                           \
    (is(e, 0) || is(e, 1) || is(e, 2) || is(e, 3) || is(e, 4) || is(e, 5) || is(e, 6) || is(e, 7))
SPARSE_P_INLINE bool sparse_p_is_seldom_level(const sparse_encoding *e, unsigned l)
{
    return l < SPARSE_MAX_LEVELS && l < e->levels &&
           (sparse_p_is_batch_level(&e->level[l]) || e->level[l].map == SPARSE_MAP_COUNT ||
            e->level[l].properties & SPARSE_NONORDERED);
}
SPARSE_P_INLINE sparse_result sparse_p_borrow_typed(sparse_tensor *t, const sparse_encoding *e, const size_t *dim,
                                                    const sparse_arrays *arrays, sparse_report *where)
{
    if (SPARSE_P_OF_LEVELS(sparse_p_is_seldom_level, e)) return sparse_assemble(t, dim, arrays, SPARSE_BORROW, where);
    const sparse_p_level_check *const check[] = {sparse_p_check_of(e, 0), sparse_p_check_of(e, 1), sparse_p_check_of(e, 2),
                                                 sparse_p_check_of(e, 3), sparse_p_check_of(e, 4), sparse_p_check_of(e, 5),
                                                 sparse_p_check_of(e, 6), sparse_p_check_of(e, 7)};
    return sparse_p_borrow_arrays(t, e, dim, arrays, where, check);
}

/* Copies the arrays of t into the caller's arrays. Each has room for `capacity` elements at `at`; its `length` becomes
   the number of elements that t has. E_CAPACITY if one is too small. The lengths are set even then, so a call with a
   zeroed `room` returns the lengths. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_disassemble(const sparse_tensor *t, sparse_room *room);

/* >>operations
   The operations of MLIR's sparse_tensor dialect about storage, in addition to those above. sparse_print and files are in
   sparse_io.h; sparse_entries is number_of_entries; SPARSE_FOREACH is foreach; for a sparse constant, call
   sparse_pack_untyped with constant arrays. */

/* A read-only array of a tensor. The k-th number is sparse_load(at, bits, k * stride); the k-th value is element k *
   stride. If the stride is 0, all values are the same. */
typedef struct sparse_view {
    const void *at;
    size_t length, stride;
    unsigned bits; /* the width of a number; 0 for values */
} sparse_view;

/* The size of level l; the size of dimension d; 0 if there is no such level or dimension. */
static inline size_t sparse_lvl(const sparse_tensor *t, unsigned l) { return t && l < SPARSE_MAX_LEVELS ? t->lvl[l] : 0; }
static inline size_t sparse_dim(const sparse_tensor *t, unsigned d) { return t && d < SPARSE_MAX_RANK ? t->dim[d] : 0; }

/* The positions of level l; length 0 if it stores none. */
SPARSE_API sparse_view sparse_positions(const sparse_tensor *t, unsigned l);

/* The coordinates of level l, also if it shares the array of the level above; length 0 if it stores none. */
SPARSE_API sparse_view sparse_coordinates(const sparse_tensor *t, unsigned l);

/* The coordinates of the COO levels at the end of an encoding, one entry after the other, in one array; length 0 if the
   last two levels are not AoS. */
SPARSE_API sparse_view sparse_coordinates_buffer(const sparse_tensor *t);

/* The array of values; null if there is none. */
static inline void *sparse_p_values_of(const sparse_tensor *t) { return t ? t->val.at : NULL; }

/* The values, `length` of them. */
SPARSE_API sparse_view sparse_values(const sparse_tensor *t);

/* The numbers that a storage specifier holds. */
typedef enum sparse_specifier { SPARSE_LVL_SZ, SPARSE_POS_MEM_SZ, SPARSE_CRD_MEM_SZ, SPARSE_VAL_MEM_SZ } sparse_specifier;

/* Returns the size of level l, the number of its positions or coordinates in use, or, for any l, the number of values. */
SPARSE_API size_t sparse_storage_specifier(const sparse_tensor *t, sparse_specifier what, unsigned l);

typedef enum sparse_direction { SPARSE_DIM_TO_LVL, SPARSE_LVL_TO_DIM } sparse_direction;

/* to = the level coordinates of dimension coordinates, or the reverse. `from` has `count` coordinates, which must be the
   number of dimensions, or of levels, of the encoding (E_RANK); `to` has room for the result. E_ARGUMENT for an unknown
   direction. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_crd_translate(const sparse_encoding *e, sparse_direction direction,
                                                               const size_t *from, size_t count, size_t *to);

/* *view = the storage of src with another map. The view borrows the arrays of src and must not outlive them. The
   encodings must have the same widths, values and level types (E_ENCODING), and the dimension sizes of the view must give
   the levels the sizes that they have in src (E_SHAPE). If the same two levels divide a dimension of src and one of the
   view into blocks, both dimensions have one size. Other blocked dimensions of the view consist of whole blocks. Examples:
   CSC of A is CSR of A'; BSR is a tensor of four dimensions; DIA of A is DIA of A' by columns. Frees the old contents of
   the view. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_reinterpret_map(sparse_tensor *view, const sparse_tensor *src);

/* dst(i[order[0]], i[order[1]], ...) = src(i[0], i[1], ...) in the encoding of dst. order is a permutation of the
   dimensions (E_ARGUMENT). No intermediate copy is made. Errors: as for sparse_convert. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_transpose(sparse_tensor *dst, const sparse_tensor *src,
                                                           const unsigned *order);

/* dst = the inputs one after the other along dimension d, in the encoding of dst. There must be at least two
   (E_ARGUMENT), with the rank of dst (E_DIMENSIONS) and equal sizes in the other dimensions (E_SHAPE). Other errors: as
   for sparse_convert. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_concatenate(sparse_tensor *dst, unsigned d,
                                                             const sparse_tensor *const *input, size_t count);

/* dst = the Kronecker product of a and b: dst(i[0] * n[0] + k[0], i[1] * n[1] + k[1], ...) = a(i) * b(k), where b has the
   sizes n[0], n[1], ... The result is stored in the encoding of dst. All three tensors have the same rank, else
   E_DIMENSIONS, and the same type of values; its kind is not opaque and its fill value is zero, else E_VALUE_TYPE. Integers
   wrap. Takes time for each pair of a stored value of a and one of b, and memory for each pair of entries. Other errors:
   as for sparse_convert. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_kron(sparse_tensor *dst, const sparse_tensor *a, const sparse_tensor *b);

/* dst = src with other dimensions, dim[0..rank of dst), whose sizes have the same product (E_SHAPE). An entry keeps its
   number, counted with the last dimension fastest. Can collapse and expand dimensions. Other errors: as for
   sparse_convert. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_reshape(sparse_tensor *dst, const size_t *dim, const sparse_tensor *src);

/* dst = the entries of src within the slices, one for each dimension. Their coordinates and the sizes of dst are relative
   to the slices. E_ARGUMENT if a slice is not valid. Other errors: as for sparse_convert. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_convert_slice(sparse_tensor *dst, const sparse_tensor *src,
                                                               const sparse_slice *slice);

/* Appends n copies of an element of `size` bytes to b (E_ARGUMENT if n or size is 0). The array grows by at least half,
   so that on average each element is moved a constant number of times. b must be owned, or empty; value may be an
   element of it. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_push_back_untyped(const sparse_hooks *hooks, sparse_buffer *b, size_t size,
                                                                   const void *value, size_t n);

/* Collects entries for a tensor, whose encoding determines the value type:

     sparse_insertion in = SPARSE_INSERTION(&A.t);
     sparse_result r = sparse_insert_begin(&in, NULL);
     for (...) if (!r) r = csr_insert(&in, (size_t[]){i, j}, value);
     if (!r) r = sparse_insert_end(&in, SPARSE_DUPLICATES_SUM); else sparse_insert_cancel(&in);

   Several threads can each insert into a part (sparse_insert_part); sparse_insert_join joins the parts before the end. The
   memory hooks must then allow calls from several threads. */
typedef struct sparse_insertion {
    sparse_tensor *tensor;
    bool begun;                        /* sparse_insert_begin or sparse_insert_part was called */
    bool grows;                        /* the sizes follow from the inserted coordinates */
    size_t dim[SPARSE_MAX_RANK];       /* the current sizes */
    sparse_buffer coordinates, values; /* `rank` coordinates for each value */
} sparse_insertion;
#define SPARSE_INSERTION(tensor)                                                                                            \
    {                                                                                                                       \
        tensor, false, false, {0}, {NULL, 0, 0}, { NULL, 0, 0 }                                                             \
    }

/* Begins an insertion and empties the tensor, which will have the sizes dim[0..rank). If dim is null, the sizes follow
   from the largest inserted coordinates. Errors: as for sparse_resize_dims. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_insert_begin(sparse_insertion *s, const size_t *dim);

/* Inserts *value, of the value type of the tensor, at the dimension coordinates at[0..rank), in any order. E_COORDINATE
   outside of given sizes, E_OVERFLOW at coordinate SIZE_MAX, E_BEGIN, E_MEMORY. Earlier insertions stay after an error. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_insert_untyped(sparse_insertion *s, const size_t *at, const void *value);

/* sparse_insert_untyped for a value of the type that encoding e stores: E_ELEMENT if the tensor has another type. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_p_insert_typed(sparse_insertion *s, const size_t *at, const void *value,
                                                                const sparse_encoding *e);

/* Makes *part an empty insertion into the tensor of s, for another thread. s must have begun. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_insert_part(sparse_insertion *part, const sparse_insertion *s);

/* Appends the entries of the parts [0..count) to s, in that order, and frees the parts. If it fails with E_MEMORY,
   nothing has changed. Parts for another tensor: E_ARGUMENT. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_insert_join(sparse_insertion *s, sparse_insertion *part, size_t count);

/* Finishes an insertion (in the dialect: load): stores the entries in the tensor. Values at the same coordinates are
   treated as in sparse_pack_untyped, in the order of insertion; errors are as for sparse_pack_untyped. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_insert_end(sparse_insertion *s, sparse_duplicates how);

/* Frees the inserted entries. The tensor stays unchanged. s may be null, or have failed to begin. */
SPARSE_API void sparse_insert_cancel(sparse_insertion *s);

/* >>sorting
   Sorts tuples of numbers in an array by their first numbers, the keys, and moves the elements of other arrays with them.
   The kit itself uses three other functions: sparse_p_sort sorts entries for packing and conversion (>>records),
   sparse_p_rows_sort the entries of each row (>>rows), and sparse_p_in_order the keys of a workspace (>>building). */

typedef enum sparse_sort_kind {
    SPARSE_HYBRID_QUICK_SORT,     /* quicksort; insertion sort for few tuples, heapsort where quicksort would be slow */
    SPARSE_INSERTION_SORT_STABLE, /* equal tuples keep their order; quadratic time */
    SPARSE_QUICK_SORT,            /* quicksort down to single tuples; heapsort where it would be slow */
    SPARSE_HEAP_SORT
} sparse_sort_kind;

/* What to sort: n tuples of `keys` + `others` numbers of `bits` bits. The keys are compared in the order order[0..keys),
   or, if that is null, in their own order. */
typedef struct sparse_sorting {
    void *xy;
    size_t capacity; /* the capacity of xy, in numbers */
    unsigned bits, keys, others;
    const unsigned *order;
    /* arrays that are reordered too: `capacity` is in elements, `length` is the bytes of an element */
    const sparse_buffer *ys;
    size_t arrays;
} sparse_sorting;

/* Sorts n tuples in place. E_ARGUMENT if the order is no permutation of the keys, if there are no keys, or for an unknown
   kind; E_WIDTH; E_CAPACITY for arrays too short for n. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_sort(const sparse_sorting *s, size_t n, sparse_sort_kind kind);

/* dst = src for two COO tensors with the same map, value type and widths (E_ENCODING). If dst is ordered, its entries are
   sorted in the order of the levels. Entries at the same coordinates stay, or are added if dst cannot store several;
   sparse_convert does that, and handles SoA, for any kind of sort. E_ARGUMENT for an unknown kind. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_reorder_coo(sparse_tensor *dst, const sparse_tensor *src,
                                                             sparse_sort_kind kind);

/* >>statistics
   Statistics of the entries of a tensor, and removal of stored zeros. */

/* The result of sparse_statistics. A row is all entries with the same coordinate in dimension 0. Members from `lower` on
   apply to matrices; they are 0 or false for tensors of other ranks. */
typedef struct sparse_summary {
    size_t stored;          /* values in memory, including duplicates and the padding of dense and structured levels */
    size_t entries;         /* different stored coordinates, without padding */
    size_t zeros;           /* entries whose value is zero, or the fill value */
    size_t empty_rows;      /* rows without an entry */
    size_t longest_row;     /* entries of the fullest row */
    size_t lower, upper;    /* bandwidth: the largest i - j, and the largest j - i, of an entry (i, j), or 0 */
    size_t diagonal;        /* entries (i, i) */
    bool symmetric_pattern; /* square, and for each entry (i, j) there is an entry (j, i) */
    bool symmetric;         /* symmetric_pattern, and the values of both entries have the same bits */
    /* the number of blocks of 2 x 2, 4 x 4 and 8 x 8 elements with an entry. entries / (16.0 * blocks[1]) is the fraction
       of the values in SPARSE_BSR(4, 4) that are entries */
    size_t blocks[3];
} sparse_summary;

/* *summary = the statistics of t. Entries with the same coordinates count once, with their sum. Needs memory for a sorted
   copy of the entries and, for a square matrix, of its transpose: E_MEMORY. Linear time. Other errors: E_NULL, E_EMPTY. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_statistics(const sparse_tensor *t, sparse_summary *summary);

/* Removes the stored entries of t whose value is zero, or the fill value of its encoding. Zeros that pad a block, a
   diagonal or another dense part stay as long as the part has a nonzero. Sizes and encoding stay. If entries are removed,
   t gets new arrays, and arrays that it borrowed are not changed. After an error, t is unchanged: E_MEMORY, E_EMPTY, or
   E_VALUE_TYPE if opaque values at the same coordinates would have to be added. Linear time. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_drop_zeros(sparse_tensor *t);

/* ==================================================================================================================
   II. Functions that kernels call, and the rows by which the line compiler knows level types. Programs that only store,
   convert and traverse tensors do not need this part.
   ================================================================================================================== */

/* >>kernels over levels
   For kernels, a level type consists of STORED_IS_name, LEVEL_ROW_name and its rows of the tables LEVEL, RANGE and CRD. They
   are in its room, together with the functions for storage. STORED_IS_name lists five things:
     STORAGE  0dense or 0sparse, see table STORAGE
     FORMAT   the name of its rows of LEVEL and RANGE
     UNIQUE   0unique or 0nonunique
     ORDER    0ordered, 0nonordered, or 0forward if each coordinate is computed from the one before
     N        n of structured(n, m), 0of(n, m) for packed(n, m), the bits of delta(bits), or 0
   LEVEL_ROW_name is () for level types that descriptors can name. It is needed even if all cells of the row are defaults. */
/* TABLE LEVEL: how a level type combines with other levels
   rows: 0dense batch compressed 0batched 0loose 0batched_loose singleton 0aos structured packed bitmap bitmask delta
   0counted 0shifted 0shifted_batch 0shifted_bitmap
     FOLLOWS      1 if it may follow a level that is not unique
     SHARED       1 if its coordinates lie among those of the level above
     ARRAY        1 if its coordinates lie in an array
     ALL          1 if all its positions are stored, 0 if only those for which ON in table CRD holds
     WITHIN       what levels below it are inside of: batch, count, or 0same
     BUILT        how it is assembled below a unique level: 0dense, 0compressed, 0singleton, or 0none if it is not
     BUILT_BELOW  how it is assembled below a level that is not unique
     BATCHED      the row of LEVEL and RANGE for this level type below batch levels, or 0none if it cannot be there
     DEALT        the row for this level type below the slices of a count, or 0none */
/* TABLE RANGE: the positions below a parent, of operand A in level n
   rows: 0dense batch compressed 0batched 0slot 0loose 0batched_loose singleton 0aos structured packed bitmap bitmask delta
   0counted 0sliced 0window 0sweep 0subsection 0spread 0shifted 0shifted_batch 0shifted_bitmap 0sliced_bitmap
     LO           (A, n, pos, m, parent) -> where they begin
     HI           (A, n, pos, m, parent) -> where they end
     NEEDS        what m is: 0n, the n of the level type, or 0above, the last batch level or the loop over slices
     0arrays      (A, type, n, pos, crd) -> the arrays that loops receive, as parameters
     0arguments   (A, type, n, pos, crd) -> these arrays as arguments
     0slice_arrays     the parameters for a slice, or for a level with a sum
     0slice_arguments  the arguments for these
     BEGIN        (A, n, role, above, pos, m, parent, guard) -> declarations before the loop that range and coordinates need
     SPAN         (A, n, pos, format, m, parent) -> the most positions that there can be
     LOOSE        1 if it is a window whose end a loop finds while it iterates */
/* TABLE CRD: the coordinate at a position. If coordinates are in an array, A{head}_crd, the coordinate of position p is
   element stride * p + offset. The row is then 1, or 2 for a stride of 2 to 8; in a slice it is 0v1 or 0v2. Other level
   types have a row with their name.
   rows: 1 2 0v1 0v2 packed bitmap bitmask delta 0across 0offset 0shifted 0shifted_bitmap
     NUMBER       the stride
     PLAIN        1 if coordinates follow each other in an array, 2 if positions follow from them, else 0
     SLICED       the row for a slice
     COORDINATE   (A, head, p, crd, m, parent, stride, offset) -> the coordinate at position p
     SEEK         (A, n, i, crd, m, parent, stride, head, offset) -> moves pA{n} up to coordinate i; true if i is stored
     AWAIT        (A, n, i, crd, stride, head, offset) -> true if coordinate i is stored, where nA{n} is the coordinate at
                  position wA{n}; () if coordinates need not be read
     ON           (A, n, crd, stride) -> true if position pA{n} is stored
     NEXT         (A, n, crd, stride, p) -> the first stored position from p on
     FIRST        (A, n, crd, stride) -> moves pA{n} to the first stored position, unless LO is stored */
#define SPARSE_P_LEVEL_CELL(column, row)   SPARSE_P_CELL(SPARSE_P_LEVEL_##row##_##column SPARSE_P_LEVEL_default_##column, ~)
#define SPARSE_P_LEVEL_default_FOLLOWS     , 0
#define SPARSE_P_LEVEL_default_SHARED      , 0
#define SPARSE_P_LEVEL_default_ARRAY       , 0
#define SPARSE_P_LEVEL_default_ALL         , 1
#define SPARSE_P_LEVEL_default_WITHIN      , 0same
#define SPARSE_P_LEVEL_default_BUILT       , 0none
#define SPARSE_P_LEVEL_default_BUILT_BELOW , 0none
#define SPARSE_P_LEVEL_default_BATCHED     , 0none
#define SPARSE_P_LEVEL_default_DEALT       , 0none
#define SPARSE_P_RANGE_CELL(column, row)   SPARSE_P_CELL(SPARSE_P_RANGE_##row##_##column SPARSE_P_RANGE_default_##column, ~)
#define SPARSE_P_RANGE_default_LO          , ~
#define SPARSE_P_RANGE_default_HI          , ~
#define SPARSE_P_RANGE_default_NEEDS       , 0n
#define SPARSE_P_RANGE_default_0arrays     , SPARSE_P_DROP
#define SPARSE_P_RANGE_default_0arguments  , SPARSE_P_DROP

#define SPARSE_P_RANGE_default_0slice_arrays    , SPARSE_P_DROP
#define SPARSE_P_RANGE_default_0slice_arguments , SPARSE_P_DROP
#define SPARSE_P_RANGE_default_BEGIN            , SPARSE_P_DROP
#define SPARSE_P_RANGE_default_SPAN             , SPARSE_P_SPAN_BETWEEN
#define SPARSE_P_RANGE_default_LOOSE            , 0

#define SPARSE_P_CRD_CELL(column, stride) SPARSE_P_CRD_CELL_(_##column, SPARSE_P_SECOND(SPARSE_P_STRIDE_##stride, stride))
#define SPARSE_P_CRD_CELL_(...)           SPARSE_P_CRD_CELL__(__VA_ARGS__)
#define SPARSE_P_CRD_CELL__(column, row)  SPARSE_P_CELL(SPARSE_P_CRD_##row##column SPARSE_P_CRD_default##column, ~)
#define SPARSE_P_CRD_default_NUMBER       , 0
#define SPARSE_P_CRD_default_PLAIN        , 0
#define SPARSE_P_CRD_default_SLICED       , 0none
#define SPARSE_P_CRD_default_COORDINATE   , ~
#define SPARSE_P_CRD_default_SEEK         , ~
#define SPARSE_P_CRD_default_AWAIT        , ()
#define SPARSE_P_CRD_default_ON           , SPARSE_P_DROP
#define SPARSE_P_CRD_default_NEXT         , SPARSE_P_DROP
#define SPARSE_P_CRD_default_FIRST        , SPARSE_P_DROP
/* COUNT levels are dense; the expression count() selects this row */
#define SPARSE_P_LEVEL_0counted_WITHIN , count

#define SPARSE_P_RANGE_0counted_LO , SPARSE_P_LO_LINEAR
#define SPARSE_P_RANGE_0counted_HI , SPARSE_P_HI_LINEAR

/* Cells that several level types use. For coordinates in an array: */
/* HAS_COORDINATE(stride) -> 1 if CRD has a row for the stride */
#define SPARSE_P_HAS_COORDINATE(stride) SPARSE_P_HAS_COORDINATE_(SPARSE_P_SECOND(SPARSE_P_STRIDE_##stride, stride))
#define SPARSE_P_HAS_COORDINATE_(...)   SPARSE_P_HAS_COORDINATE__(__VA_ARGS__)
#define SPARSE_P_HAS_COORDINATE__(row)  SPARSE_P_HAS_CELL(SPARSE_P_CRD_##row##_COORDINATE)
/* STRIDE_3 -> ~, its row of CRD, the stride, and the row for a slice */
#define SPARSE_P_STRIDE_3           ~, 2, 3, 0v3
#define SPARSE_P_STRIDE_0v3         ~, 0v2, 3, 0v3
#define SPARSE_P_STRIDE_4           ~, 2, 4, 0v4
#define SPARSE_P_STRIDE_0v4         ~, 0v2, 4, 0v4
#define SPARSE_P_STRIDE_5           ~, 2, 5, 0v5
#define SPARSE_P_STRIDE_0v5         ~, 0v2, 5, 0v5
#define SPARSE_P_STRIDE_6           ~, 2, 6, 0v6
#define SPARSE_P_STRIDE_0v6         ~, 0v2, 6, 0v6
#define SPARSE_P_STRIDE_7           ~, 2, 7, 0v7
#define SPARSE_P_STRIDE_0v7         ~, 0v2, 7, 0v7
#define SPARSE_P_STRIDE_8           ~, 2, 8, 0v8
#define SPARSE_P_STRIDE_0v8         ~, 0v2, 8, 0v8
#define SPARSE_P_STRIDE(stride)     SPARSE_P_THIRD(SPARSE_P_STRIDE_##stride, ~, SPARSE_P_CRD_CELL(NUMBER, stride))
#define SPARSE_P_SLICED_CRD(stride) SPARSE_P_FOURTH(SPARSE_P_STRIDE_##stride, ~, ~, SPARSE_P_CRD_CELL(SLICED, stride))

#define SPARSE_P_CRD_1_NUMBER     , 1
#define SPARSE_P_CRD_1_PLAIN      , 1
#define SPARSE_P_CRD_1_SLICED     , 0v1
#define SPARSE_P_CRD_1_COORDINATE , SPARSE_P_CRD_STORED
#define SPARSE_P_CRD_1_SEEK       , SPARSE_P_SEEK_STORED
#define SPARSE_P_CRD_1_AWAIT      , SPARSE_P_AWAIT_STORED

#define SPARSE_P_CRD_2_NUMBER     , 2
#define SPARSE_P_CRD_2_SLICED     , 0v2
#define SPARSE_P_CRD_2_COORDINATE , SPARSE_P_CRD_STORED
#define SPARSE_P_CRD_2_SEEK       , SPARSE_P_SEEK_APART
#define SPARSE_P_CRD_2_AWAIT      , SPARSE_P_AWAIT_APART

#define SPARSE_P_CRD_STORED(A, head, p, crd, m, parent, stride, offset)                                                     \
    SPARSE_P_WIDE_##crd(SPARSE_P_CRD_AT(sparse_l_##A##head##_crd, p, stride, offset))
#define SPARSE_P_SEEK_STORED(A, n, i, crd, m, parent, stride, head, offset)                                                 \
    sparse_p_seek_##crd(sparse_l_##A##head##_crd, &sparse_l_p##A##n, sparse_l_e##A##n, i)
#define SPARSE_P_SEEK_APART(A, n, i, crd, m, parent, stride, head, offset)                                                  \
    sparse_p_seek_aos_##crd(sparse_l_##A##head##_crd, stride, offset, &sparse_l_p##A##n, sparse_l_e##A##n, i)
#define SPARSE_P_AWAIT_STORED(A, n, i, crd, stride, head, offset)                                                           \
    sparse_p_await_##crd(sparse_l_##A##head##_crd, &sparse_l_w##A##n, sparse_l_e##A##n, i, &sparse_l_n##A##n)
#define SPARSE_P_AWAIT_APART(A, n, i, crd, stride, head, offset)                                                            \
    sparse_p_await_aos_##crd(sparse_l_##A##head##_crd, stride, offset, &sparse_l_w##A##n, sparse_l_e##A##n, i,              \
                             &sparse_l_n##A##n)
#define SPARSE_P_CRD_AT(array, p, stride, offset)                                                                           \
    SPARSE_P_CAT(SPARSE_P_CRD_AT_, SPARSE_P_CRD_CELL(PLAIN, stride))(array, p, stride, SPARSE_P_PLUS_##offset)
#define SPARSE_P_CRD_AT_1(array, p, stride, plus) array[p]
#define SPARSE_P_CRD_AT_0(array, p, stride, plus) array[stride * p plus]
/* CRD cells for levels whose coordinates are positions, counted from the first position below the parent; all positions
   are stored */
#define SPARSE_P_CRD_COUNTED(A, n, p, crd, m, parent, format, offset)                                                       \
    p - (SPARSE_P_RANGE_CELL(LO, format)(A, n, ~, m, parent))
#define SPARSE_P_SEEK_COUNTED(A, n, i, crd, m, parent, format, head, offset)                                                \
    sparse_p_seek_counted(&sparse_l_p##A##n, sparse_l_e##A##n, SPARSE_P_RANGE_CELL(LO, format)(A, n, ~, m, parent), i)
/* Moves *p to coordinate i, if the positions begin at `first`, or to end. Returns true if i is before the end. */
SPARSE_P_INLINE bool sparse_p_seek_counted(size_t *p, size_t end, size_t first, size_t i)
{
    *p = i < end - first ? first + i : end;
    return *p < end;
}
/* the arrays that loops receive: pos and crd, crd alone, the size of the level, or nothing */
#define SPARSE_P_ARRAYS_POS_CRD(A, type, n, pos, crd)                                                                       \
    , const uint##pos##_t *SPARSE_RESTRICT sparse_l_##A##n##_pos, const uint##crd##_t *SPARSE_RESTRICT sparse_l_##A##n##_crd
#define SPARSE_P_ARGUMENTS_POS_CRD(A, type, n, pbits, cbits)                                                                \
    , (const uint##pbits##_t *)sparse_p_pos_of(A, n), (const uint##cbits##_t *)sparse_p_crd_of(A, n)
#define SPARSE_P_ARRAYS_CRD(A, type, n, pos, crd)        , const uint##crd##_t *SPARSE_RESTRICT sparse_l_##A##n##_crd
#define SPARSE_P_ARGUMENTS_CRD(A, type, n, pbits, cbits) , (const uint##cbits##_t *)sparse_p_crd_of(A, n)
#define SPARSE_P_ARGUMENTS_CRD_OF_LEVEL(A, type, n, pos, crd)                                                               \
    , (const uint##crd##_t *)sparse_p_first_crd(&type##_encoding, A, n - 1)
#define SPARSE_P_ARRAYS_SIZE(A, type, n, pos, crd)    , const size_t sparse_l_##A##n##_size
#define SPARSE_P_ARGUMENTS_SIZE(A, type, n, pos, crd) , sparse_p_lvl_of(A, n)
/* TRAITS(nonunique, soa) -> n, o;  TRAIT(SOA, aos, nonunique, soa) -> singleton */
#define SPARSE_P_TRAITS(...) SPARSE_P_TRAIT(0UNIQUE, 0unique, __VA_ARGS__), SPARSE_P_TRAIT(0ORDERED, 0ordered, __VA_ARGS__)
#define SPARSE_P_TRAIT(trait, otherwise, ...)                                                                               \
    SPARSE_P_SECOND(~SPARSE_P_EACHG(SPARSE_P_TRAIT_OF, SPARSE_P_TRAIT_##trait, (, __VA_ARGS__)), otherwise)
#define SPARSE_P_TRAIT_OF(trait, property) trait##_##property
#define SPARSE_P_TRAIT_0UNIQUE_nonunique   , 0nonunique
#define SPARSE_P_TRAIT_0UNIQUE_nonordered
#define SPARSE_P_TRAIT_0UNIQUE_soa
#define SPARSE_P_TRAIT_0ORDERED_nonunique
#define SPARSE_P_TRAIT_0ORDERED_nonordered , 0nonordered
#define SPARSE_P_TRAIT_0ORDERED_soa
#define SPARSE_P_TRAIT_0SOA_nonunique
#define SPARSE_P_TRAIT_0SOA_nonordered
#define SPARSE_P_TRAIT_0SOA_soa , singleton
/* An iterator (stored, A, 2, ...) consists of position pA2 in [LO, eA2), its coordinate, and inA2, which is true if the
   operand has an entry at the current coordinate of the loop.
   PARENT(A, n): the position in the level above level n; 0 if there is none. PARENT_NEXT: the position after it.
   PARENT_END: the end of its segment. */
#define SPARSE_P_PARENT(A, n)        SPARSE_P_CAT(SPARSE_P_PARENT_, SPARSE_P_NZ(SPARSE_P_DEC_##n))(p, A, SPARSE_P_DEC_##n)
#define SPARSE_P_PARENT_NEXT(A, n)   SPARSE_P_CAT(SPARSE_P_PARENT_NEXT_, SPARSE_P_NZ(SPARSE_P_DEC_##n))(A, n)
#define SPARSE_P_PARENT_END(A, n)    SPARSE_P_PARENT_1(q, A, SPARSE_P_DEC_##n)
#define SPARSE_P_PARENT_0(p, A, n)   0
#define SPARSE_P_PARENT_1(p, A, n)   SPARSE_P_CAT3(sparse_l_##p, A, n)
#define SPARSE_P_PARENT_NEXT_0(A, n) 1
#define SPARSE_P_PARENT_NEXT_1(A, n) SPARSE_P_PARENT(A, n) + 1
/* WIDE_64(x): a 64-bit position or coordinate as size_t; the checks have found that it fits */
#define SPARSE_P_WIDE_8(x)  x
#define SPARSE_P_WIDE_16(x) x
#define SPARSE_P_WIDE_32(x) x
#define SPARSE_P_WIDE_64(x) (size_t) x
#define SPARSE_P_SPAN_BETWEEN(A, n, pos, format, m, parent)                                                                 \
    sparse_p_span(SPARSE_P_RANGE_CELL(LO, format)(A, n, pos, m, parent),                                                    \
                  SPARSE_P_RANGE_CELL(HI, format)(A, n, pos, m, parent))

/* >>coiteration
   Functions that loops call for any level type. After them: functions for coordinates in increasing order in arrays of 8,
   16, 32 and 64 bits. */

/* Prefetches element `at` of an array, if the compiler supports it. Does not read the element. */
SPARSE_P_INLINE void sparse_p_prefetch(const void *array, size_t at, size_t size)
{
    SPARSE_P_WILL_READ((uintptr_t)array + at * size, 3);
}

/* Prefetches elements [from, to) of an array, at most SPARSE_PREFETCH_LINES cache lines, because the processor continues
   by itself. For many elements, prefetches into the second cache, which is faster because the first accepts fewer lines
   at a time. */
SPARSE_P_INLINE void sparse_p_prefetch_lines(const void *array, size_t from, size_t to, size_t size, bool many)
{
    const uintptr_t line = 64, begin = ((uintptr_t)array + from * size) / line;
    const uintptr_t end = ((uintptr_t)array + to * size + line - 1) / line;
    for (uintptr_t at = begin; at < end && at < begin + SPARSE_PREFETCH_LINES; at++)
        if (many)
            SPARSE_P_WILL_READ(at * line, 2);
        else
            SPARSE_P_WILL_READ(at * line, 3);
}

/* Prefetches the elements [from, to) of an array: the entries of a row, or all elements of a dense row. */
SPARSE_P_INLINE void sparse_p_prefetch_row(const void *array, size_t from, size_t to, size_t size)
{
    sparse_p_prefetch_lines(array, from, to, size, false);
}
SPARSE_P_INLINE void sparse_p_prefetch_dense_row(const void *array, size_t from, size_t to, size_t size)
{
    sparse_p_prefetch_lines(array, from, to, size, true);
}

/* True if row k is so near to row i, as in a band, that it is in a cache already. */
SPARSE_P_INLINE bool sparse_p_beside(size_t i, size_t k) { return k - i + 64 <= 128; }

/* The number of positions from lo up to hi. */
SPARSE_P_INLINE size_t sparse_p_span(size_t lo, size_t hi) { return hi - lo; }

/* The range of i on diagonal d = j - i + i_size - 1 of a matrix: the i for which j is in [0, j_size). */
SPARSE_P_INLINE size_t sparse_p_diagonal_first(size_t d, size_t i_size) { return d < i_size ? i_size - 1 - d : 0; }
SPARSE_P_INLINE size_t sparse_p_diagonal_end(size_t d, size_t i_size, size_t j_size)
{
    return sparse_p_min(i_size, i_size + j_size - 1 - d);
}
/* The offset of i in a block, or the nearer edge of the block if i is outside. */
SPARSE_P_INLINE size_t sparse_p_within(size_t i, size_t block, size_t size)
{
    return i > block * size ? sparse_p_min(i - block * size, size) : 0;
}

/* The beginning of part `part` if [from, to) is cut into `parts` equal parts. */
static inline size_t sparse_p_share(size_t from, size_t to, size_t part, size_t parts)
{
    const size_t n = to - from;
    return from + n / parts * part + sparse_p_min(part, n % parts);
}

/* Returns x, but hides its origin from the optimiser. */
SPARSE_P_INLINE size_t sparse_p_hide(size_t x)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(x));
#endif
    return x;
}

/* Prevents vectorisation of a loop. Vectors do not speed up scattered stores, and rows are short. */
SPARSE_P_INLINE void sparse_p_one_by_one(void)
{
#if defined(__GNUC__)
    __asm__ volatile("");
#endif
}

/* Returns 1 or 0 for x, so that the compiler computes with it instead of branching. The type is size_t because a bool
   would be masked at each use. */
SPARSE_P_INLINE size_t sparse_p_branchless(bool x) { return sparse_p_hide(x); }

/* If wanted is 0, replaces the value by the fill value; if it is 1, keeps the value. Does not branch. */
SPARSE_P_INLINE void sparse_p_keep(void *value, const void *fill, size_t bytes, size_t wanted)
{
    const uint64_t mask = 0 - (uint64_t)wanted;
    unsigned char *at = (unsigned char *)value;
    const unsigned char *other = (const unsigned char *)fill;
    for (; bytes >= 8; bytes -= 8, at += 8, other += 8) {
        uint64_t word, filled;
        memcpy(&word, at, 8);
        memcpy(&filled, other, 8);
        word = (word & mask) | (filled & ~mask);
        memcpy(at, &word, 8);
    }
    for (; bytes >= 4; bytes -= 4, at += 4, other += 4) {
        uint32_t word, filled;
        memcpy(&word, at, 4);
        memcpy(&filled, other, 4);
        word = (word & (uint32_t)mask) | (filled & (uint32_t)~mask);
        memcpy(at, &word, 4);
    }
    for (; bytes > 0; bytes--, at++, other++)
        *at = (unsigned char)((*at & (unsigned char)mask) | (*other & (unsigned char)~mask));
}

/* sparse_p_seek_32(crd, &p, end, i): moves p to the first position in [p, end) with crd[p] >= i, or to end; returns true
   if crd[p] == i.
   sparse_p_seek_aos_32(crd, stride, offset, &p, end, i): sparse_p_seek_32 for COO stored as an array of structures, where
   the coordinate of position p is crd[stride * p + offset].
   sparse_p_await_32(crd, &p, end, i, &next) and sparse_p_await_aos_32: if coordinate i is stored, they move p to the
   position after it. They set next, initially 0, to the coordinate at p, and read nothing until i reaches next. */
SPARSE_P_INLINE bool sparse_p_seek_stored(const void *crd, size_t bytes, size_t stride, size_t *p, size_t end, size_t i)
{
    *p = sparse_p_gallop(crd, bytes, stride, *p, end, 0, i);
    return *p != end && sparse_p_stored(crd, bytes, stride, *p) == i;
}
#define SPARSE_P_SEEK(bits)                                                                                                 \
    SPARSE_UNUSED static inline bool sparse_p_seek_##bits(const uint##bits##_t *crd, size_t *p, size_t end, size_t i)       \
    {                                                                                                                       \
        return sparse_p_seek_stored(crd, sizeof *crd, 1, p, end, i);                                                        \
    }                                                                                                                       \
    SPARSE_UNUSED static inline bool sparse_p_seek_aos_##bits(const uint##bits##_t *crd, size_t stride, size_t offset,      \
                                                              size_t *p, size_t end, size_t i)                              \
    {                                                                                                                       \
        return *p < end && sparse_p_seek_stored(crd + offset, sizeof *crd, stride, p, end, i); /* or crd may be null */     \
    }                                                                                                                       \
    SPARSE_P_INLINE bool sparse_p_await_aos_##bits(const uint##bits##_t *crd, size_t stride, size_t offset, size_t *p,      \
                                                   size_t end, size_t i, size_t *next)                                      \
    {                                                                                                                       \
        if (i < *next) return false;                                                                                        \
        const bool here = *p < end && sparse_p_seek_stored(crd + offset, sizeof *crd, stride, p, end, i);                   \
        if (here) ++*p;                                                                                                     \
        *next = *p < end ? (size_t)crd[stride * *p + offset] : SIZE_MAX;                                                    \
        return here;                                                                                                        \
    }                                                                                                                       \
    SPARSE_P_INLINE bool sparse_p_await_##bits(const uint##bits##_t *crd, size_t *p, size_t end, size_t i, size_t *next)    \
    {                                                                                                                       \
        return sparse_p_await_aos_##bits(crd, 1, 0, p, end, i, next);                                                       \
    }
SPARSE_P_SEEK(8)
SPARSE_P_SEEK(16)
SPARSE_P_SEEK(32)
SPARSE_P_SEEK(64)

/* sparse_p_segment_32(crd, stride, offset, p, end): returns the first position after p, up to end, with another
   coordinate than p. Coordinates ascend. It first searches step by step. After SPARSE_P_FAR steps it gallops, because
   segments over two or more levels of COO are long. Galloping is a separate function, which is not called if its result
   is unused. */
#define SPARSE_P_FAR 32
#define SPARSE_P_SEGMENT_END(bits)                                                                                          \
    SPARSE_P_PURE SPARSE_P_OUTLINE size_t sparse_p_far_##bits(const uint##bits##_t *crd, size_t stride, size_t p,           \
                                                              size_t end)                                                   \
    {                                                                                                                       \
        const uint##bits##_t i = crd[stride * p];                                                                           \
        size_t step = SPARSE_P_FAR;                                                                                         \
        for (; step < end - p && crd[stride * (p + step)] == i; step += step) p += step;                                    \
        for (; step > 0; step /= 2)                                                                                         \
            if (step < end - p && crd[stride * (p + step)] == i) p += step;                                                 \
        return p + 1;                                                                                                       \
    }                                                                                                                       \
    SPARSE_UNUSED static inline size_t sparse_p_segment_##bits(const uint##bits##_t *crd, size_t stride, size_t offset,     \
                                                               size_t p, size_t end)                                        \
    {                                                                                                                       \
        const size_t near = offset + 2 < stride && end - p > SPARSE_P_FAR ? p + SPARSE_P_FAR : end;                         \
        size_t q = p + 1;                                                                                                   \
        while (q < near && crd[stride * q + offset] == crd[stride * p + offset]) q++;                                       \
        return q < near || near == end ? q : sparse_p_far_##bits(crd + offset, stride, q - 1, end);                         \
    }
SPARSE_P_SEGMENT_END(8)
SPARSE_P_SEGMENT_END(16)
SPARSE_P_SEGMENT_END(32)
SPARSE_P_SEGMENT_END(64)

/* sparse_p_abreast_32_32(a, p, p_end, b, q, q_end): true if two lists that are merged both continue, and neither is so
   far behind that it should first advance alone. The caller tests this again after SPARSE_P_ABREAST steps. */
#define SPARSE_P_ABREAST 8
#define SPARSE_P_ABREAST_OF(abits, bbits)                                                                                   \
    SPARSE_P_INLINE bool sparse_p_abreast_##abits##_##bbits(const uint##abits##_t *a, size_t p, size_t p_end,               \
                                                            const uint##bbits##_t *b, size_t q, size_t q_end)               \
    {                                                                                                                       \
        return p < p_end && q < q_end &&                                                                                    \
               !((p_end - p > SPARSE_P_ABREAST && a[p + SPARSE_P_ABREAST] < b[q]) ||                                        \
                 (q_end - q > SPARSE_P_ABREAST && b[q + SPARSE_P_ABREAST] < a[p]));                                         \
    }
#define SPARSE_P_ABREAST_OF_ALL(bits)                                                                                       \
    SPARSE_P_ABREAST_OF(bits, 8)                                                                                            \
    SPARSE_P_ABREAST_OF(bits, 16)                                                                                           \
    SPARSE_P_ABREAST_OF(bits, 32)                                                                                           \
    SPARSE_P_ABREAST_OF(bits, 64)
SPARSE_P_ABREAST_OF_ALL(8)
SPARSE_P_ABREAST_OF_ALL(16)
SPARSE_P_ABREAST_OF_ALL(32)
SPARSE_P_ABREAST_OF_ALL(64)

/* The state of an intersection: where the search continues, and a batch of common coordinates found in advance, with the
   next one and their number. */
#define SPARSE_P_BATCH     (SPARSE_FREESTANDING ? 16 : 64) /* the most common coordinates in a batch */
#define SPARSE_P_FAR_APART 128 /* positions from which on a list is searched instead of scanned */
#define SPARSE_P_LONG_LIST 32  /* if fewer positions remain, no batch is made */
typedef struct sparse_p_search {
    size_t p, q, next, count;
    bool more;
} sparse_p_search;
typedef struct sparse_p_matches {
    size_t p[SPARSE_P_BATCH], q[SPARSE_P_BATCH];
} sparse_p_matches;

/* True if both lists continue, and are so long that a batch pays. */
SPARSE_P_INLINE bool sparse_p_is_long(const sparse_p_search *s, size_t p_end, size_t q_end)
{
    return !SPARSE_P_FOR_SIZE && s->p < p_end && s->q < q_end && p_end - s->p + (q_end - s->q) >= SPARSE_P_LONG_LIST;
}

/* sparse_p_alike_32(a, b): true if a[0..4) and b[0..4) have a coordinate in common. Uses vector registers if there are
   any. */
#if defined(__GNUC__)
    #define SPARSE_P_ALIKE(bits, is_any)                                                                                    \
        SPARSE_P_INLINE bool sparse_p_alike_##bits(const uint##bits##_t *a, const uint##bits##_t *b)                        \
        {                                                                                                                   \
            typedef uint##bits##_t block __attribute__((vector_size(bits / 2)));                                            \
            const block b0 = {b[0], b[0], b[0], b[0]}, b1 = {b[1], b[1], b[1], b[1]};                                       \
            const block b2 = {b[2], b[2], b[2], b[2]}, b3 = {b[3], b[3], b[3], b[3]};                                       \
            block x;                                                                                                        \
            memcpy(&x, a, sizeof x);                                                                                        \
            x = (block)((x == b0) | (x == b1) | (x == b2) | (x == b3));                                                     \
            return is_any(x);                                                                                               \
        }
    #define SPARSE_P_ANY_LANE_8(x)  (uint32_t) x != 0
    #define SPARSE_P_ANY_LANE_16(x) (uint64_t) x != 0
    #define SPARSE_P_ANY_LANE_32(x) (((sparse_p_two_words)x)[0] | ((sparse_p_two_words)x)[1]) != 0
    #define SPARSE_P_ANY_LANE_64(x) (x[0] | x[1] | x[2] | x[3]) != 0
typedef uint64_t sparse_p_two_words __attribute__((vector_size(16)));
#else
    #define SPARSE_P_ALIKE(bits, is_any)                                                                                    \
        SPARSE_P_INLINE bool sparse_p_alike_##bits(const uint##bits##_t *a, const uint##bits##_t *b)                        \
        {                                                                                                                   \
            unsigned same = 0;                                                                                              \
            for (unsigned k = 0; k < 4; k++)                                                                                \
                same |= (unsigned)(a[k] == b[0]) | (unsigned)(a[k] == b[1]) | (unsigned)(a[k] == b[2]) |                    \
                        (unsigned)(a[k] == b[3]);                                                                           \
            return same != 0;                                                                                               \
        }
#endif
SPARSE_P_ALIKE(8, SPARSE_P_ANY_LANE_8)
SPARSE_P_ALIKE(16, SPARSE_P_ANY_LANE_16)
SPARSE_P_ALIKE(32, SPARSE_P_ANY_LANE_32)
SPARSE_P_ALIKE(64, SPARSE_P_ANY_LANE_64)

/* sparse_p_leap_32(a, &p, p_end, b, &q, q_end, p_common, q_common): while b is much denser than a, looks up coordinates
   of a in b. Returns the number of common ones. */
#define SPARSE_P_LEAP(bits)                                                                                                 \
    SPARSE_UNUSED static inline size_t sparse_p_leap_##bits(const uint##bits##_t *a, size_t *p, size_t p_end,               \
                                                            const uint##bits##_t *b, size_t *q, size_t q_end,               \
                                                            size_t *p_common, size_t *q_common)                             \
    {                                                                                                                       \
        size_t at = *p, bt = *q, n = 0;                                                                                     \
        while (n < SPARSE_P_BATCH && at < p_end && bt < q_end) {                                                            \
            if (p_end - at >= 4 && (q_end - bt <= SPARSE_P_FAR_APART || b[bt + SPARSE_P_FAR_APART] >= a[at + 3])) break;    \
            const bool same = sparse_p_seek_##bits(b, &bt, q_end, (size_t)a[at]);                                           \
            p_common[n] = at++;                                                                                             \
            q_common[n] = bt;                                                                                               \
            bt += same;                                                                                                     \
            n += same;                                                                                                      \
        }                                                                                                                   \
        *p = at;                                                                                                            \
        *q = bt;                                                                                                            \
        return n;                                                                                                           \
    }
SPARSE_P_LEAP(8)
SPARSE_P_LEAP(16)
SPARSE_P_LEAP(32)
SPARSE_P_LEAP(64)

/* sparse_p_match_32(a, &p, p_end, b, &q, q_end, batch): advances both lists and returns the number of common coordinates
   found, which may be 0. Compares blocks of four with blocks of four (Inoue et al. 2014; Lemire et al. 2016): first tests
   each pair of blocks for any common coordinate, then finds the coordinates in those that have one. No branch depends on
   the data, unless one list is much denser than the other. */
#define SPARSE_P_BATCH_OF(bits)                                                                                             \
    SPARSE_P_OUTLINE size_t sparse_p_match_##bits(const uint##bits##_t *a, size_t *p, size_t p_end,                         \
                                                  const uint##bits##_t *b, size_t *q, size_t q_end,                         \
                                                  sparse_p_matches *batch)                                                  \
    {                                                                                                                       \
        size_t n = sparse_p_leap_##bits(a, p, p_end, b, q, q_end, batch->p, batch->q);                                      \
        if (n == 0) n = sparse_p_leap_##bits(b, q, q_end, a, p, p_end, batch->q, batch->p);                                 \
        if (n > 0) return n;                                                                                                \
        size_t at = *p, bt = *q, blocks = 0, p_block[SPARSE_P_BATCH / 4], q_block[SPARSE_P_BATCH / 4];                      \
        for (unsigned steps = SPARSE_P_FAR_APART / 4;                                                                       \
             steps > 0 && blocks < SPARSE_P_BATCH / 4 && p_end - at >= 4 && q_end - bt >= 4; steps--) {                     \
            const size_t a_first = sparse_p_branchless(a[at + 3] <= b[bt + 3]);                                             \
            const size_t b_first = sparse_p_branchless(b[bt + 3] <= a[at + 3]);                                             \
            p_block[blocks] = at;                                                                                           \
            q_block[blocks] = bt;                                                                                           \
            blocks += sparse_p_alike_##bits(a + at, b + bt);                                                                \
            at += 4 * a_first;                                                                                              \
            bt += 4 * b_first;                                                                                              \
        }                                                                                                                   \
        *p = at;                                                                                                            \
        *q = bt;                                                                                                            \
        for (size_t k = 0; k < 4 * blocks; k++) {                                                                           \
            const uint##bits##_t i = a[p_block[k / 4] + k % 4], *y = b + q_block[k / 4];                                    \
            const size_t before = (size_t)(y[0] < i) + (size_t)(y[1] < i) + (size_t)(y[2] < i);                             \
            batch->p[n] = p_block[k / 4] + k % 4;                                                                           \
            batch->q[n] = q_block[k / 4] + before;                                                                          \
            n += y[before] == i;                                                                                            \
        }                                                                                                                   \
        return n;                                                                                                           \
    }
SPARSE_P_BATCH_OF(8)
SPARSE_P_BATCH_OF(16)
SPARSE_P_BATCH_OF(32)
SPARSE_P_BATCH_OF(64)

/* sparse_p_intersect_32_32(a, &p, p_end, b, &q, q_end, &search, &batch): moves p and q to the next common
   coordinate; false if there is none, or none before another batch is fetched. It goes step by step if little is left, or
   if the lists agree again after one step. Otherwise it goes by batches, which
   sparse_p_more_matches_32_32(a, p_end, b, q_end, &search, &batch) fetches: false if nothing is left. Because fetching is a
   call of its own, loops over the matches keep their sums in registers. If the widths differ, there are no batches; a side
   that took 16 steps in a row gallops. */
#define SPARSE_P_COMMON_OF(bits)                                                                                            \
    SPARSE_P_INLINE bool sparse_p_more_matches_##bits##_##bits(const uint##bits##_t *a, size_t p_end,                       \
                                                               const uint##bits##_t *b, size_t q_end, sparse_p_search *s,   \
                                                               sparse_p_matches *batch)                                     \
    {                                                                                                                       \
        if (!s->more) return false;                                                                                         \
        s->more = false;                                                                                                    \
        if (sparse_p_is_long(s, p_end, q_end) && a[s->p] != b[s->q]) {                                                      \
            size_t at = s->p, bt = s->q;                                                                                    \
            s->next = 0;                                                                                                    \
            s->count = sparse_p_match_##bits(a, &at, p_end, b, &bt, q_end, batch);                                          \
            s->p = at;                                                                                                      \
            s->q = bt;                                                                                                      \
        }                                                                                                                   \
        return true;                                                                                                        \
    }                                                                                                                       \
    SPARSE_P_INLINE bool sparse_p_intersect_##bits##_##bits(const uint##bits##_t *a, size_t *p, size_t p_end,               \
                                                            const uint##bits##_t *b, size_t *q, size_t q_end,               \
                                                            sparse_p_search *s, sparse_p_matches *batch)                    \
    {                                                                                                                       \
        if (s->next < s->count) {                                                                                           \
            *p = batch->p[s->next];                                                                                         \
            *q = batch->q[s->next++];                                                                                       \
            return true;                                                                                                    \
        }                                                                                                                   \
        while (s->p < p_end && s->q < q_end) {                                                                              \
            const uint##bits##_t i = a[s->p], j = b[s->q];                                                                  \
            if (i == j) {                                                                                                   \
                *p = s->p++;                                                                                                \
                *q = s->q++;                                                                                                \
                return true;                                                                                                \
            }                                                                                                               \
            s->p += i < j;                                                                                                  \
            s->q += j < i;                                                                                                  \
            s->more = sparse_p_is_long(s, p_end, q_end) && a[s->p] != b[s->q];                                              \
            if (s->more) break;                                                                                             \
        }                                                                                                                   \
        return false;                                                                                                       \
    }
#define SPARSE_P_COMMON_STEP(abits, bbits)                                                                                  \
    SPARSE_P_INLINE bool sparse_p_more_matches_##abits##_##bbits(const uint##abits##_t *a, size_t p_end,                    \
                                                                 const uint##bbits##_t *b, size_t q_end,                    \
                                                                 sparse_p_search *s, sparse_p_matches *batch)               \
    {                                                                                                                       \
        (void)a, (void)p_end, (void)b, (void)q_end, (void)batch;                                                            \
        const bool more = s->more;                                                                                          \
        s->more = false;                                                                                                    \
        return more;                                                                                                        \
    }                                                                                                                       \
    SPARSE_UNUSED static inline bool sparse_p_intersect_##abits##_##bbits(                                                  \
        const uint##abits##_t *a, size_t *p, size_t p_end, const uint##bbits##_t *b, size_t *q, size_t q_end,               \
        sparse_p_search *s, sparse_p_matches *batch)                                                                        \
    {                                                                                                                       \
        size_t at = s->p, bt = s->q;                                                                                        \
        (void)batch;                                                                                                        \
        bool found = false;                                                                                                 \
        while (!found && at < p_end && bt < q_end) {                                                                        \
            const size_t p_first = at, q_first = bt;                                                                        \
            for (unsigned step = 0; step < 16 && at < p_end && bt < q_end; step++) {                                        \
                const uint##abits##_t i = a[at];                                                                            \
                const uint##bbits##_t j = b[bt];                                                                            \
                found = i == j;                                                                                             \
                if (found) break;                                                                                           \
                at += i < j;                                                                                                \
                bt += j < i;                                                                                                \
            }                                                                                                               \
            if (SPARSE_P_FOR_SIZE) continue;                                                                                \
            if (at - p_first == 16 && at < p_end) found = sparse_p_seek_##abits(a, &at, p_end, (size_t)b[bt]);              \
            if (bt - q_first == 16 && bt < q_end) found = sparse_p_seek_##bbits(b, &bt, q_end, (size_t)a[at]);              \
        }                                                                                                                   \
        *p = at;                                                                                                            \
        *q = bt;                                                                                                            \
        s->p = at + found;                                                                                                  \
        s->q = bt + found;                                                                                                  \
        return found;                                                                                                       \
    }
SPARSE_P_COMMON_OF(8)
SPARSE_P_COMMON_STEP(8, 16)
SPARSE_P_COMMON_STEP(8, 32)
SPARSE_P_COMMON_STEP(8, 64)
SPARSE_P_COMMON_STEP(16, 8)
SPARSE_P_COMMON_OF(16)
SPARSE_P_COMMON_STEP(16, 32)
SPARSE_P_COMMON_STEP(16, 64)
SPARSE_P_COMMON_STEP(32, 8)
SPARSE_P_COMMON_STEP(32, 16)
SPARSE_P_COMMON_OF(32)
SPARSE_P_COMMON_STEP(32, 64)
SPARSE_P_COMMON_STEP(64, 8)
SPARSE_P_COMMON_STEP(64, 16)
SPARSE_P_COMMON_STEP(64, 32)
SPARSE_P_COMMON_OF(64)

/* >>descriptors
   Finds mistakes in a descriptor. The result is a list of sentences in parentheses, of which the first is reported. */
/* IS_SAME(5, 5) -> 1 */
#define SPARSE_P_IS_SAME(a, b) SPARSE_P_COUNT(~SPARSE_P_SAME(a, b))
/* UNLESS(0, text) -> , (text)   UNLESS(1, text) -> nothing */
#define SPARSE_P_UNLESS(is, ...)   SPARSE_P_CAT(SPARSE_P_UNLESS_IT_, is)((__VA_ARGS__))
#define SPARSE_P_UNLESS_IT_0(text) , text
#define SPARSE_P_UNLESS_IT_1(text)
#define SPARSE_P_DESCRIPTOR_ERRORS(name, encoding, pos, crd)                                                                \
    SPARSE_P_UNLESS(SPARSE_P_IS_PAREN(encoding),                                                                            \
                    #name ": " #encoding " is no encoding, as SPARSE_CSR or ((i, j), (dense, i), (compressed, j))")         \
    SPARSE_P_WIDTH_ERRORS(name, "positions", pos) SPARSE_P_WIDTH_ERRORS(name, "coordinates", crd)
#define SPARSE_P_WIDTH_ERRORS(name, what, bits)                                                                             \
    SPARSE_P_UNLESS(SPARSE_P_IS_SAME(SPARSE_P_COUNT(~, SPARSE_P_WIDTH_IS_##bits), 2),                                       \
                    #name ": " #bits " is no width of " what ": 8, 16, 32, 64, or 0 for the width of size_t")
#define SPARSE_P_WIDTH_IS_0  0, 0
#define SPARSE_P_WIDTH_IS_8  8, 8
#define SPARSE_P_WIDTH_IS_16 16, 16
#define SPARSE_P_WIDTH_IS_32 32, 32
#define SPARSE_P_WIDTH_IS_64 64, 64
/* checks the names of the dimensions, then the dimensions and each level */
#define SPARSE_P_ENCODING_ERRORS(name, encoding)                                                                            \
    SPARSE_P_CAT(SPARSE_P_DIMENSIONS_ARE_, SPARSE_P_IS_LIST(SPARSE_P_FIRST encoding))                                       \
    (name, SPARSE_P_FIRST encoding, encoding)
#define SPARSE_P_DIMENSIONS_ARE_0(name, dims, encoding)                                                                     \
    , (#name ": an encoding begins with its dimensions, as ((i, j), (dense, i), (compressed, j))")
#define SPARSE_P_DIMENSIONS_ARE_1(name, dims, encoding)                                                                     \
    SPARSE_P_DIMENSIONS_OF((SPARSE_P_EACHE(SPARSE_P_DIMENSION_NAME, name, (, SPARSE_P_ID dims))), name, dims, encoding)
#define SPARSE_P_DIMENSION_NAME(name, d)                                                                                    \
    SPARSE_P_UNLESS(SPARSE_P_IS_LETTER(d), #name ": " #d " is no dimension: these are letters a to z")
#define SPARSE_P_DIMENSIONS_OF(errors, ...)                                                                                 \
    SPARSE_P_CAT(SPARSE_P_DIMENSIONS_OF_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_DIMENSIONS_OF_1(errors, ...) SPARSE_P_ID errors
#define SPARSE_P_DIMENSIONS_OF_0(errors, name, dims, encoding)                                                              \
    SPARSE_P_UNLESS(SPARSE_P_AT_MOST(~, SPARSE_P_ID dims),                                                                  \
                    #name ": more than " SPARSE_P_NUMERAL(SPARSE_MAX_RANK) " dimensions")                                   \
    SPARSE_P_UNLESS(SPARSE_P_AT_MOST(SPARSE_P_ID encoding),                                                                 \
                    #name ": more than " SPARSE_P_NUMERAL(SPARSE_MAX_LEVELS) " levels")                                     \
    SPARSE_P_EACHE(SPARSE_P_DIMENSION_TWICE, (name, dims), (, SPARSE_P_ID dims))                                            \
    SPARSE_P_UNLESS(SPARSE_P_IS_ANY encoding, #name ": the encoding has dimensions, but no levels")                         \
    SPARSE_P_EACHE(SPARSE_P_LEVEL_ERROR, (name, dims), encoding)
/* AT_MOST(dims, level, level) -> 1 or 0: at most SPARSE_MAX_LEVELS levels */
#define SPARSE_P_AT_MOST(...)   SPARSE_P_CAT(SPARSE_P_AT_MOST_, SPARSE_MAX_LEVELS)(__VA_ARGS__)
#define SPARSE_P_AT_MOST_2(...) SPARSE_P_COUNT_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, ~)
#define SPARSE_P_AT_MOST_3(...) SPARSE_P_COUNT_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, ~)
#define SPARSE_P_AT_MOST_4(...) SPARSE_P_COUNT_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, ~)
#define SPARSE_P_AT_MOST_5(...) SPARSE_P_COUNT_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, ~)
#define SPARSE_P_AT_MOST_6(...) SPARSE_P_COUNT_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, ~)
#define SPARSE_P_AT_MOST_7(...) SPARSE_P_COUNT_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, ~)
#define SPARSE_P_AT_MOST_8(...) SPARSE_P_COUNT_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, ~)
/* IS_LIST((x)) -> 1, IS_LIST(x), IS_LIST((x) (y)) -> 0 */
#define SPARSE_P_IS_LIST(x)            SPARSE_P_BY_PAREN(SPARSE_P_IS_LIST_, x)(x)
#define SPARSE_P_IS_LIST_0(x)          0
#define SPARSE_P_IS_LIST_1(x)          SPARSE_P_IS_ALONE(x)
#define SPARSE_P_DIMENSION_TWICE(c, d) SPARSE_P_DIMENSION_TWICE_(SPARSE_P_ID c, d)
#define SPARSE_P_DIMENSION_TWICE_(...) SPARSE_P_DIMENSION_TWICE__(__VA_ARGS__)
#define SPARSE_P_DIMENSION_TWICE__(name, dims, d)                                                                           \
    SPARSE_P_UNLESS(SPARSE_P_IS_SAME(SPARSE_P_COUNT(~SPARSE_P_EACHF(SPARSE_P_SAME, d, (, SPARSE_P_ID dims))), 1),           \
                    #name ": two dimensions are " #d)
/* checks a level: a list of two items, the type and the stored expression */
#define SPARSE_P_LEVEL_ERROR(c, x)            SPARSE_P_LEVEL_ERROR_(SPARSE_P_ID c, x)
#define SPARSE_P_LEVEL_ERROR_(...)            SPARSE_P_LEVEL_ERROR__(__VA_ARGS__)
#define SPARSE_P_LEVEL_ERROR__(name, dims, x) SPARSE_P_CAT(SPARSE_P_LEVEL_OF_, SPARSE_P_IS_LIST(x))(name, dims, x)
#define SPARSE_P_LEVEL_OF_0(name, dims, x)                                                                                  \
    , (#name ": " #x " is no level: these are a type and what it stores, in parentheses, as (compressed, j)")
#define SPARSE_P_LEVEL_OF_1(name, dims, x)                                                                                  \
    SPARSE_P_CAT(SPARSE_P_LEVEL_PAIR_, SPARSE_P_IS_SAME(SPARSE_P_COUNT(~, SPARSE_P_ID x), 2))                               \
    (name, dims, x, SPARSE_P_ID x)
#define SPARSE_P_LEVEL_PAIR_0(name, dims, x, ...) SPARSE_P_LEVEL_OF_0(name, dims, x)
#define SPARSE_P_LEVEL_PAIR_1(...)                SPARSE_P_LEVEL_PAIR(__VA_ARGS__)
#define SPARSE_P_LEVEL_PAIR(name, dims, x, format, d)                                                                       \
    SPARSE_P_CAT3(SPARSE_P_LEVEL_PARTS_, SPARSE_P_IS_PAREN(format), SPARSE_P_IS_PAREN(d))(name, dims, x, format, d)
#define SPARSE_P_LEVEL_PARTS_01(name, dims, x, ...) SPARSE_P_LEVEL_OF_0(name, dims, x)
#define SPARSE_P_LEVEL_PARTS_10(name, dims, x, ...) SPARSE_P_LEVEL_OF_0(name, dims, x)
#define SPARSE_P_LEVEL_PARTS_11(name, dims, x, ...) SPARSE_P_LEVEL_OF_0(name, dims, x)
#define SPARSE_P_LEVEL_PARTS_00(name, dims, x, format, d)                                                                   \
    SPARSE_P_BY_PAREN(SPARSE_P_FORMAT_ERROR_, SPARSE_P_BARE_##format)                                                       \
    (name, format) SPARSE_P_STORES(name, dims, SPARSE_P_EXPRESSION(d))
/* checks a level type without arguments: kernels know it, or it has a row that takes none */
#define SPARSE_P_FORMAT_ERROR_0(name, format)                                                                               \
    SPARSE_P_BY_PAREN(SPARSE_P_FORMAT_KNOWN_, SPARSE_P_LEVEL_ROW_##format)                                                  \
    (name, format, SPARSE_P_STORED_IS_##format, 0none, 1, 1, 1, ~)
#define SPARSE_P_FORMAT_KNOWN_1(name, format, ...) /* batch(soa) needs more than a row */                                   \
    SPARSE_P_CAT(SPARSE_P_FORMAT_ENDS_, SPARSE_P_IS_ALONE(SPARSE_P_LEVEL_ROW_##format))(name, format)
#define SPARSE_P_FORMAT_KNOWN_0(...) SPARSE_P_FORMAT_STORED(__VA_ARGS__)
#define SPARSE_P_FORMAT_STORED(name, format, storage, row, unique, order, n, ...)                                           \
    SPARSE_P_BY_PAREN(SPARSE_P_FORMAT_STORED_, SPARSE_P_LEVEL_ROW_##row)(name, format, row, n)
#define SPARSE_P_FORMAT_STORED_1(name, format, row, n)                                                                      \
    SPARSE_P_CAT(SPARSE_P_FORMAT_ENDS_, SPARSE_P_ENDS(SPARSE_P_NUMBERS_##n))(name, format)
#define SPARSE_P_NUMBERS_0
#define SPARSE_P_FORMAT_ENDS_1(name, format)
#define SPARSE_P_FORMAT_STORED_0(name, format, row, n)                                                                      \
    SPARSE_P_CAT(SPARSE_P_FORMAT_NOT_, SPARSE_P_ENDS(SPARSE_P_NO_FORMAT_##row))(name, format, row)
#define SPARSE_P_NO_FORMAT_0none
#define SPARSE_P_FORMAT_NOT_0(name, format, row) , (#name ": " #format " has no SPARSE_P_LEVEL_ROW_" #row)
#define SPARSE_P_FORMAT_NOT_1(name, format, row) SPARSE_P_FORMAT_ENDS_0(name, format)
#define SPARSE_P_FORMAT_ENDS_0(name, format)                                                                                \
    , (#name ": " #format " is no level type: these are dense, compressed, "                                                \
             "loose_compressed, singleton, structured(n, m), packed(n, m), bitmap, bitmask, delta(bits) and batch, and "    \
             "compressed(nonunique) and the like")
/* checks a level type with arguments: the properties or the numbers that WITH_word allows */
#define SPARSE_P_FORMAT_ERROR_1(name, format)                                                                               \
    SPARSE_P_BY_PAREN(SPARSE_P_WITH_, SPARSE_P_WITH_##format)(name, format, SPARSE_P_WITH_##format)
#define SPARSE_P_WITH_0(name, format, with)
#define SPARSE_P_WITH_1(name, format, with) SPARSE_P_EACHF(SPARSE_P_PROPERTY_ERROR, (name, format), with)
#define SPARSE_P_PROPERTY_ERROR(c, p)       SPARSE_P_PROPERTY_ERROR_(SPARSE_P_ID c, p)
#define SPARSE_P_PROPERTY_ERROR_(...)       SPARSE_P_PROPERTY_ERROR__(__VA_ARGS__)
#define SPARSE_P_PROPERTY_ERROR__(name, format, p)                                                                          \
    SPARSE_P_UNLESS(SPARSE_P_IS_SAME(SPARSE_P_COUNT(~, SPARSE_P_HAS_PROPERTY_##p), 2), #name                                \
                    ": " #p ", in " #format                                                                                 \
                    ", is no property: these are nonunique, nonordered and soa; structured and packed have two numbers, "   \
                    "delta one")
#define SPARSE_P_HAS_PROPERTY_nonunique     ~, ~
#define SPARSE_P_HAS_PROPERTY_nonordered    ~, ~
#define SPARSE_P_HAS_PROPERTY_soa           ~, ~
#define SPARSE_P_WITH_compressed(...)       (, __VA_ARGS__)
#define SPARSE_P_WITH_loose_compressed(...) (, __VA_ARGS__)
#define SPARSE_P_WITH_singleton(...)        (, __VA_ARGS__)
#define SPARSE_P_WITH_structured(...)                                                                                       \
    SPARSE_P_CAT(SPARSE_P_WITH_TWO_, SPARSE_P_IS_SAME(SPARSE_P_COUNT(~, __VA_ARGS__), 2))(__VA_ARGS__)
#define SPARSE_P_WITH_packed(...) SPARSE_P_WITH_structured(__VA_ARGS__)
#define SPARSE_P_WITH_delta(...)                                                                                            \
    SPARSE_P_CAT(SPARSE_P_WITH_TWO_, SPARSE_P_IS_SAME(SPARSE_P_COUNT(~, __VA_ARGS__), 1))(__VA_ARGS__)
#define SPARSE_P_WITH_TWO_0(...) (, __VA_ARGS__)
#define SPARSE_P_WITH_TWO_1(...) ()
/* checks what a level stores: a dimension, a part of one, or the difference of two */
#define SPARSE_P_STORES(...) SPARSE_P_STORES_(__VA_ARGS__)
#define SPARSE_P_STORES_(name, dims, kind, d, c)                                                                            \
    SPARSE_P_STORES_DIMENSION(name, dims, d) SPARSE_P_SECOND(SPARSE_P_STORES_WITH_##kind, SPARSE_P_DROP)(name, dims, c)
#define SPARSE_P_STORES_WITH_minus               ~, SPARSE_P_STORES_DIMENSION
#define SPARSE_P_STORES_DIMENSION(name, dims, d) SPARSE_P_CAT(SPARSE_P_STORES_, SPARSE_P_IS_LETTER(d))(name, dims, d)
#define SPARSE_P_STORES_0(name, dims, d)                                                                                    \
    , (#name ": " #d " is no dimension, nor a part of one: floordiv(i, 2), mod(i, 2), minus(j, i), count(i, 4)")
#define SPARSE_P_STORES_1(name, dims, d)                                                                                    \
    SPARSE_P_UNLESS(SPARSE_P_NZ(SPARSE_P_POS(d, dims)), #name ": " #d " is none of the dimensions " #dims)

/* If all levels are correct, checks that each dimension is stored once, by one level or by two, and checks the levels
   below differences, and the first level. */
#define SPARSE_P_MAP_ERRORS(...) SPARSE_P_MAP_ERRORS_(__VA_ARGS__)
#define SPARSE_P_MAP_ERRORS_(name, dims, ...)                                                                               \
    SPARSE_P_EACHE(SPARSE_P_DIMENSION_STORED, (name, (, __VA_ARGS__)), (, SPARSE_P_ID dims))                                \
    SPARSE_P_APPLY(SPARSE_P_DIFFERENCE_ERRORS,                                                                              \
                   SPARSE_P_FOLDD(SPARSE_P_BELOW_DIFFERENCE, (, (name, (), ()), __VA_ARGS__, (~, 0))))                      \
    SPARSE_P_CAT(SPARSE_P_BEGINS_, SPARSE_P_BELOW_LEVEL(SPARSE_P_UNPACK(SPARSE_P_FIRST(__VA_ARGS__))))(name)
#define SPARSE_P_DIFFERENCE_ERRORS(name, above, errors) SPARSE_P_ID errors
/* BELOW_DIFFERENCE((name, (), (errors)), (dense, minus(j, i))) -> (name, (, j, i), (errors)). The level after it must store
   i, or mod(i, c): BELOW_DIFFERENCE((name, (, j, i), (errors)), level) -> (name, (), (errors)) */
#define SPARSE_P_BELOW_DIFFERENCE(u, level) SPARSE_P_BELOW_DIFFERENCE_(SPARSE_P_ID u, SPARSE_P_ID level)
#define SPARSE_P_BELOW_DIFFERENCE_(...)     SPARSE_P_BELOW_DIFFERENCE__(__VA_ARGS__)
#define SPARSE_P_BELOW_DIFFERENCE__(name, above, errors, format, e)                                                         \
    SPARSE_P_BELOW_DIFFERENCE3(name, above, errors, SPARSE_P_EXPRESSION(e))
#define SPARSE_P_BELOW_DIFFERENCE3(...) SPARSE_P_BELOW_DIFFERENCE4(__VA_ARGS__)
#define SPARSE_P_BELOW_DIFFERENCE4(name, above, errors, kind, d, c)                                                         \
    (name, (SPARSE_P_SUBTRACTS_##kind(d, c)),                                                                               \
     (SPARSE_P_ID errors SPARSE_P_CAT(SPARSE_P_SUBTRACTED_, SPARSE_P_IS_ANY above)(name, kind, d, SPARSE_P_ID above)))
#define SPARSE_P_SUBTRACTS_0bad(d, c)
#define SPARSE_P_SUBTRACTS_0dim(d, c)
#define SPARSE_P_SUBTRACTS_floordiv(d, c)
#define SPARSE_P_SUBTRACTS_mod(d, c)
#define SPARSE_P_SUBTRACTS_count(d, c)
#define SPARSE_P_SUBTRACTS_minus(d, c) , d, c
#define SPARSE_P_SUBTRACTED_0(name, kind, d, above)
#define SPARSE_P_SUBTRACTED_1(...) SPARSE_P_SUBTRACTED(__VA_ARGS__)
#define SPARSE_P_SUBTRACTED(name, kind, d, z, j, i)                                                                         \
    SPARSE_P_UNLESS(SPARSE_P_IS_SAME(SPARSE_P_CAT(SPARSE_P_BELOW_DIFFERENCE_IS_, kind)(d), i),                              \
                    #name ": below minus(" #j ", " #i "), the next level stores " #i ", or mod(" #i ", 2) in blocks")
#define SPARSE_P_BELOW_DIFFERENCE_IS_0bad(d)     0
#define SPARSE_P_BELOW_DIFFERENCE_IS_0dim(d)     d
#define SPARSE_P_BELOW_DIFFERENCE_IS_floordiv(d) 0
#define SPARSE_P_BELOW_DIFFERENCE_IS_mod(d)      d
#define SPARSE_P_BELOW_DIFFERENCE_IS_count(d)    0
#define SPARSE_P_BELOW_DIFFERENCE_IS_minus(d)    0
#define SPARSE_P_DIMENSION_STORED(c, d)          SPARSE_P_DIMENSION_STORED_(SPARSE_P_ID c, d)
#define SPARSE_P_DIMENSION_STORED_(...)          SPARSE_P_DIMENSION_STORED__(__VA_ARGS__)
#define SPARSE_P_DIMENSION_STORED__(name, levels, d)                                                                        \
    SPARSE_P_UNLESS(SPARSE_P_STORED_AS(~SPARSE_P_EACHF(SPARSE_P_DIMENSION_PART, d, levels), 0, 0, 0, 0),                    \
                    #name ": " #d " is stored by one level, or by floordiv(" #d ", 2) and below it mod(" #d ", 2)")
/* DIMENSION_PART(i, (dense, floordiv(i, 2))) -> , 2: 1 is the whole dimension, 2 its blocks, 3 the offsets in the blocks */
#define SPARSE_P_DIMENSION_PART(d, x)           SPARSE_P_DIMENSION_PART_(d, SPARSE_P_ID x)
#define SPARSE_P_DIMENSION_PART_(...)           SPARSE_P_DIMENSION_PART__(__VA_ARGS__)
#define SPARSE_P_DIMENSION_PART__(d, format, e) SPARSE_P_DIMENSION_PART3(d, SPARSE_P_EXPRESSION(e))
#define SPARSE_P_DIMENSION_PART3(...)           SPARSE_P_DIMENSION_PART4(__VA_ARGS__)
#define SPARSE_P_DIMENSION_PART4(d, kind, stored, c)                                                                        \
    SPARSE_P_CAT(SPARSE_P_DIMENSION_PART_IF_, SPARSE_P_IS_SAME(d, stored))(kind)
#define SPARSE_P_DIMENSION_PART_IF_0(kind)
#define SPARSE_P_DIMENSION_PART_IF_1(kind) SPARSE_P_STORES_PART_##kind
#define SPARSE_P_STORES_PART_0dim          , 1
#define SPARSE_P_STORES_PART_minus         , 1
#define SPARSE_P_STORES_PART_floordiv      , 2
#define SPARSE_P_STORES_PART_mod           , 3
#define SPARSE_P_STORES_PART_count
/* STORED_AS(~, 2, 3, 0, 0, 0, 0) -> 1 */
#define SPARSE_P_STORED_AS(...)              SPARSE_P_STORED_AS_(__VA_ARGS__)
#define SPARSE_P_STORED_AS_(z, a, b, c, ...) SPARSE_P_IS_PAREN(SPARSE_P_STORED_AS_##a##b##c)
#define SPARSE_P_STORED_AS_100               ()
#define SPARSE_P_STORED_AS_230               ()
/* checks fixed sizes: there must be one for each dimension, and the level types must have sizes that follow from them */
#define SPARSE_P_FIXED_ERRORS(name, encoding, sizes, ...)                                                                   \
    SPARSE_P_BY_PAREN(SPARSE_P_FIXED_ERRORS_, sizes)(name, sizes, SPARSE_P_ID encoding)
#define SPARSE_P_FIXED_ERRORS_0(name, sizes, ...)
#define SPARSE_P_FIXED_ERRORS_1(...) SPARSE_P_FIXED_ERRORS_IN(__VA_ARGS__)
#define SPARSE_P_FIXED_ERRORS_IN(name, sizes, dims, ...)                                                                    \
    SPARSE_P_UNLESS(SPARSE_P_IS_SAME(SPARSE_P_COUNT(~, SPARSE_P_ID sizes), SPARSE_P_COUNT(~, SPARSE_P_ID dims)),            \
                    #name ": fixed(...) has one size for each dimension")                                                   \
    SPARSE_P_EACHE(SPARSE_P_FIXED_LEVEL_ERROR, name, (, __VA_ARGS__))
#define SPARSE_P_FIXED_LEVEL_ERROR(name, level)       SPARSE_P_FIXED_LEVEL_ERROR_(name, SPARSE_P_ID level)
#define SPARSE_P_FIXED_LEVEL_ERROR_(...)              SPARSE_P_FIXED_LEVEL_ERROR__(__VA_ARGS__)
#define SPARSE_P_FIXED_LEVEL_ERROR__(name, format, d) SPARSE_P_FIXED_STORES(name, format, SPARSE_P_EXPRESSION(d))
#define SPARSE_P_FIXED_STORES(...)                    SPARSE_P_FIXED_STORES_(__VA_ARGS__)
#define SPARSE_P_FIXED_STORES_(name, format, kind, d, c)                                                                    \
    SPARSE_P_UNLESS(SPARSE_P_HAS_CELL(SPARSE_P_IS_SIZED_##kind),                                                            \
                    #name ": sizes are fixed of levels over dimensions and their blocks only")
#define SPARSE_P_IS_SIZED_0dim           , 1
#define SPARSE_P_IS_SIZED_floordiv       , 1
#define SPARSE_P_IS_SIZED_mod            , 1
#define SPARSE_P_BELOW_LEVEL(...)        SPARSE_P_BELOW_LEVEL_(__VA_ARGS__)
#define SPARSE_P_BELOW_LEVEL_(format, d) SPARSE_P_IS_PAREN(SPARSE_P_BELOW_##format)
#define SPARSE_P_BELOW_singleton         ()
#define SPARSE_P_BEGINS_0(name)
#define SPARSE_P_BEGINS_1(name)                                                                                             \
    , (#name ": a singleton level stores one coordinate for each of a compressed level, and cannot be the first")

/* >>sums
   Subscripts that are sums: offset + stride * i - pad. i is the index of the loop; offset is the part that the loops around
   it have determined; pad is the part that constants subtract. With pad kept apart, offset and coordinate + pad are never
   negative (Liu et al. 2024, sections 3 and 5).

   For example, x(2 * i + p) for p < 3, with loops (i, p), reads a vector with the coordinates 1 4 5. The loop over i visits
   subsections of 3 coordinates: i = 0 has [0, 3), which contains 1; i = 1 has [2, 5), which contains 4; i = 2 has [4, 7),
   which contains 4 and 5. In the loop over p, the subscript has offset 2 * i and stride 1. It visits a window of positions:
   at i = 2 the positions of the coordinates 4 and 5, where p is 0 and 1. */

/* The positive part of a constant in a sum, and the absolute value of its negative part. */
SPARSE_P_INLINE size_t sparse_p_forth(ptrdiff_t constant) { return constant > 0 ? (size_t)constant : 0; }
SPARSE_P_INLINE size_t sparse_p_back(ptrdiff_t constant) { return constant < 0 ? 0 - (size_t)constant : 0; }

/* The number of coordinates that u + stride * i spans for the i of a loop, if u spans `u` coordinates; 0 if the loop has
   no i. */
SPARSE_P_INLINE size_t sparse_p_reach(size_t u, size_t stride, size_t size)
{
    return u > 0 && size > 0 ? u + stride * (size - 1) : 0;
}

/* sparse_p_gallop for the first position of a window, and for its end. The end is usually near either end of the range:
   the last windows of a short segment reach to its end, and a window of a long list ends soon after it begins. So the
   search gallops from both sides. It is not inlined, so that the loop over the window keeps its registers. */
SPARSE_P_OUTLINE size_t sparse_p_window_first(const void *crd, size_t bytes, size_t apart, size_t p, size_t end, size_t pad,
                                              size_t at)
{
    return sparse_p_gallop(crd, bytes, apart, p, end, pad, at);
}
SPARSE_P_OUTLINE size_t sparse_p_gallop_window(const void *crd, size_t bytes, size_t apart, size_t p, size_t end, size_t pad,
                                               size_t at)
{
    size_t low = p, high = end; /* positions before low are in the window, positions from high on are not */
    for (size_t step = 1; step <= high - low; step += step) {
        if (sparse_p_stored(crd, bytes, apart, high - step) + pad < at) {
            low = high - step + 1;
            break;
        }
        high -= step;
        if (step > high - low) break;
        if (sparse_p_stored(crd, bytes, apart, low + step - 1) + pad >= at) {
            high = low + step - 1;
            break;
        }
        low += step;
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sparse_p_stored(crd, bytes, apart, middle) + pad < at)
            low = middle + 1;
        else
            high = middle;
    }
    return high;
}

/* A window: the positions of a segment that a loop over i < size visits. The loop reads coordinates from position
   `first` on, up to the coordinate of its last i, and at most to `end`, the end of the segment. `apart`: the distance of
   two coordinates in crd. */
typedef struct sparse_p_window {
    size_t first, end, offset, stride, pad, size, apart;
} sparse_p_window;

/* Returns the index i of a coordinate; the second function returns whether the coordinate is on the stride. */
SPARSE_P_INLINE size_t sparse_p_window_index(size_t coordinate, sparse_p_window w)
{
    return w.stride == 1 ? coordinate + w.pad - w.offset : (coordinate + w.pad - w.offset) / w.stride;
}
SPARSE_P_INLINE bool sparse_p_window_has(size_t coordinate, sparse_p_window w)
{
    return w.stride == 1 || (coordinate + w.pad - w.offset) % w.stride == 0;
}
/* True if index i has a coordinate that is not negative. */
SPARSE_P_INLINE bool sparse_p_window_reaches(size_t i, sparse_p_window w) { return w.offset + i * w.stride >= w.pad; }
SPARSE_P_INLINE size_t sparse_p_window_coordinate(size_t i, sparse_p_window w) { return w.offset + i * w.stride - w.pad; }
/* Returns the first position from p on that is on the stride. */
SPARSE_P_INLINE size_t sparse_p_window_next(const void *crd, size_t bytes, size_t apart, size_t p, size_t end,
                                            sparse_p_window w)
{
    while (p < end && !sparse_p_window_has(sparse_p_stored(crd, bytes, apart, p), w)) p++;
    return p;
}
/* Returns the window of a segment [lo, hi). */
SPARSE_P_INLINE sparse_p_window sparse_p_window_of(const void *crd, size_t bytes, size_t apart, size_t lo, size_t hi,
                                                   size_t offset, size_t stride, size_t pad, size_t size)
{
    sparse_p_window w = {lo, hi, offset, stride, pad, size, apart};
    if (lo < hi && sparse_p_stored(crd, bytes, apart, lo) + pad < offset)
        w.first = sparse_p_window_first(crd, bytes, apart, lo, hi, pad, offset);
    if (stride != 1) w.first = sparse_p_window_next(crd, bytes, apart, w.first, hi, w);
    return w;
}
SPARSE_P_INLINE sparse_p_window sparse_p_window_sliced(const void *crd, size_t bytes, size_t apart, size_t lo, size_t hi,
                                                       sparse_slice s)
{
    return sparse_p_window_of(crd, bytes, apart, lo, hi, s.offset, s.stride, 0, s.size);
}
/* The beginning of a window, its latest possible end, and the most positions that it can have if coordinates are unique. */
SPARSE_P_INLINE size_t sparse_p_window_begin(sparse_p_window w) { return w.first; }
SPARSE_P_INLINE size_t sparse_p_window_limit(sparse_p_window w) { return w.end; }
SPARSE_P_INLINE size_t sparse_p_window_most(sparse_p_window w) { return sparse_p_min(w.end - w.first, w.size); }
/* Returns the end of a window. */
SPARSE_P_INLINE size_t sparse_p_window_end(const void *crd, size_t bytes, sparse_p_window w)
{
    const size_t beyond = w.offset + sparse_p_reach(1, w.stride, w.size);
    return w.first < w.end && sparse_p_stored(crd, bytes, w.apart, w.end - 1) + w.pad >= beyond
               ? sparse_p_gallop_window(crd, bytes, w.apart, w.first, w.end, w.pad, beyond)
               : w.end;
}
/* The window of a dense level below a parent whose positions begin at `origin`. */
SPARSE_P_INLINE sparse_p_window sparse_p_window_shifted(size_t origin, size_t dim, size_t offset, size_t stride, size_t pad,
                                                        size_t size)
{
    const size_t before = pad > offset ? (pad - offset) / stride + ((pad - offset) % stride != 0) : 0;
    const size_t beyond = offset + sparse_p_reach(1, stride, size);
    const size_t first = sparse_p_min(offset + before * stride, sparse_p_max(beyond, pad)) - pad;
    const size_t end = beyond > pad ? sparse_p_min(beyond - pad, dim) : 0;
    sparse_p_window w = {origin + sparse_p_min(first, end), origin + end, offset + origin, stride, pad, size, 1};
    return w;
}
/* Returns the first position from p on that is on the stride, or end, in a window of a dense level. */
SPARSE_P_INLINE size_t sparse_p_window_step(size_t p, size_t end, sparse_p_window w)
{
    const size_t beyond = (p - w.first) % w.stride;
    return sparse_p_min(beyond ? p + w.stride - beyond : p, end);
}
/* Moves p to index i in a window of a dense level, at most to end. Returns true if i is there. */
SPARSE_P_INLINE bool sparse_p_window_find(size_t i, size_t *p, size_t end, sparse_p_window w)
{
    if (!sparse_p_window_reaches(i, w)) return false;
    const size_t at = sparse_p_window_coordinate(i, w);
    if (at < w.first || at >= end) return false;
    *p = at;
    return true;
}

/* A term of a sum: step * i for i < size. An array of terms ends with one whose step is 0. */
typedef struct sparse_p_term {
    size_t step, size;
} sparse_p_term;
/* True if x is a sum of values of the terms. */
SPARSE_P_OUTLINE bool sparse_p_is_sum_of_several(const sparse_p_term *t, size_t x);
SPARSE_P_INLINE bool sparse_p_is_sum(const sparse_p_term *t, size_t x)
{
    return t[1].step > 0 ? sparse_p_is_sum_of_several(t, x) : x % t->step == 0 && x / t->step < t->size;
}
SPARSE_P_OUTLINE bool sparse_p_is_sum_of_several(const sparse_p_term *t, size_t x)
{
    for (size_t i = 0; i < t->size && i <= x / t->step; i++)
        if (sparse_p_is_sum(t + 1, x - i * t->step)) return true;
    return false;
}
/* Returns the terms, or NULL if their sums cover every coordinate. */
SPARSE_P_INLINE const sparse_p_term *sparse_p_apart(const sparse_p_term *t)
{
    for (const sparse_p_term *each = t; each && each->step > 0; each++)
        if (each->step > 1) return t;
    return NULL;
}
/* Selects the positions of a level whose coordinate + pad - base is a sum of the terms. In a dense level, bytes is 0 and
   coordinates are positions. Without terms, all positions count. */
typedef struct sparse_p_sieve {
    const sparse_p_term *terms;
    const void *crd;
    size_t bytes, apart, base, pad;
} sparse_p_sieve;
SPARSE_P_INLINE sparse_p_sieve sparse_p_sieve_of(const sparse_p_term *terms, const void *crd, size_t bytes, size_t apart,
                                                 size_t base, size_t pad)
{
    const sparse_p_sieve s = {sparse_p_apart(terms), crd, bytes, apart, base, pad};
    return s;
}
SPARSE_P_INLINE bool sparse_p_lets_pass(const sparse_p_sieve *s, size_t p)
{
    return !s->terms ||
           sparse_p_is_sum(s->terms, (s->bytes > 0 ? sparse_p_stored(s->crd, s->bytes, s->apart, p) : p) + s->pad - s->base);
}
/* The coordinate at position p, and the first position from p on that has a coordinate. In a bitmap, `apart` is 0, the
   coordinate is p, and the second function finds the next set bit. */
SPARSE_P_INLINE size_t sparse_p_coordinate_at(const void *crd, size_t bytes, size_t apart, size_t p)
{
    return apart > 0 ? sparse_p_stored(crd, bytes, apart, p) : p;
}
SPARSE_P_INLINE size_t sparse_p_next_stored(const void *crd, size_t bytes, size_t apart, size_t p, size_t end)
{
    if (apart > 0) return p;
    return bytes == 1   ? sparse_p_next_bit_8((const uint8_t *)crd, p, end)
           : bytes == 2 ? sparse_p_next_bit_16((const uint16_t *)crd, p, end)
           : bytes == 4 ? sparse_p_next_bit_32((const uint32_t *)crd, p, end)
                        : sparse_p_next_bit_64((const uint64_t *)crd, p, end);
}
/* Returns the least i < most for which a position in [p, end) is at stride * i + a sum within size; `most` if there is
   none. For the stride and a single term, a remainder that is not found in `step` consecutive i never occurs. */
SPARSE_P_OUTLINE size_t sparse_p_first_sum(const sparse_p_sieve *s, size_t p, size_t end, size_t stride, size_t size,
                                           size_t most)
{
    for (; (p = sparse_p_next_stored(s->crd, s->bytes, s->apart, p, end)) < end; p++) {
        const size_t x = sparse_p_coordinate_at(s->crd, s->bytes, s->apart, p) + s->pad - s->base;
        size_t i = x < size ? 0 : (x - size) / stride + 1;
        if (i >= most) break;
        const size_t last = s->terms[1].step > 0 ? most : sparse_p_min(most, i + s->terms->step);
        while (i < last && i <= x / stride && !sparse_p_is_sum(s->terms, x - i * stride)) i++;
        if (i < last && i <= x / stride) most = i;
    }
    return most;
}

/* The non-empty subsections of a segment. Offset i < count has a subsection if [base, base + size), base = offset +
   stride * i - pad, contains a coordinate; with terms, the coordinate must be at a sum of them. p is the first position
   in or after the current subsection. */
typedef struct sparse_p_subsections {
    const void *crd;
    size_t bytes, apart, p, end, offset, stride, pad, size, count;
    const sparse_p_term *terms;
} sparse_p_subsections;

SPARSE_P_INLINE sparse_p_subsections sparse_p_subsections_of(const void *crd, size_t bytes, size_t apart, size_t lo,
                                                             size_t hi, size_t offset, size_t stride, size_t pad,
                                                             size_t size, size_t count)
{
    const sparse_p_subsections s = {crd, bytes, apart, size > 0 ? lo : hi, hi, offset, stride, pad, size, count, NULL};
    return s;
}
SPARSE_P_INLINE sparse_p_subsections sparse_p_subsections_among(const sparse_p_term *terms, sparse_p_subsections s)
{
    s.terms = sparse_p_apart(terms);
    return s;
}
SPARSE_P_INLINE sparse_p_sieve sparse_p_subsection_sieve(const sparse_p_subsections *s, size_t i)
{
    return sparse_p_sieve_of(s->terms, s->crd, s->bytes, s->apart, s->offset + i * s->stride, s->pad);
}
/* subsect_begin and subsect_next (Liu et al. 2024, 5.2): return the first offset from i on, or count. Coordinates between
   two subsections, which exist if the stride is longer than a subsection, are skipped. */
SPARSE_P_INLINE size_t sparse_p_subsection_from(sparse_p_subsections *s, size_t i)
{
    for (; (s->p = sparse_p_next_stored(s->crd, s->bytes, s->apart, s->p, s->end)) < s->end; s->p++) {
        const size_t x = sparse_p_coordinate_at(s->crd, s->bytes, s->apart, s->p) + s->pad, base = s->offset + i * s->stride;
        if (x < base) continue;
        if (s->terms && i < s->count) {
            const sparse_p_sieve sieve = sparse_p_subsection_sieve(s, i);
            return i + sparse_p_first_sum(&sieve, s->p, s->end, s->stride, s->size, s->count - i);
        }
        if (x - base < s->size) return sparse_p_min(i, s->count);
        i += (x - base - s->size) / s->stride + 1;
        if (x - (s->offset + i * s->stride) < s->size) return sparse_p_min(i, s->count);
    }
    return s->count;
}
/* Moves *p to offset i, or beyond. Returns true if i has a subsection. */
SPARSE_P_INLINE bool sparse_p_subsection_seek(sparse_p_subsections *s, size_t *p, size_t end, size_t i)
{
    if (*p < i) *p = sparse_p_subsection_from(s, i);
    return *p == i && i < end;
}
/* The most subsections that there can be. */
SPARSE_P_INLINE size_t sparse_p_subsections_most(const sparse_p_subsections *s)
{
    const size_t stored = s->end - s->p;
    return s->size > 0 && stored > s->count / s->size ? s->count : stored * s->size;
}

/* The beginning of the current subsection, the end of its segment, and the number of offsets. */
SPARSE_P_INLINE size_t sparse_p_subsection_begin(const sparse_p_subsections *s) { return s->p; }
SPARSE_P_INLINE size_t sparse_p_subsection_limit(const sparse_p_subsections *s) { return s->end; }
SPARSE_P_INLINE size_t sparse_p_subsection_count(const sparse_p_subsections *s) { return s->count; }
/* The end of the positions of the subsection at offset i. */
SPARSE_P_INLINE size_t sparse_p_subsection_end(const sparse_p_subsections *s, size_t i)
{
    return sparse_p_gallop(s->crd, s->bytes, s->apart, s->p, s->end, s->pad, s->offset + i * s->stride + s->size);
}

/* The number of parents below which a search continues where it ended for the offset before. */
#define SPARSE_SPREAD_KEPT 16
/* Filters for sums whose terms have coefficients. `terms`: a coordinate below a parent counts only if it is at a sum of
   the terms, tested for offsets below `count`. `first`: the same filter for the topmost parents. */
typedef struct sparse_p_gaps {
    const sparse_p_term *terms;
    sparse_p_sieve first;
    size_t count;
} sparse_p_gaps;
SPARSE_P_INLINE sparse_p_gaps sparse_p_gaps_of(const sparse_p_term *terms, sparse_p_sieve first, size_t count)
{
    const sparse_p_gaps g = {sparse_p_apart(terms), first, count};
    return g;
}

/* The parents of a spread: the positions [first, end) or, if `above` is set, the positions at offset i of that spread,
   of which there are none if end is 0. */
typedef struct sparse_p_parents {
    size_t first, end, i;
    const struct sparse_p_segments *above;
    const sparse_p_gaps *gaps; /* NULL: all coordinates count */
} sparse_p_parents;
/* A spread: the non-empty subsections of several segments, one below each parent. The segment of parent p is the
   positions from pos[per * p] to pos[per * p + 1]; below batches, these count from the first position of the batch. In a
   bitmap, without pos, it is the `per` positions from per * p on. In a dense level it is the positions per * p +
   [offset, size). The struct has at most 16 members, because compilers keep no larger one in registers. */
typedef struct sparse_p_segments {
    const void *pos, *crd;
    size_t pos_bytes, per, bytes; /* pos_bytes: 0 in a bitmap; pos_bytes and bytes: 0 in a dense level */
    sparse_p_parents parents;
    size_t offset, stride, pad, size;
    size_t *kept; /* where the search continues below the first parents, once it has begun */
    size_t batch; /* the first position of the current batch */
} sparse_p_segments;

SPARSE_P_INLINE sparse_p_segments sparse_p_segments_of(size_t *kept, const void *pos, size_t pos_bytes, size_t per,
                                                       const void *crd, size_t bytes, sparse_p_parents parents,
                                                       size_t offset, size_t stride, size_t pad, size_t size)
{
    const sparse_p_segments s = {pos, crd, pos_bytes, per, bytes, parents, offset, stride, pad, size, kept, 0};
    return s;
}
SPARSE_P_INLINE sparse_p_segments sparse_p_segments_in_batch(size_t first, sparse_p_segments s)
{
    s.batch = first;
    return s;
}
SPARSE_P_INLINE sparse_p_segments sparse_p_segments_among(const sparse_p_gaps *gaps, sparse_p_segments s)
{
    if (gaps->terms || gaps->first.terms) s.parents.gaps = gaps;
    return s;
}
/* The first coordinate, and the end, of the part of [offset, offset + size) - pad that is within a dimension. */
SPARSE_P_INLINE size_t sparse_p_first_within(size_t offset, size_t pad) { return offset > pad ? offset - pad : 0; }
SPARSE_P_INLINE size_t sparse_p_end_within(size_t offset, size_t size, size_t pad, size_t dim)
{
    return offset + size > pad ? sparse_p_min(offset + size - pad, dim) : 0;
}

/* A dense level as a spread: below each parent, the coordinates of [offset, offset + size) - pad inside the
   dimension. */
SPARSE_P_INLINE sparse_p_segments sparse_p_segments_across(sparse_p_parents parents, size_t dim, size_t offset, size_t pad,
                                                           size_t size)
{
    const size_t end = sparse_p_end_within(offset, size, pad, dim),
                 first = sparse_p_min(sparse_p_first_within(offset, pad), end);
    const sparse_p_segments s = {NULL, NULL, 0, dim, 0, parents, first, 0, pad - offset, end, NULL, 0};
    return s;
}
SPARSE_P_INLINE sparse_p_parents sparse_p_parents_between(size_t first, size_t end)
{
    const sparse_p_parents p = {first, end, 0, NULL, NULL};
    return p;
}
/* The parents at offset i of the spread `above`. Only its own parents before `end` are visited. */
SPARSE_P_INLINE sparse_p_parents sparse_p_parents_below(const sparse_p_segments *above, size_t i, size_t end)
{
    const sparse_p_parents p = {above->parents.first, end, i, above, NULL};
    return p;
}
SPARSE_P_INLINE size_t sparse_p_segments_end(const sparse_p_segments *s) { return s->parents.end; }
/* The beginning and the end of the segment below a parent, and coordinate + pad at position p in it. */
SPARSE_P_INLINE size_t sparse_p_segments_lo(const sparse_p_segments *s, size_t parent)
{
    return s->pos_bytes > 0 ? sparse_p_stored(s->pos, s->pos_bytes, 1, s->per * parent) + s->batch : s->per * parent;
}
SPARSE_P_INLINE size_t sparse_p_segments_hi(const sparse_p_segments *s, size_t parent)
{
    return s->pos_bytes > 0 ? sparse_p_stored(s->pos, s->pos_bytes, 1, s->per * parent + 1) + s->batch
                            : s->per * parent + s->per;
}
SPARSE_P_INLINE size_t sparse_p_segments_coordinate(const sparse_p_segments *s, size_t parent, size_t p)
{
    return (s->pos_bytes > 0 ? sparse_p_stored(s->crd, s->bytes, 1, p) : p - s->per * parent) + s->pad;
}
/* Returns the first position of [p, end) below a parent with a coordinate of base - pad or more; end if there is none. */
SPARSE_P_INLINE size_t sparse_p_segments_at(const sparse_p_segments *s, size_t parent, size_t p, size_t end, size_t base)
{
    if (s->pos_bytes > 0) return sparse_p_gallop(s->crd, s->bytes, 1, p, end, s->pad, base);
    const size_t first = s->per * parent + sparse_p_first_within(base, s->pad);
    return sparse_p_next_stored(s->crd, s->bytes, 0, sparse_p_max(p, first), end);
}
/* Where the search below a parent continues; lo is where it would begin. */
SPARSE_P_INLINE size_t sparse_p_segments_near(const sparse_p_segments *s, size_t parent, size_t lo)
{
    const size_t n = parent - s->parents.first;
    return s->kept && !s->parents.above && n < SPARSE_SPREAD_KEPT ? s->kept[n] : lo;
}
/* An iteration over parents: the current one, and how many were found so far. If the parents are themselves below other
   parents, the next cursor in the array is at the current one of those. */
typedef struct sparse_p_parent_cursor {
    size_t parent, found, next, end;
} sparse_p_parent_cursor;
/* Starts an iteration. The array has as many cursors as there are levels of parents. */
SPARSE_P_INLINE void sparse_p_begin_parents(const sparse_p_parents *all, sparse_p_parent_cursor *c)
{
    const sparse_p_parent_cursor none = {0, 0, 0, 0};
    for (*c = none; all->above; *++c = none) all = &all->above->parents;
}
/* True if there are more than two levels of parents, or filters. Such iterations call functions; others are inlined. */
SPARSE_P_INLINE bool sparse_p_is_deep(const sparse_p_parents *all)
{
    return all->gaps || (all->above && (all->above->parents.gaps || all->above->parents.above));
}
/* Moves to the next parent, for parents that are not below others. Returns false if there is none. */
SPARSE_P_INLINE bool sparse_p_next_first_parent(const sparse_p_parents *all, const sparse_p_gaps *gaps,
                                                sparse_p_parent_cursor *c)
{
    do c->parent = all->first + c->found++;
    while (c->parent < all->end && gaps && !sparse_p_lets_pass(&gaps->first, c->parent));
    return c->parent < all->end;
}
/* Moves to the next parent. Returns false if there is none. */
SPARSE_P_INLINE bool sparse_p_next_parent(const sparse_p_parents *all, sparse_p_parent_cursor *c, bool deep);
SPARSE_P_OUTLINE bool sparse_p_next_deep_parent(const sparse_p_parents *all, sparse_p_parent_cursor *c)
{
    return sparse_p_next_parent(all, c, sparse_p_is_deep(all));
}
SPARSE_P_INLINE bool sparse_p_next_parent(const sparse_p_parents *all, sparse_p_parent_cursor *c, bool deep)
{
    const sparse_p_segments *const s = all->above;
    sparse_p_parent_cursor *const over = c + 1;
    if (!s) return sparse_p_next_first_parent(all, deep ? all->gaps : NULL, c);
    const size_t base = s->offset + all->i * s->stride;
    for (bool among = false; !among; c->next++) {
        while (c->next == c->end ||
               (s->bytes > 0 && sparse_p_segments_coordinate(s, over->parent, c->next) - base >= s->size)) {
            if (deep ? all->end == 0 || !sparse_p_next_deep_parent(&s->parents, over)
                     : !sparse_p_next_first_parent(all, NULL, over))
                return false;
            c->end = s->bytes > 0 ? sparse_p_segments_hi(s, over->parent) : s->per * over->parent + s->size;
            c->next = s->bytes > 0
                          ? sparse_p_segments_at(
                                s, over->parent,
                                sparse_p_segments_near(s, over->parent, sparse_p_segments_lo(s, over->parent)), c->end, base)
                          : s->per * over->parent + s->offset;
        }
        among = !deep || !s->parents.gaps || !s->parents.gaps->terms ||
                sparse_p_is_sum(s->parents.gaps->terms, s->bytes > 0
                                                            ? sparse_p_segments_coordinate(s, over->parent, c->next) - base
                                                            : c->next - s->per * over->parent + s->pad);
    }
    c->found++;
    c->parent = c->next - 1;
    return true;
}

/* Returns the first offset from i on whose window contains a coordinate, or SIZE_MAX. The least such coordinate below any
   parent determines it. */
SPARSE_P_INLINE size_t sparse_p_search_spread(sparse_p_segments *s, size_t i, bool deep)
{
    sparse_p_parent_cursor c[SPARSE_MAX_LEVELS];
    for (bool known = i > 0; s->size > 0; known = true) {
        const size_t base = s->offset + i * s->stride;
        size_t least = SIZE_MAX;
        for (sparse_p_begin_parents(&s->parents, c); sparse_p_next_parent(&s->parents, c, deep);) {
            const bool keeps = c->found <= SPARSE_SPREAD_KEPT;
            const size_t hi = sparse_p_segments_hi(s, c->parent);
            const size_t lo = known && keeps ? s->kept[c->found - 1] : sparse_p_segments_lo(s, c->parent);
            const size_t at = sparse_p_segments_at(s, c->parent, lo, hi, base);
            if (keeps) s->kept[c->found - 1] = at;
            if (at < hi) least = sparse_p_min(least, sparse_p_segments_coordinate(s, c->parent, at));
            if ((s->pos_bytes > 0 ? !keeps : known) && least < base + s->size)
                break; /* in a bitmap, the search always starts at the window */
        }
        if (least == SIZE_MAX) break;
        if (least - base >= s->size) i += (least - base - s->size) / s->stride + 1;
        if (least >= s->offset + i * s->stride) return i;
    }
    return SIZE_MAX;
}
/* sparse_p_search_spread for coordinates that must be at a sum of the terms. */
SPARSE_P_OUTLINE size_t sparse_p_search_sums(sparse_p_segments *s, size_t i)
{
    const sparse_p_gaps *const gaps = s->parents.gaps;
    const size_t base = s->offset + i * s->stride;
    sparse_p_sieve sieve = sparse_p_sieve_of(gaps->terms, s->crd, s->bytes, s->pos_bytes > 0 ? 1 : 0, base, s->pad);
    sparse_p_parent_cursor c[SPARSE_MAX_LEVELS];
    if (s->size == 0 || i >= gaps->count) return SIZE_MAX;
    size_t least = gaps->count - i;
    for (sparse_p_begin_parents(&s->parents, c); sparse_p_next_parent(&s->parents, c, true);) {
        const bool keeps = c->found <= SPARSE_SPREAD_KEPT;
        const size_t hi = sparse_p_segments_hi(s, c->parent);
        const size_t lo = i > 0 && keeps ? s->kept[c->found - 1] : sparse_p_segments_lo(s, c->parent);
        const size_t at = least == 0 ? lo : sparse_p_segments_at(s, c->parent, lo, hi, base);
        if (keeps) s->kept[c->found - 1] = at;
        if (s->pos_bytes == 0) sieve.base = base + s->per * c->parent;
        least = sparse_p_first_sum(&sieve, at, hi, s->stride, s->size, least);
        if (least == 0 && !keeps) break;
    }
    return i + least;
}
SPARSE_P_OUTLINE size_t sparse_p_search_deep_spread(sparse_p_segments *s, size_t i)
{
    return s->parents.gaps && s->parents.gaps->terms ? sparse_p_search_sums(s, i) : sparse_p_search_spread(s, i, true);
}
/* Returns the first offset from i on; the number of offsets or more if there is none. */
SPARSE_P_INLINE size_t sparse_p_segments_from(sparse_p_segments *s, size_t i)
{
    return sparse_p_is_deep(&s->parents) ? sparse_p_search_deep_spread(s, i) : sparse_p_search_spread(s, i, false);
}

/* Moves *p to offset i, or beyond. Returns true if i has a subsection below any parent. */
SPARSE_P_INLINE bool sparse_p_segments_seek(sparse_p_segments *s, size_t *p, size_t end, size_t i)
{
    if (*p < i) *p = sparse_p_segments_from(s, i);
    return *p == i && i < end;
}

/* The most subsections that there can be, of `count` offsets. */
SPARSE_P_INLINE size_t sparse_p_segments_most(const sparse_p_segments *s, size_t count)
{
    sparse_p_parent_cursor c[SPARSE_MAX_LEVELS];
    size_t stored = 0;
    for (sparse_p_begin_parents(&s->parents, c); sparse_p_next_deep_parent(&s->parents, c);)
        stored += sparse_p_segments_hi(s, c->parent) - sparse_p_segments_lo(s, c->parent);
    return s->size > 0 && stored > count / s->size ? count : stored * s->size;
}
/* sparse_p_window_bit_32(words, p, end, w): the first position of [p, end) that is stored and on the stride, or end */
#define SPARSE_P_WINDOW_BITS_OF(bits)                                                                                       \
    SPARSE_P_INLINE size_t sparse_p_window_bit_##bits(const uint##bits##_t *words, size_t p, size_t end, sparse_p_window w) \
    {                                                                                                                       \
        do p = sparse_p_window_step(sparse_p_next_bit_##bits(words, p, end), end, w);                                       \
        while (p < end && !sparse_p_bit_##bits(words, p));                                                                  \
        return p;                                                                                                           \
    }
SPARSE_P_WINDOW_BITS_OF(8)
SPARSE_P_WINDOW_BITS_OF(16)
SPARSE_P_WINDOW_BITS_OF(32)
SPARSE_P_WINDOW_BITS_OF(64)

/* Conjugates a value x of a tensor with that encoding. Real values stay the same. */
static inline void sparse_p_conjugate(void *x, const sparse_encoding *e)
{
    if (e->kind == SPARSE_C64) {
        float part[2];
        memcpy(part, x, sizeof part);
        part[1] = -part[1];
        memcpy(x, part, sizeof part);
    } else if (e->kind == SPARSE_C128) {
        double part[2];
        memcpy(part, x, sizeof part);
        part[1] = -part[1];
        memcpy(x, part, sizeof part);
    }
}

/* >>binding
   The description of operands that a kernel passes, and the checks at its beginning. */

/* How a kernel uses an operand. */
typedef enum sparse_p_access {
    SPARSE_READS,
    SPARSE_WRITES,
    SPARSE_UPDATES,
    SPARSE_ASSEMBLES,
    SPARSE_COPIES,  /* has the pattern of the next operand */
    SPARSE_SLICES,  /* reads a slice */
    SPARSE_CURRENT, /* reads an output */
    SPARSE_SUMS,    /* describes the sums of an operand */
    SPARSE_RANGES   /* gives the size of an index */
} sparse_p_access;

/* One operand of a kernel call. If the operand is read through slices, the next row holds the slices, without an
   encoding. If it has sums, the next row holds them, a sparse_p_sums. */
typedef struct sparse_p_operand {
    const sparse_encoding *encoding; /* the kernel was compiled for it; null for a scalar output */
    const void *tensor;              /* a struct that begins with a sparse_tensor; any address for a scalar output */
    const char *index;               /* the letters of its indices, one for each dimension; + for a sum */
    sparse_p_access access;
    const char *name; /* null if SPARSE_EXPLAIN is 0 */
} sparse_p_operand;

/* The sums of an operand as numbers. Each sum has in this order: 1 if its edges are padded, else 0; the number of terms;
   the letter and the coefficient of each term; the constant. Only this struct refers to sparse_p_bind_sums and
   sparse_p_sum_sizes, so a program whose kernels have no sums does not contain them. */
typedef struct sparse_p_sums {
    sparse_result (*bind)(const char *loops, size_t *size, const sparse_p_operand *operand, size_t count);
    sparse_result (*sizes)(const char *loops, const size_t *size, const sparse_p_operand *o, size_t *dim);
    const ptrdiff_t *number;
} sparse_p_sums;

/* Computes the sizes of the indices that occur only in sums. Returns SPARSE_OK if all sums stay within their dimensions. */
SPARSE_NODISCARD SPARSE_P_API_COLD sparse_result sparse_p_bind_sums(const char *loops, size_t *size,
                                                                    const sparse_p_operand *operand, size_t count);

/* For an output with sums as subscripts: sets dim[d] to the size of each such dimension, the largest value of the sum
   plus one. */
SPARSE_NODISCARD SPARSE_P_API_COLD sparse_result sparse_p_sum_sizes(const char *loops, const size_t *size,
                                                                    const sparse_p_operand *o, size_t *dim);

/* SPARSE_OK if a sum, as in sparse_p_sums, stays within `dim` coordinates. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_p_sum_fits(const char *loops, const size_t *size, const ptrdiff_t *sum,
                                                            size_t dim);

/* The number of positions of level l in each batch; l must store coordinates. */
SPARSE_API size_t sparse_p_part(const sparse_tensor *t, unsigned l);

/* For the operand whose index count() distributes to slices: true if every slot holds an entry. All its levels must be
   dense, one of them over the index, except the last, which must be compressed with as many entries as slots. An output
   that is assembled does not count, because it still holds the result of an earlier call. */
SPARSE_API bool sparse_p_slots_are_taken(const sparse_p_operand *operand, size_t count, const char *index);

/* Checks the operands of a kernel against each other: pointers, encodings, storage, sizes and aliasing, as far as
   SPARSE_CHECKS requires. Determines the sizes of the loops, which are named by the letters of the string, and allocates
   dense outputs without memory. Changes nothing if a check fails. Every kernel calls it first. `kernel` is its name, for
   sparse_explain. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_p_bind(const char *kernel, const char *loops, size_t *size,
                                                        const sparse_p_operand *operand, size_t count);

/* The dimensions of a tensor, a struct that begins with a sparse_tensor. */
SPARSE_P_INLINE const size_t *sparse_p_dims_of(const void *tensor) { return ((const sparse_tensor *)tensor)->dim; }

/* Gives an index the size of a dimension, or returns the error that sparse_p_bind would. Without checks, always succeeds. */
SPARSE_P_INLINE sparse_result sparse_p_take_size(size_t *size, bool *known, size_t its)
{
    if (SPARSE_CHECKS >= 1 && !*known && its == SIZE_MAX) return SPARSE_E_OVERFLOW;
    if (SPARSE_CHECKS >= 1 && *known && *size != its) return SPARSE_E_SHAPE;
    *size = its;
    *known = true;
    return SPARSE_OK;
}

/* The number of threads that a parallel loop can have, and the number of the current one. */
SPARSE_UNUSED static inline size_t sparse_p_threads(void)
{
#ifdef _OPENMP
    return (size_t)omp_get_max_threads();
#else
    return 1;
#endif
}

/* The number of iterations of [from, to) that a thread takes at a time. It is small enough that all threads end at about
   the same time, even if one has long rows, and large enough that distribution costs nothing, even for 16 short rows. */
SPARSE_UNUSED static inline size_t sparse_p_few(size_t from, size_t to)
{
    const size_t n = to - from;
    return sparse_p_max(n / 256, sparse_p_min(n / (32 * sparse_p_threads()), 16)) + 1;
}

SPARSE_UNUSED static inline size_t sparse_p_thread(void)
{
#ifdef _OPENMP
    return (size_t)omp_get_thread_num();
#else
    return 0;
#endif
}

/* Allocates a workspace of a kernel, for as many values of `bytes` bytes as the product of the `rank` sizes, with the
   hooks of its output, the first operand. If an earlier step failed, only initialises the buffer and returns the earlier
   error. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_p_allocate_workspace(sparse_result so_far, sparse_buffer *work,
                                                                      size_t bytes, const size_t *size, size_t rank,
                                                                      const sparse_p_operand *operand);

/* Sets a workspace to zero. */
SPARSE_API void sparse_p_clear_workspace(sparse_buffer *work, size_t bytes);

SPARSE_API void sparse_p_end_workspace(sparse_buffer *work, size_t bytes, const sparse_p_operand *operand);

/* Gives the output operand[0] the pattern of operand[1], and the value zero everywhere. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_p_copy_pattern(const sparse_p_operand *operand, const void *zero);

/* >>building
   A kernel whose output has sparse levels starts with an empty output and appends entries in the order of its levels
   (in MLIR's dialect: insert). If a loop over an index that the output lacks runs outside a loop over one that it has, the
   loops visit the same entries repeatedly, in any order. Then a workspace collects the entries. It covers the levels from
   that loop on. Each time the loops above advance, its entries move to the output, in order (Kjolstad et al. 2019; in MLIR's
   dialect: expand and compress).

   For example, C(i,j) += A(i,k) * B(k,j) with loops (i, k, j) visits entries of row i several times, because the loop over k
   runs outside the loop over j. A workspace collects row i; when i advances, it appends the row to C, ordered by j. */

/* The workspace. The key of an entry is one number made of its coordinates from level `first` on. The workspace has slots
   with values, a byte for each slot that tells whether it is vacant, and a list of the keys that were added. With this list,
   sorting and clearing take time in proportion to the entries, not to the slots. There are three ways to find the slot of a
   key:

     array       The key is the number of the slot. This is best if the keys of a row are near each other and near those of
                 the row before, or so many that visiting all slots is faster than sorting keys.
     hash table  With linear probing. The bytes for vacant slots stay in the cache; apart from these, a probe reads one line
                 of keys and one of values.
     list        The next slot. Only for keys that come in order, see below.

   Each row starts with the method that would have been best for the rows before. At first keys are hashed. The array is
   made when as many keys have been inserted as its slots cost, or when the hash table would be as large. A workspace over
   all levels starts with the array if it is expected to hold as many entries. Three functions choose the method:
   sparse_p_begin_workspace for the first row, sparse_p_next_row for each later row, and sparse_p_grow_workspace when the
   slots are full.

   If a kernel does nothing but assemble one output, a workspace over all levels starts as a list. As long as keys come in
   order, as in a Kronecker product or a shifted matrix, entries move to the output whenever the list is full. At the first
   key out of order the loops stop and run again, with a hash table. */

/* Statistics of the last rows, which decide between array and hash table. */
typedef struct sparse_p_recent {
    size_t insertions; /* an upper bound for the number of insertions into the current row */
    size_t inserted;   /* the number of insertions in all rows before */
    size_t least;      /* the least key of the previous row */
    /* over the last rows: the largest range of keys in a row, or half of the distance between two rows if that is larger */
    size_t reach;
} sparse_p_recent;

/* Invariant: a slot with vacant[slot] == 0 holds an entry, whose key is in added[] once. All other slots hold the initial
   value. */
typedef struct sparse_p_workspace {
    void *values;          /* the values of the slots: `block` values each, see sparse_p_builder */
    unsigned char *vacant; /* 0 for each slot that holds an entry, else 1 */
    size_t *added;         /* the keys of the entries, in the order of insertion */
    size_t *key;           /* hashed: the key of each occupied slot */
    size_t mask;           /* hashed: the number of slots, a power of two, minus 1 */
    unsigned shift;        /* hashed: the shift of the product of the key and a constant */
    unsigned how;          /* STEADY, ADDRESSED, HASHED or SEQUENTIAL */
    size_t keys;           /* the number of possible keys */
    size_t limit;          /* the number of entries for which there is room */
    /* sequential: the number of entries moved to the output since sparse_p_emptied was called */
    size_t emptied;
    sparse_p_recent recent;           /* the basis of the choice between array and table */
    sparse_buffer array[2], table[3]; /* memory of values and vacant; of values, vacant and key */
    sparse_buffer list, order;        /* memory of added; a second list to sort keys */
} sparse_p_workspace;

/* One part of an output that several threads assemble, with several parts for each thread. The builders of all parts are
   in one array; after them comes the builder of the whole output. */
typedef struct sparse_p_output_part {
    size_t of;     /* the number of parts; 0: the output is not divided */
    size_t number; /* the number of this part; in the builder of the whole: the first part that is not copied yet */
    size_t before; /* below dense levels: the number of parents before the first that the part visits */
    bool ended;    /* the part is complete */
} sparse_p_output_part;

/* The state of a level of an output. */
typedef struct sparse_p_output_level {
    size_t entries; /* the number of its coordinates so far */
    size_t rows;    /* if its parents are dense: the number of complete parents */
    size_t ahead;   /* if it is not the last: the number of coordinates for which crd and the next level's pos have room */
    size_t stride;  /* the number of levels that share its crd; 0 if its coordinates are in the crd of a level above */
    size_t coordinate; /* the coordinate of the last entry; above the workspace, of the loop over this level */
} sparse_p_output_level;

/* Appends the entries of a workspace in the order of key[0 .. count), all from `least` to `most`. If `key` is null, visits
   the slots of the array from `least` to `most`. Entries for which there is no room are only counted. */
struct sparse_p_builder;
typedef bool (*sparse_p_placing)(struct sparse_p_builder *to, const size_t *key, size_t count, size_t least, size_t most,
                                 const void *initial);

/* Converts the assembled tensor to the encoding of the output. */
typedef sparse_result (*sparse_p_storing)(struct sparse_p_builder *to, sparse_result result);

/* How a kernel assembles an output. It is known at compile time. */
typedef struct sparse_p_output_plan {
    unsigned first;         /* the first level of the workspace; 0: no workspace */
    sparse_p_placing place; /* the function that moves the entries of the workspace to the tensor */
    sparse_p_storing store; /* null: the output is assembled in its encoding */
} sparse_p_output_plan;

/* A kernel can append entries to dense and compressed levels and to the singletons of COO. An output with another level
   type, slots or diagonals is assembled in another encoding, sparse_p_appended_encoding, and converted at the end. So every
   encoding that sparse_convert can write is a possible result. In the kernel line, SPARSE_P_APPENDED_LEVELS decides the
   same. */
SPARSE_P_INLINE bool sparse_p_is_sparse_level(const sparse_encoding *e, unsigned l)
{
    return l < SPARSE_MAX_LEVELS && l < e->levels && !sparse_p_is_dense_level(&e->level[l]) &&
           !sparse_p_is_batch_level(&e->level[l]);
}

/* True if kernels cannot append to level l. */
SPARSE_P_INLINE bool sparse_p_is_other_level(const sparse_encoding *e, unsigned l)
{
    if (l >= SPARSE_MAX_LEVELS || l >= e->levels) return false;
    const sparse_level *const v = &e->level[l];
    return !(sparse_p_traits(v->type) & SPARSE_TRAIT_BUILT) || v->map == SPARSE_MAP_COUNT || v->map == SPARSE_MAP_MINUS;
}
/* True if an output of this encoding is assembled in another encoding and converted at the end. */
SPARSE_P_INLINE bool sparse_p_is_stored_after(const sparse_encoding *e)
{
    return SPARSE_P_OF_LEVELS(sparse_p_is_sparse_level, e) && SPARSE_P_OF_LEVELS(sparse_p_is_other_level, e);
}

/* A tensor other than the output in which entries are assembled: for a part of the output, for blocks in arrays of the
   caller, or for an output that is converted at the end. It is allocated separately, because most builders do not need it
   and are on the stack. */
typedef struct sparse_p_aside {
    sparse_tensor made;
    sparse_encoding appended; /* the encoding of `made`, if it is converted */
} sparse_p_aside;

/* Where the entries go at the end, if they are assembled in a tensor other than the output. */
typedef struct sparse_p_output_target {
    sparse_p_aside *aside; /* null if entries are appended to the output itself */
    sparse_tensor *into;   /* the output to which `aside` is moved at the end */
    bool borrows;          /* does that output use arrays of the caller? */
} sparse_p_output_target;

/* How long the arrays of the last sparse level and val are, in entries of that level. */
typedef struct sparse_p_output_room {
    size_t block;    /* the number of values below an entry */
    size_t entries;  /* the number of entries for which there is room */
    size_t expected; /* the number of entries that is expected, estimated from the operands */
    bool fixed;      /* the arrays cannot grow; entries beyond their ends are only counted */
} sparse_p_output_room;

/* An output that is being assembled. If the parents of a compressed level are dense, pos is filled up to a parent when
   its first entry is appended. If the parents are appended themselves, pos grows by one element with each of them. */
typedef struct sparse_p_builder {
    sparse_tensor *t; /* the output, or target.aside->made; null: the beginning failed, so there is nothing to end */
    sparse_p_output_target target;
    sparse_p_output_room room;
    sparse_result result; /* the error of a failed step */
    bool listed;          /* may the workspace be a list? If entries come out of order, the loops then run again */
    bool again;           /* did entries come out of order? */
    unsigned last;        /* the number of the last sparse level */
    unsigned head;        /* the level that has the positions of the last one: in COO the first level */
    size_t parent;        /* the position in the level above the workspace */
    bool fresh;           /* true if no entry was moved below that position yet */
    sparse_p_output_plan plan;
    sparse_p_output_part part;
    sparse_p_workspace work;
    sparse_p_output_level level[SPARSE_MAX_LEVELS];
} sparse_p_builder;

/* Accessors for kernels. They are functions because a program may define a macro with the name of a member. Levels count
   from 1. */
SPARSE_P_INLINE sparse_result sparse_p_result(const sparse_p_builder *b) { return b->result; }
SPARSE_P_INLINE size_t *sparse_p_count(sparse_p_builder *b, unsigned level) { return &b->level[level - 1].entries; }
SPARSE_P_INLINE unsigned sparse_p_how(const sparse_p_builder *b) { return b->work.how; }
SPARSE_P_INLINE void *sparse_p_values(const sparse_p_builder *b) { return b->work.values; }
SPARSE_P_INLINE unsigned char *sparse_p_vacant(const sparse_p_builder *b) { return b->work.vacant; }
SPARSE_P_INLINE size_t *sparse_p_added(const sparse_p_builder *b) { return b->work.added; }
SPARSE_P_INLINE size_t sparse_p_room(const sparse_p_builder *b) { return b->room.entries; }
SPARSE_P_INLINE size_t sparse_p_block(const sparse_p_builder *b) { return b->room.block; }
SPARSE_P_INLINE sparse_tensor *sparse_p_made(const sparse_p_builder *b) { return b->t; }
SPARSE_P_INLINE void sparse_p_set_parent(sparse_p_builder *b, size_t position) { b->parent = position; }
SPARSE_P_INLINE void sparse_p_set_coordinate(sparse_p_builder *b, unsigned level, size_t i)
{
    b->level[level - 1].coordinate = i;
}
SPARSE_API void sparse_p_fill_values(void *tensor, const void *value, size_t size);
/* Marks an output as undivided and not yet tried. The second function returns true if its loops ended because they must
   run again. */
SPARSE_P_INLINE void sparse_p_set_whole(sparse_p_builder *b)
{
    b->part.of = 0;
    b->listed = true;
}
SPARSE_P_INLINE bool sparse_p_runs_again(const sparse_p_builder *b) { return b->again; }
/* Returns how many keys have left the list since the last call. */
SPARSE_P_INLINE size_t sparse_p_emptied(sparse_p_builder *b)
{
    const size_t emptied = b->work.emptied;
    b->work.emptied = 0;
    return emptied;
}

/* Constants of the builder, all measured:
     EXPECT        an output that has reached 1 / EXPECT of its expected size gets memory for all of it at once, which
                   saves copies; at the end it is shrunk
     AT_ONCE       the largest array, in slots, whose cost is not noticeable
     PAYS          slots of an array that cost as much as one insertion
     NEAR          slots of an array that fit the cache
     SCAN          slots that are scanned in the time that sorting an entry takes
     REPEATED      how often a key must occur for a branch to pay
     FEW_INSERTED  the most keys that are sorted by insertion
     RANKED        the most keys that are sorted by comparing each with each
     FEWEST        the least number of slots of a hash table
     LIST          the entries of a list before it is emptied
     SHARES        the parts of an output for each thread, which are copied together while in the cache */
enum {
    SPARSE_P_LINE = 64,
    SPARSE_P_EXPECT = 8,
    SPARSE_P_AT_ONCE = 4096,
    SPARSE_P_PAYS = 4,
    SPARSE_P_SCAN = 128,
    SPARSE_P_REPEATED = 4,
    SPARSE_P_FEW_INSERTED = 12,
    SPARSE_P_RANKED = SPARSE_FREESTANDING ? 16 : 64,
    SPARSE_P_FEWEST = 64,
    SPARSE_P_LIST = SPARSE_FREESTANDING ? 64 : 1024,
    SPARSE_P_SHARES = 8
};
#define SPARSE_P_NEAR (UINT32_C(1) << 17) /* more than an int of 16 bits holds */

/* How a workspace finds the slot of a key and whether it is vacant. STEADY: an array in which most keys are present
   already, so a branch skips them. ADDRESSED: an array, without a branch. HASHED: a hash table. SEQUENTIAL: a list. */
enum { SPARSE_P_STEADY, SPARSE_P_ADDRESSED, SPARSE_P_HASHED, SPARSE_P_SEQUENTIAL };

/* Functions that allocate memory. They run rarely, but are not marked cold, because gcc would treat the loops after them
   as cold too. */

/* sparse_p_grow for an array of the builder. */
SPARSE_API bool sparse_p_widen(sparse_p_builder *to, sparse_buffer *b, size_t length, size_t size);

/* sparse_p_widen for an array of the output. */
SPARSE_P_INLINE bool sparse_p_grow_output(sparse_p_builder *to, sparse_buffer *b, size_t length, size_t size)
{
    return length <= b->capacity || to->room.fixed || sparse_p_widen(to, b, length, size);
}

SPARSE_API bool sparse_p_make_room(sparse_p_builder *to, size_t entries, size_t more);

/* Makes room for `more` entries of the last sparse level after the first `entries`. */
SPARSE_P_INLINE bool sparse_p_reserve(sparse_p_builder *to, size_t entries, size_t more)
{
    return more <= to->room.entries - entries || sparse_p_make_room(to, entries, more);
}

/* Makes room for the positions of compressed level `level` up to `parent`. */
SPARSE_API bool sparse_p_more_rows(sparse_p_builder *to, unsigned level, size_t parent);

/* Ends the parents before position `parent` of compressed level `level`, whose parents are dense. Its first `entries`
   coordinates are below these. */
SPARSE_P_INLINE bool sparse_p_close_rows(sparse_p_builder *to, unsigned level, size_t parent, size_t entries, unsigned bits)
{
    sparse_buffer *pos = &to->t->pos[level - 1];
    if (parent >= pos->capacity && !to->room.fixed && !sparse_p_more_rows(to, level, parent)) return false;
    size_t row = to->level[level - 1].rows;
    while (row < parent)
        if (++row < pos->capacity) sparse_store(pos->at, bits, row, entries);
    to->level[level - 1].rows = parent;
    return true;
}

/* Makes room for one more coordinate of compressed level `level`, and for the positions below it. */
SPARSE_API bool sparse_p_more_parents(sparse_p_builder *to, unsigned level);

/* Appends `coordinate` to compressed level `level`, which is not the last. If the level below is compressed too, its
   positions have `pos` bits and the children of the new entry end at `below`; otherwise `pos` is 0. Returns false, and
   sets to->result, if memory runs out. */
SPARSE_P_INLINE bool sparse_p_append(sparse_p_builder *to, unsigned level, size_t coordinate, unsigned bits, size_t below,
                                     unsigned pos)
{
    const size_t p = to->level[level - 1].entries;
    if (p >= to->level[level - 1].ahead && !to->room.fixed && !sparse_p_more_parents(to, level)) return false;
    if (p < to->level[level - 1].ahead) {
        sparse_store(to->t->crd[level - 1].at, bits, p, coordinate);
        if (pos > 0) sparse_store(to->t->pos[level].at, pos, p + 1, below);
    }
    to->level[level - 1].entries = p + 1;
    return true;
}

/* The slot of a key in a hash table, or the vacant slot where it belongs. */
SPARSE_P_INLINE size_t sparse_p_probe(const unsigned char *vacant, const size_t *keys, size_t mask, unsigned shift,
                                      size_t key)
{
    size_t slot = (size_t)((uint64_t)key * 0x9E3779B97F4A7C15u >> shift);
    while (!(vacant[slot] | (keys[slot] == key))) slot = (slot + 1) & mask;
    return slot;
}

/* Returns the slot of a key in the hash table, vacant or not. The call is dropped if its result is unused. */
SPARSE_API SPARSE_P_PURE size_t sparse_p_find(const sparse_p_builder *to, size_t key);

/* Returns the slot of a key, if the workspace is no list; for a list, see sparse_p_slot_in_order. */
SPARSE_P_INLINE size_t sparse_p_slot(const sparse_p_builder *to, unsigned how, size_t key)
{
    return SPARSE_P_RARELY(how == SPARSE_P_HASHED) ? sparse_p_find(to, key) : key;
}

/* sparse_p_slot for a workspace over all levels, to which `count` keys were added. In a list the slot is the last one or
   the next. */
SPARSE_P_INLINE size_t sparse_p_slot_in_order(const sparse_p_builder *to, unsigned how, const size_t *added, size_t count,
                                              size_t key)
{
    if (!SPARSE_P_RARELY(how >= SPARSE_P_HASHED)) return key;
    if (how == SPARSE_P_HASHED) return sparse_p_find(to, key);
    return SPARSE_P_RARELY(count > 0 && added[count - 1] == key) ? count - 1 : count;
}

/* Counts a key as added if its slot was vacant; returns the new number of keys. If most keys are present already, a
   branch is faster than branchless code. */
SPARSE_P_INLINE size_t sparse_p_add_to_workspace(size_t *added, unsigned char *vacant, unsigned how, size_t count,
                                                 size_t key, size_t slot)
{
    const size_t is_new = vacant[slot];
    if (!(is_new | how)) return count; /* STEADY or ADDRESSED */
    added[count] = key;
    vacant[slot] = 0;
    return count + is_new;
}

/* sparse_p_add_to_workspace for a workspace over all levels. In a list, no entry waits for a load that tells whether it
   is new. */
SPARSE_P_INLINE size_t sparse_p_add_in_order(size_t *added, unsigned char *vacant, unsigned how, size_t count, size_t key,
                                             size_t slot)
{
    if (how != SPARSE_P_SEQUENTIAL) return sparse_p_add_to_workspace(added, vacant, how, count, key, slot);
    added[slot] = key;
    vacant[slot] = 0;
    return slot + 1;
}

/* sparse_p_expand when it must allocate memory. */
SPARSE_API bool sparse_p_grow_workspace(sparse_p_builder *to, size_t count, size_t more, const void *initial);

/* Makes room for `more` keys in addition to the `count` in the workspace. */
SPARSE_P_INLINE bool sparse_p_expand(sparse_p_builder *to, size_t count, size_t more, const void *initial)
{
    to->work.recent.insertions += more;
    return more <= to->work.limit - count || sparse_p_grow_workspace(to, count, more, initial);
}

/* The functions that move entries from a workspace to the output. A kernel refers only to the one that it needs.
   place_common: the workspace covers only the last level, which is compressed, with 8-byte values and 32-bit
   coordinates. place_plain: the workspace covers only the last level, whose coordinates are in an array of their own.
   place_any: any workspace. */
SPARSE_API bool sparse_p_place_common(sparse_p_builder *to, const size_t *key, size_t count, size_t least, size_t most,
                                      const void *initial);
SPARSE_API bool sparse_p_place_plain(sparse_p_builder *to, const size_t *key, size_t count, size_t least, size_t most,
                                     const void *initial);
SPARSE_API bool sparse_p_place_any(sparse_p_builder *to, const size_t *key, size_t count, size_t least, size_t most,
                                   const void *initial);
SPARSE_P_INLINE sparse_p_placing sparse_p_placing_of(const sparse_encoding *e, unsigned first)
{
    const unsigned last = e->levels - 1u;
    if (first == 0) return NULL;
    if (first <= last || sparse_p_is_aos(e, last)) return sparse_p_place_any;
    return sparse_p_is_compressed_level(&e->level[last]) && e->value_size == 8 && sparse_crd_bits(e) == 32
               ? sparse_p_place_common
               : sparse_p_place_plain;
}

/* Converts an assembled tensor to the output, or moves it there, and frees it. */
SPARSE_API sparse_result sparse_p_store_after(sparse_p_builder *to, sparse_result result);

/* How an output of encoding e is assembled, with a workspace from level `first` on; 0: without. The first function is for
   encodings that are assembled directly, so that compilers need not read the conversion code; the second is for any
   encoding. */
SPARSE_P_INLINE sparse_p_output_plan sparse_p_plan_as_it_is(const sparse_encoding *e, unsigned first)
{
    const sparse_p_output_plan plan = {first, sparse_p_placing_of(e, first), NULL};
    return plan;
}
SPARSE_P_INLINE sparse_p_output_plan sparse_p_plan_of(const sparse_encoding *e, unsigned first)
{
    if (!sparse_p_is_stored_after(e)) return sparse_p_plan_as_it_is(e, first);
    const sparse_p_output_plan plan = {first,
                                       first == 0        ? (sparse_p_placing)NULL
                                       : first < e->rank ? sparse_p_place_any
                                                         : sparse_p_place_plain,
                                       sparse_p_store_after};
    return plan;
}

/* Moves the `count` keys of the workspace to the tensor, in order, at the coordinates of the loops above, and empties the
   workspace. */
SPARSE_API bool sparse_p_compress(sparse_p_builder *to, size_t count, const void *initial);

/* Returns the first assembled operand; there must be one. */
SPARSE_UNUSED static inline const sparse_p_operand *sparse_p_assembled(const sparse_p_operand *operand)
{
    while (operand->access != SPARSE_ASSEMBLES) operand++;
    return operand;
}

/* Combines two results: the first error. Any other error takes precedence over E_CAPACITY, which means that a result does
   not fit. */
SPARSE_UNUSED static inline sparse_result sparse_p_first_error(sparse_result first, sparse_result then)
{
    return first == SPARSE_OK || (first == SPARSE_E_CAPACITY && then != SPARSE_OK) ? then : first;
}

/* Begins `output`, an operand of a kernel: empties it but keeps its arrays, sets its sizes to the sizes of the loops,
   and, unless plan.first is 0, makes the workspace, whose values start as `initial`. Before the call, only to->part and
   to->listed must be set. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_p_builder_begin(sparse_p_builder *to, const char *loops, const size_t *size,
                                                                 const void *output, const sparse_p_operand *operand,
                                                                 size_t count, sparse_p_output_plan plan, bool fixed,
                                                                 const void *initial);

/* Ends the output: completes its positions and lengths, and frees the workspace. If result is an error, also frees the
   output, unless the error is that it does not fit into the caller's arrays. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_p_builder_end(sparse_p_builder *to, sparse_result result);

/* Begins a workspace that is itself assembled; it is the only operand. Uses the memory hooks of operand[0], the kernel's
   output. If an earlier step failed, only returns its error. The END macro frees it. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_p_begin_built(sparse_result so_far, sparse_p_builder *to,
                                                               sparse_tensor *made, const sparse_p_operand *own,
                                                               const char *loops, const size_t *size,
                                                               const sparse_p_operand *operand, sparse_p_output_plan plan,
                                                               const void *initial);
SPARSE_API void sparse_p_end_built(sparse_p_builder *to);

/* sparse_p_build_anew empties an assembled workspace but keeps its memory. The second function completes its positions,
   if they fit. */
SPARSE_API void sparse_p_build_anew(sparse_p_builder *to);
SPARSE_API bool sparse_p_is_built(sparse_p_builder *to);

/* For name_needs(), which counts the bytes that name_into() takes of the arena. `output` lists the outputs, and ends
   with a null pointer. Between begin and end, the kernel runs with these outputs, which have no arrays. */
typedef struct sparse_p_taken {
    sparse_arena *arena;
    size_t mark, most, wanted; /* members of the arena before the count */
} sparse_p_taken;
SPARSE_NODISCARD SPARSE_API sparse_result sparse_p_begin_count(const sparse_needs *needs, sparse_p_taken *count,
                                                               sparse_tensor *const *output);
SPARSE_NODISCARD SPARSE_API sparse_result sparse_p_end_count(sparse_needs *needs, const sparse_p_taken *count,
                                                             sparse_tensor *const *output, sparse_result result);

/* Sets *all to an array with one builder for each part of an output that several threads assemble, and returns their
   number. There are several parts for each thread, for balance. With a single thread, or without memory for more, uses
   only the existing builder. */
SPARSE_API size_t sparse_p_divide(sparse_p_builder **all, const sparse_p_operand *operand, bool fixed);

/* Ends part n of the parts made by sparse_p_divide. */
SPARSE_API void sparse_p_end_part(sparse_p_builder *all, size_t n, sparse_result result);

/* Ends an output that was assembled in parts: joins the parts and frees them. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_p_join(sparse_p_builder *all, size_t parts);

/* ====================================================================================================================
   III. Implementation
   ==================================================================================================================== */
#if SPARSE_P_DEFINED

/* >>results, defined */

SPARSE_API const char *sparse_message(sparse_result r)
{
    static const char *const text[] = {SPARSE_RESULTS(SPARSE_P_SENTENCE) "unknown result"};
    return text[(unsigned)r < SPARSE_RESULT_COUNT ? (unsigned)r : (unsigned)SPARSE_RESULT_COUNT];
}

SPARSE_API const char *sparse_name(sparse_result r)
{
    static const char *const text[] = {SPARSE_RESULTS(SPARSE_P_NAME) "SPARSE_E_UNKNOWN"};
    return text[(unsigned)r < SPARSE_RESULT_COUNT ? (unsigned)r : (unsigned)SPARSE_RESULT_COUNT];
}

    #if SPARSE_EXPLAIN
        #if SPARSE_FREESTANDING /* storage for threads needs a system */
            #define SPARSE_P_PER_THREAD
        #elif defined(__GNUC__)
            #define SPARSE_P_PER_THREAD __thread
        #elif defined(__cplusplus)
            #define SPARSE_P_PER_THREAD thread_local
        #elif defined(__STDC_NO_THREADS__)
            #define SPARSE_P_PER_THREAD
        #else
            #define SPARSE_P_PER_THREAD _Thread_local
        #endif

/* The last problem on this thread, or of the program if it is freestanding, and the sentence for it. */
typedef struct sparse_p_explanation {
    sparse_p_problem problem;
    char text[256];
    size_t length; /* length of the text, without the final 0 */
} sparse_p_explanation;
SPARSE_P_COLD sparse_p_explanation *sparse_p_last_explanation(void)
{
    static SPARSE_P_PER_THREAD sparse_p_explanation last;
    return &last;
}

/* Appends words to the sentence, as far as they fit. */
static inline void sparse_p_say(sparse_p_explanation *e, const char *words)
{
    while (*words && e->length + 1 < sizeof e->text) e->text[e->length++] = *words++;
    e->text[e->length] = 0;
}
SPARSE_P_COLD void sparse_p_say_number(sparse_p_explanation *e, size_t number)
{
    char digits[24], *at = digits + sizeof digits;
    *--at = 0;
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    sparse_p_say(e, at);
}

/* Appends "90 rows", "100 columns", or "7 in dimension 2"; "7 values" for a range(), whose dimension is UINT_MAX. */
SPARSE_P_COLD void sparse_p_say_size(sparse_p_explanation *e, size_t size, unsigned dimension)
{
    sparse_p_say_number(e, size);
    sparse_p_say(e, dimension == UINT_MAX ? " values"
                    : dimension == 0      ? size == 1 ? " row" : " rows"
                    : dimension > 1       ? " in dimension "
                    : size == 1           ? " column"
                                          : " columns");
    if (dimension > 1 && dimension != UINT_MAX) sparse_p_say_number(e, dimension);
}

/* Appends " (index j)". */
SPARSE_P_COLD void sparse_p_say_index(sparse_p_explanation *e, char index)
{
    const char letter[] = {index, 0};
    sparse_p_say(e, " (index ");
    sparse_p_say(e, letter);
    sparse_p_say(e, ")");
}

/* Appends what is wrong with a sum of indices. Returns true. */
SPARSE_P_COLD bool sparse_p_say_sum(sparse_p_explanation *e, const sparse_p_problem *p)
{
    if (p->index) {
        sparse_p_say(e, " has a sum with an index whose size no operand tells: resize the output first");
        sparse_p_say_index(e, p->index);
        return true;
    }
    sparse_p_say(e, " has ");
    sparse_p_say_size(e, p->size, p->dimension);
    sparse_p_say(e, p->other_size ? ", its sum of indices needs " : ", its sum of indices begins below 0: use padded");
    if (p->other_size) sparse_p_say_number(e, p->other_size);
    return true;
}

/* Appends details after the subject if names are known. Returns false if there is nothing to add to sparse_message. */
SPARSE_P_COLD bool sparse_p_say_names(sparse_p_explanation *e, const sparse_p_problem *p)
{
    const bool agrees = p->result != SPARSE_E_SHAPE && p->result != SPARSE_E_ALIAS;
    if (p->wanted && p->encoding) {
        sparse_p_say(e, p->array ? " has elements of " : " is stored as ");
        sparse_p_say(e, p->encoding);
        sparse_p_say(e, p->array ? ", the tensor stores " : ", the kernel takes ");
        sparse_p_say(e, p->wanted);
        return true;
    }
    if (p->is_sum) return sparse_p_say_sum(e, p);
    if (!p->other || agrees) return false;
    sparse_p_say(e, p->index ? " has " : " shares memory with ");
    if (p->index) sparse_p_say_size(e, p->size, p->dimension), sparse_p_say(e, ", ");
    sparse_p_say(e, p->other);
    if (!p->index) return true;
    sparse_p_say(e, " has ");
    sparse_p_say_size(e, p->other_size, p->another);
    sparse_p_say_index(e, p->index);
    return true;
}

/* Begins the sentence with "spmv: x" or "csr: crd[1]". */
SPARSE_P_COLD void sparse_p_say_subject(sparse_p_explanation *e, const sparse_p_problem *p)
{
    sparse_p_say(e, p->subject ? p->subject : "sparse");
    if (p->operand || p->array) sparse_p_say(e, ": ");
    sparse_p_say(e, p->array ? p->array : p->operand ? p->operand : "");
    if (!p->array || (p->array[0] == 'v')) return;
    sparse_p_say(e, "[");
    sparse_p_say_number(e, p->level);
    sparse_p_say(e, "]");
}

SPARSE_API const char *sparse_explain(sparse_result r)
{
    sparse_p_explanation *const e = sparse_p_last_explanation();
    const sparse_p_problem *const p = &e->problem;
    if (r == SPARSE_OK || p->result != r) return sparse_message(r);
    e->length = 0;
    sparse_p_say_subject(e, p);
    if (sparse_p_say_names(e, p)) return e->text;
    if (p->array && p->result != SPARSE_E_ELEMENT) sparse_p_say(e, ", element "), sparse_p_say_number(e, p->position);
    sparse_p_say(e, ": ");
    sparse_p_say(e, sparse_message(r));
    if (p->index) sparse_p_say_index(e, p->index);
    return e->text;
}

SPARSE_P_API_COLD sparse_result sparse_p_found(const sparse_p_problem *found)
{
    sparse_p_last_explanation()->problem = *found;
    return found->result;
}
    #else
SPARSE_API const char *sparse_explain(sparse_result r) { return sparse_message(r); }
SPARSE_P_API_COLD sparse_result sparse_p_found(const sparse_p_problem *found) { return found->result; }
    #endif

/* >>values
   Arithmetic on values of the known kinds. Values are read with memcpy, because their arrays can have any declared type. */

static inline bool sparse_p_is_half(sparse_kind kind) { return kind == SPARSE_F16 || kind == SPARSE_BF16; }

/* Returns the 16-bit value at v as a float. */
SPARSE_P_OUTLINE float sparse_p_load_half(sparse_kind kind, const void *v)
{
    sparse_f16 f;
    sparse_bf16 b;
    memcpy(&f, v, sizeof f);
    memcpy(&b, v, sizeof b);
    return kind == SPARSE_F16 ? sparse_float_of_f16(f) : sparse_float_of_bf16(b);
}

/* Stores a float as the 16-bit value at v. */
SPARSE_P_OUTLINE void sparse_p_store_half(sparse_kind kind, void *v, float value)
{
    const sparse_f16 f = sparse_f16_of_float(value);
    const sparse_bf16 b = sparse_bf16_of_float(value);
    memcpy(v, kind == SPARSE_F16 ? (const void *)&f : (const void *)&b, sizeof f);
}

    /* Complex values have two parts, other numbers one. Opaque values have none, because the kit does not know their
       members. X(kind of part, type) */
    #define SPARSE_P_PARTS(X)                                                                                               \
        X(SPARSE_I8, int8_t)                                                                                                \
        X(SPARSE_I16, int16_t)                                                                                              \
        X(SPARSE_I32, int32_t)                                                                                              \
        X(SPARSE_I64, int64_t)                                                                                              \
        X(SPARSE_U8, uint8_t)                                                                                               \
        X(SPARSE_U16, uint16_t)                                                                                             \
        X(SPARSE_U32, uint32_t)                                                                                             \
        X(SPARSE_U64, uint64_t)                                                                                             \
        X(SPARSE_F32, float)                                                                                                \
        X(SPARSE_F64, double)

/* The kind of a part: complex double -> double. */
static inline sparse_kind sparse_p_component(sparse_kind kind)
{
    return kind == SPARSE_C64 ? SPARSE_F32 : kind == SPARSE_C128 ? SPARSE_F64 : kind;
}

/* The bytes of a value or a part; 0 if it is opaque or of no kind. */
static inline size_t sparse_p_kind_size(sparse_kind kind)
{
    static const uint8_t size[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16, 2, 2}; /* in the order of sparse_kind */
    return (size_t)kind < sizeof size ? size[kind] : 0;
}

    /* name(part, acc, v): *acc = *acc op *v for one part. Integers wrap; signed ones are computed as unsigned ones of the
       same width. */
    #define SPARSE_P_PART_AS(is, type, op)                                                                                  \
        if (is) {                                                                                                           \
            type a, b;                                                                                                      \
            memcpy(&a, acc, sizeof a);                                                                                      \
            memcpy(&b, v, sizeof b);                                                                                        \
            a = (type)(1u * a op b);                                                                                        \
            memcpy(acc, &a, sizeof a);                                                                                      \
        }
    #define SPARSE_P_PART_OPERATION(name, op)                                                                               \
        static inline void name(sparse_kind part, void *acc, const void *v)                                                 \
        {                                                                                                                   \
            SPARSE_P_PART_AS(part == SPARSE_F64, double, op)                                                                \
            SPARSE_P_PART_AS(part == SPARSE_F32, float, op)                                                                 \
            SPARSE_P_PART_AS(part == SPARSE_I64 || part == SPARSE_U64, uint64_t, op)                                        \
            SPARSE_P_PART_AS(part == SPARSE_I32 || part == SPARSE_U32, uint32_t, op)                                        \
            SPARSE_P_PART_AS(part == SPARSE_I16 || part == SPARSE_U16, uint16_t, op)                                        \
            SPARSE_P_PART_AS(part == SPARSE_I8 || part == SPARSE_U8, uint8_t, op)                                           \
            if (sparse_p_is_half(part))                                                                                     \
                sparse_p_store_half(part, acc, sparse_p_load_half(part, acc) op sparse_p_load_half(part, v));               \
        }
SPARSE_P_PART_OPERATION(sparse_p_sum_part, +)
SPARSE_P_PART_OPERATION(sparse_p_multiply_part, *)
    #undef SPARSE_P_PART_OPERATION
    #undef SPARSE_P_PART_AS

/* A part as a double; 0 if it is opaque. */
SPARSE_P_OUTLINE double sparse_p_real(sparse_kind part, const void *v)
{
    #define SPARSE_P_REAL_PART(kind, type)                                                                                  \
        if (part == kind) {                                                                                                 \
            type a;                                                                                                         \
            memcpy(&a, v, sizeof a);                                                                                        \
            return (double)a;                                                                                               \
        }
    SPARSE_P_PARTS(SPARSE_P_REAL_PART)
    #undef SPARSE_P_REAL_PART
    if (sparse_p_is_half(part)) return (double)sparse_p_load_half(part, v);
    return 0;
}

/* acc += v; the context is the encoding. Integers wrap. */
static inline void sparse_p_sum(void *acc, const void *v, void *context)
{
    const sparse_encoding *e = (const sparse_encoding *)context;
    const sparse_kind part = sparse_p_component(e->kind);
    const size_t size = sparse_p_kind_size(part);
    for (size_t byte = 0; byte < e->value_size; byte += size)
        sparse_p_sum_part(part, (char *)acc + byte, (const char *)v + byte);
}

/* *product = *x * *y, of values that are not opaque. */
static inline void sparse_p_multiply_values(const sparse_encoding *e, void *product, const void *x, const void *y)
{
    const sparse_kind part = sparse_p_component(e->kind);
    const size_t size = sparse_p_kind_size(part);
    memcpy(product, x, e->value_size);
    sparse_p_multiply_part(part, product, y);
    if (part == e->kind) return;
    const double a = sparse_p_real(part, x), b = sparse_p_real(part, (const char *)x + size), c = sparse_p_real(part, y),
                 d = sparse_p_real(part, (const char *)y + size), parts[2] = {a * c - b * d, a * d + b * c};
    const float floats[2] = {(float)parts[0], (float)parts[1]};
    memcpy(product, part == SPARSE_F32 ? (const void *)floats : (const void *)parts, e->value_size);
}

/* acc = v; the context is the encoding. */
static inline void sparse_p_replace(void *acc, const void *v, void *context)
{
    memcpy(acc, v, ((const sparse_encoding *)context)->value_size);
}

/* memcpy(to, from, size), as a single move for the sizes of numbers. */
SPARSE_P_INLINE void sparse_p_move(void *to, const void *from, size_t size)
{
    switch (size) {
    case 1:
        memcpy(to, from, 1);
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, size);
        break;
    }
}

/* True if all parts are 0 or -0, or, for an opaque value, all bytes are zero. */
SPARSE_P_OUTLINE bool sparse_p_is_zero(const sparse_encoding *e, const void *v)
{
    const sparse_kind part = sparse_p_component(e->kind);
    const size_t size = part == SPARSE_OPAQUE ? 1 : sparse_p_kind_size(part);
    for (size_t byte = 0; byte < e->value_size; byte += size) {
        const double x = sparse_p_real(part == SPARSE_OPAQUE ? SPARSE_U8 : part, (const char *)v + byte);
        if (!(x <= 0 && x >= 0)) return false;
    }
    return true;
}

/* True if a double is 0 or -0. */
SPARSE_P_INLINE bool sparse_p_is_zero_double(const void *v)
{
    uint64_t bits;
    memcpy(&bits, v, sizeof bits);
    return bits << 1 == 0;
}

/* True if the value is what an entry that is not stored has: zero, or the bytes of the fill value. */
static inline bool sparse_p_is_fill(const sparse_encoding *e, const void *v)
{
    if (e->fill) return memcmp(v, e->fill, e->value_size) == 0;
    if (e->kind == SPARSE_F64) return sparse_p_is_zero_double(v); /* the most common case */
    return sparse_p_is_zero(e, v);
}

/* sparse_p_is_fill for values of at most 8 bytes, by their bits. `counts` masks the bits that matter; the sign of a zero
   does not. */
typedef struct sparse_p_absence {
    uint64_t fill, counts;
} sparse_p_absence;

static inline sparse_p_absence sparse_p_absence_of(const sparse_encoding *e)
{
    const double minus0 = -0.0;
    const float minus0f = -0.0f;
    const uint16_t minus0h = 0x8000u;
    const sparse_kind part = sparse_p_component(e->kind);
    const size_t size = sparse_p_kind_size(part);
    const void *const sign = part == SPARSE_F64       ? (const void *)&minus0
                             : part == SPARSE_F32     ? (const void *)&minus0f
                             : sparse_p_is_half(part) ? (const void *)&minus0h
                                                      : NULL;
    sparse_p_absence a = {0, 0};
    if (e->fill)
        memcpy(&a.fill, e->fill, e->value_size);
    else if (sign)
        for (size_t byte = 0; byte < e->value_size; byte += size) memcpy((char *)&a.counts + byte, sign, size);
    a.counts = ~a.counts;
    return a;
}

/* The bits of a value of 8 bytes or less. */
SPARSE_P_INLINE uint64_t sparse_p_bits_at(const void *v, size_t size)
{
    uint64_t bits = 0;
    sparse_p_move(&bits, v, size);
    return bits;
}

/* True if a value with these bits is not the fill value. */
SPARSE_P_INLINE bool sparse_p_is_present(sparse_p_absence a, uint64_t bits) { return ((bits ^ a.fill) & a.counts) != 0; }

/* True if both values have the same `size` bytes, or both are null. */
static inline bool sparse_p_same_value(const void *a, const void *b, size_t size)
{
    return a == b || (a && b && memcmp(a, b, size) == 0);
}

/* True if both have the same value type and the same fill value. */
static inline bool sparse_p_same_values(const sparse_encoding *a, const sparse_encoding *b)
{
    return a->kind == b->kind && a->value_size == b->value_size && sparse_p_same_value(a->fill, b->fill, a->value_size);
}

/* at[0..count) = value, of `size` bytes; value may be at[0]. Copies what is already filled in doubling lengths, except
   8-byte values, the most common, which it stores one by one. */
SPARSE_P_OUTLINE void sparse_p_fill(void *at, size_t count, const void *value, size_t size)
{
    uint64_t eight;
    if (count == 0) return;
    if (size == sizeof eight) {
        memcpy(&eight, value, sizeof eight);
        for (size_t n = 0; n < count; n++) memcpy((char *)at + n * sizeof eight, &eight, sizeof eight);
        return;
    }
    if (at != value) memcpy(at, value, size);
    for (size_t done = 1; done < count; done *= 2)
        memcpy((char *)at + done * size, at, (done < count - done ? done : count - done) * size);
}

/* Stores `count` fill values. */
SPARSE_P_OUTLINE void sparse_p_put_fill(const sparse_encoding *e, void *values, size_t count)
{
    if (e->fill)
        sparse_p_fill(values, count, e->fill, e->value_size);
    else if (count > 0)
        memset(values, 0, count * e->value_size);
}

/* True if |x - y| <= tolerance * max(1, |x|, |y|), or equal bytes, holds for every part. y = NULL is the fill value. */
static inline bool sparse_p_is_close(const sparse_encoding *e, const void *x, const void *y, double tolerance)
{
    if (!y) y = e->fill;
    const sparse_kind part = sparse_p_component(e->kind);
    const size_t size = sparse_p_kind_size(part);
    const bool integer = part != SPARSE_F32 && part != SPARSE_F64 && !sparse_p_is_half(part);
    if (y ? memcmp(x, y, e->value_size) == 0 : sparse_p_is_fill(e, x)) return true;
    if (part == SPARSE_OPAQUE || (integer && !(tolerance > 0))) return false;
    for (size_t byte = 0; byte < e->value_size; byte += size) {
        if (y && memcmp((const char *)x + byte, (const char *)y + byte, size) == 0) continue;
        const double a = sparse_p_real(part, (const char *)x + byte);
        const double b = y ? sparse_p_real(part, (const char *)y + byte) : 0;
        const double gap = a < b ? b - a : a - b, above = a < 0 ? -a : a, below = b < 0 ? -b : b;
        const double largest = above > below ? above : below;
        if (!(gap <= DBL_MAX && gap <= tolerance * (largest > 1 ? largest : 1))) return false;
    }
    return true;
}

/* >>rules, defined */

/* The encoding without a constant value, so that it has an array of values. */
static inline sparse_encoding sparse_p_plain(const sparse_encoding *e)
{
    sparse_encoding plain = *e;
    plain.constant = NULL;
    return plain;
}

    /* The functions of a level type that are not steps of a loop. Each is a separate function, so that a program
       contains only those that it uses. sparse_encoding_check has refused unknown level types before. */
    #define SPARSE_P_LEVEL_CASES(ROW, format, ...)                                                                          \
        switch (format) {                                                                                                   \
            SPARSE_LEVELS(ROW)                                                                                              \
        default:                                                                                                            \
            return __VA_ARGS__;                                                                                             \
        }
static inline sparse_result sparse_p_check_verb(const sparse_encoding *e, unsigned l)
{
    #define SPARSE_P_LEVEL_ROW(NAME, name, traits)                                                                          \
    case NAME:                                                                                                              \
        return sparse_##name##_check(e, l);
    SPARSE_P_LEVEL_CASES(SPARSE_P_LEVEL_ROW, e->level[l].type, SPARSE_E_ARGUMENT)
    #undef SPARSE_P_LEVEL_ROW
}
SPARSE_P_OUTLINE bool sparse_p_extent_verb(const sparse_level *v, size_t size, sparse_extent *x)
{
    #define SPARSE_P_LEVEL_ROW(NAME, name, traits)                                                                          \
    case NAME:                                                                                                              \
        return sparse_##name##_extent(v, size, x);
    SPARSE_P_LEVEL_CASES(SPARSE_P_LEVEL_ROW, v->type, false)
    #undef SPARSE_P_LEVEL_ROW
}
SPARSE_P_OUTLINE bool sparse_p_parents_verb(const sparse_level_iterator *i, size_t *at, size_t *coordinate, size_t count,
                                            size_t *parent)
{
    #define SPARSE_P_LEVEL_ROW(NAME, name, traits)                                                                          \
    case NAME:                                                                                                              \
        return sparse_##name##_parents(i, at, coordinate, count, parent);
    SPARSE_P_LEVEL_CASES(SPARSE_P_LEVEL_ROW, i->type, false)
    #undef SPARSE_P_LEVEL_ROW
}
SPARSE_P_OUTLINE void sparse_p_close_verb(sparse_writer *w, size_t parents)
{
    #define SPARSE_P_LEVEL_ROW(NAME, name, traits)                                                                          \
    case NAME:                                                                                                              \
        sparse_##name##_close(w, parents);                                                                                  \
        return;
    SPARSE_P_LEVEL_CASES(SPARSE_P_LEVEL_ROW, w->t->encoding->level[w->level].type, )
    #undef SPARSE_P_LEVEL_ROW
}
static inline sparse_result sparse_p_validate_verb(const sparse_tensor *t, unsigned l, size_t parents, size_t positions,
                                                   sparse_report *where)
{
    #define SPARSE_P_LEVEL_ROW(NAME, name, traits)                                                                          \
    case NAME:                                                                                                              \
        return sparse_##name##_validate(t, l, parents, positions, where);
    SPARSE_P_LEVEL_CASES(SPARSE_P_LEVEL_ROW, t->encoding->level[l].type, SPARSE_E_ARGUMENT)
    #undef SPARSE_P_LEVEL_ROW
}

/* True if a level of this type has an array of positions; coordinates, or numbers that determine them. */
static inline bool sparse_p_has_pos(const sparse_level *v) { return sparse_p_traits(v->type) & SPARSE_TRAIT_POS; }

static inline bool sparse_p_has_crd(const sparse_level *v)
{
    return sparse_p_traits(v->type) & (SPARSE_TRAIT_CRD | SPARSE_TRAIT_BITS | SPARSE_TRAIT_PACKED | SPARSE_TRAIT_MASK);
}

/* *x = the extent of level l of t below `parents` parents and, for levels with pos, with `positions` positions. Includes
   the coordinates of singletons that share crd. Returns false if size_t cannot hold it. */
SPARSE_P_OUTLINE bool sparse_p_extent_of(const sparse_tensor *t, unsigned l, size_t parents, size_t positions,
                                         sparse_extent *x)
{
    const sparse_encoding *e = t->encoding;
    const sparse_extent given = {parents, positions, 0, 0, sparse_crd_bits(e)};
    *x = given;
    return sparse_p_extent_verb(&e->level[l], t->lvl[l], x) &&
           sparse_p_mul(&x->crd, x->crd, sparse_p_column_of(t, l).stride);
}

/* *length = the length of pos for a level below `parents` positions. Returns false if size_t cannot hold it. */
static inline bool sparse_p_pos_length(const sparse_level *v, size_t parents, size_t *length)
{
    sparse_extent x = {parents, 0, 0, 0, 8};
    const bool fits = sparse_p_extent_verb(v, 0, &x);
    *length = x.pos;
    return fits;
}

/* The number of batch levels, which precede all others. */
static inline unsigned sparse_p_batch_levels(const sparse_encoding *e)
{
    unsigned l = 0;
    while (l < e->levels && sparse_p_is_batch_level(&e->level[l])) l++;
    return l;
}

/* The end of the levels from l on that store their coordinates at the same positions as l: l + 1 unless singletons
   follow. */
static inline unsigned sparse_p_run_end(const sparse_encoding *e, unsigned l)
{
    return l + 1 < SPARSE_MAX_LEVELS && l + 1 < e->levels && sparse_p_traits(e->level[l + 1].type) & SPARSE_TRAIT_SHARED
               ? e->levels
               : l + 1;
}

/* The first level from which on all levels have the positions of the last one. */
static inline unsigned sparse_p_last_run(const sparse_encoding *e)
{
    unsigned l = 0;
    while (sparse_p_run_end(e, l) < e->levels) l++;
    return l;
}

/* The first level from l on that forbids two positions with the same coordinates below one parent. */
static inline unsigned sparse_p_first_unique(const sparse_encoding *e, unsigned l)
{
    while (l < e->levels && e->level[l].properties & SPARSE_NONUNIQUE) l++;
    return l;
}

/* True if every level is linear and every dimension is stored, so that all coordinates are. */
static inline bool sparse_p_is_dense(const sparse_encoding *e)
{
    unsigned stored = 0;
    for (unsigned l = 0; l < e->levels; stored |= 1u << e->level[l++].dim)
        if (!sparse_p_is_dense_level(&e->level[l]) || e->level[l].map > SPARSE_MAP_MOD) return false;
    return stored == (1u << e->rank) - 1;
}

/* True if the last level has padding that nothing distinguishes from entries. Conversions then treat its zeros as
   padding. */
static inline bool sparse_p_pads(const sparse_encoding *e)
{
    return (sparse_p_traits(e->level[e->levels - 1].type) & (SPARSE_TRAIT_PADS | SPARSE_TRAIT_BITS)) == SPARSE_TRAIT_PADS;
}

static inline bool sparse_p_is_width(unsigned bits) { return bits == 8 || bits == 16 || bits == 32 || bits == 64; }

/* The first level with the given map, COUNT or MINUS; the number of levels if there is none. */
SPARSE_P_OUTLINE unsigned sparse_p_find_map(const sparse_encoding *e, sparse_map map)
{
    unsigned l = 0;
    while (l < e->levels && e->level[l].map != map) l++;
    return l;
}

/* Checks a count or a difference at level l. A count must be of a dimension that a lower level stores, and the last level
   must be sparse. A difference must be to the dimension that the next level stores. */
SPARSE_P_COLD bool sparse_p_is_derived(const sparse_encoding *e, unsigned l)
{
    const sparse_level *v = &e->level[l];
    if (v->map == SPARSE_MAP_MINUS)
        return l + 1 < e->levels && (v[1].map == SPARSE_MAP_DIM || v[1].map == SPARSE_MAP_MOD) && v[1].dim != v->dim &&
               !sparse_p_is_batch_level(v);
    const sparse_level *last = &e->level[e->levels - 1]; /* slices hold only entries, no padding */
    if (sparse_p_traits(last->type) & SPARSE_TRAIT_PADS) return false;
    for (unsigned k = l + 1; k < e->levels; k++)
        if (e->level[k].map == SPARSE_MAP_DIM && e->level[k].dim == v->dim)
            return sparse_p_is_dense_level(v) && v->c > 0 && !sparse_p_batch_levels(e) &&
                   sparse_p_find_map(e, SPARSE_MAP_COUNT) == l;
    return false;
}

/* True if each dimension is stored once as a whole, or once as floordiv c and later as mod c, or as a difference. A count
   may be added. */
static inline bool sparse_p_is_map(const sparse_encoding *e)
{
    enum { SPARSE_P_UNSEEN, SPARSE_P_DIVIDED, SPARSE_P_DONE };
    uint8_t state[SPARSE_MAX_RANK] = {0};
    uint32_t block[SPARSE_MAX_RANK] = {0};
    for (unsigned l = 0; l < e->levels; l++) {
        const sparse_level *v = &e->level[l];
        const unsigned d = v->dim;
        const uint8_t wanted = v->map == SPARSE_MAP_MOD ? SPARSE_P_DIVIDED : SPARSE_P_UNSEEN;
        if (d >= e->rank || v->map > SPARSE_MAP_MINUS || state[d] != wanted) return false;
        if (v->map >= SPARSE_MAP_COUNT && !sparse_p_is_derived(e, l)) return false;
        if (v->map == SPARSE_MAP_FLOORDIV) block[d] = v->c;
        if ((v->map == SPARSE_MAP_FLOORDIV || v->map == SPARSE_MAP_MOD) && (v->c == 0 || v->c != block[d])) return false;
        if ((size_t)v->c != v->c) return false; /* can happen if size_t has 16 bits */
        if (v->map != SPARSE_MAP_COUNT) state[d] = v->map == SPARSE_MAP_FLOORDIV ? SPARSE_P_DIVIDED : SPARSE_P_DONE;
    }
    for (unsigned d = 0; d < e->rank; d++)
        if (state[d] != SPARSE_P_DONE) return false;
    return true;
}

/* The factor of the coordinate of level l in the coordinate of dimension d. */
SPARSE_P_COLD uint32_t sparse_p_inverse(const sparse_encoding *e, unsigned d, unsigned l)
{
    const sparse_level *v = &e->level[l];
    if (v->map == SPARSE_MAP_COUNT) return 0;
    if (v->dim == d) return v->map == SPARSE_MAP_FLOORDIV ? v->c : 1;
    for (unsigned k = 0; k < e->levels; k++) /* a difference has the other dimension subtracted, which is added here */
        if (e->level[k].map == SPARSE_MAP_MINUS && e->level[k].dim == d)
            return e->level[k + 1].dim == v->dim ? sparse_p_inverse(e, v->dim, l) : 0;
    return 0;
}

/* True if the inverse in the encoding is the inverse of its map. */
SPARSE_P_COLD bool sparse_p_is_inverse(const sparse_encoding *e)
{
    for (unsigned d = 0; d < e->rank; d++)
        for (unsigned l = 0; l < e->levels; l++)
            if (e->inverse[d * e->levels + l] != sparse_p_inverse(e, d, l)) return false;
    return true;
}

/* Checks that the level type and properties of level l fit the levels around it. */
SPARSE_P_COLD sparse_result sparse_p_check_level(const sparse_encoding *e, unsigned l)
{
    const sparse_level *v = &e->level[l];
    if (v->type >= SPARSE_P_FORMATS) return SPARSE_E_ARGUMENT;
    const bool follows = l > 0 && sparse_p_traits(v[-1].type) & SPARSE_TRAIT_SHARED;
    const sparse_result result = sparse_p_check_verb(e, l);
    if (result && result != SPARSE_E_PROPERTY) return result;
    return follows && !(sparse_p_traits(v->type) & SPARSE_TRAIT_SHARED) ? SPARSE_E_SINGLETON : result;
}

SPARSE_API sparse_result sparse_encoding_check(const sparse_encoding *e)
{
    if (!e) return SPARSE_E_NO_ENCODING;
    if (e->rank < 1 || e->rank > SPARSE_MAX_RANK) return SPARSE_E_RANK;
    if (e->levels < e->rank || e->levels > SPARSE_MAX_LEVELS) return SPARSE_E_RANK;
    if (!sparse_p_is_width(sparse_pos_bits(e)) || !sparse_p_is_width(sparse_crd_bits(e))) return SPARSE_E_WIDTH;
    if (e->value_size == 0 || (e->kind != SPARSE_OPAQUE && e->value_size != sparse_p_kind_size(e->kind)))
        return SPARSE_E_VALUE_TYPE;
    if (e->kind == SPARSE_OPAQUE && e->constant) return SPARSE_E_VALUE_TYPE;
    if (!sparse_p_is_map(e)) return SPARSE_E_MAP;
    if (e->inverse && !sparse_p_is_inverse(e)) return SPARSE_E_INVERSE;
    for (unsigned l = 0; l < e->levels; l++) {
        sparse_result result = sparse_p_check_level(e, l);
        if (result) return result;
    }
    return SPARSE_OK;
}

SPARSE_API bool sparse_same_encoding(const sparse_encoding *a, const sparse_encoding *b)
{
    if (a == b) return true;
    if (!a || !b || a->rank != b->rank || a->levels != b->levels || sparse_pos_bits(a) != sparse_pos_bits(b) ||
        sparse_crd_bits(a) != sparse_crd_bits(b) || !sparse_p_same_values(a, b) ||
        !sparse_p_same_value(a->constant, b->constant, a->value_size))
        return false;
    for (unsigned l = 0; l < a->levels; l++) {
        sparse_level u = a->level[l];
        if (u.map == SPARSE_MAP_DIM) u.c = b->level[l].c; /* which is not used for whole dimensions */
        if (memcmp(&u, &b->level[l], sizeof u) != 0) return false;
    }
    return true;
}

/* lvl = map(dim) in a tensor of sizes size[0..rank). A count does not follow from the coordinates; it is set to 0. */
static inline void sparse_p_to_lvl(const sparse_encoding *e, const size_t *size, const size_t *dim, size_t *lvl)
{
    for (unsigned l = 0; l < e->levels; l++) {
        const sparse_level *v = &e->level[l];
        const size_t i = dim[v->dim];
        switch (v->map) {
        case SPARSE_MAP_FLOORDIV:
            lvl[l] = (size_t)(i / v->c);
            break;
        case SPARSE_MAP_MOD:
            lvl[l] = (size_t)(i % v->c);
            break;
        case SPARSE_MAP_COUNT:
            lvl[l] = 0;
            break;
        case SPARSE_MAP_MINUS: /* computed as a sum that cannot be negative */
            lvl[l] = i + (size ? size[v[1].dim] - 1 - dim[v[1].dim] : 0 - dim[v[1].dim]);
            break;
        default:
            lvl[l] = i;
            break;
        }
    }
}

SPARSE_API void sparse_dim_to_lvl(const sparse_encoding *e, const size_t *dim, size_t *lvl)
{
    sparse_p_to_lvl(e, NULL, dim, lvl);
}

SPARSE_API void sparse_lvl_to_dim(const sparse_encoding *e, const size_t *lvl, size_t *dim)
{
    for (unsigned l = 0; l < e->levels; l++) {
        const sparse_level *v = &e->level[l];
        if (v->map == SPARSE_MAP_DIM)
            dim[v->dim] = lvl[l];
        else if (v->map == SPARSE_MAP_FLOORDIV)
            dim[v->dim] = lvl[l] * (size_t)v->c;
        else if (v->map == SPARSE_MAP_MOD)
            dim[v->dim] += lvl[l];
        else if (v->map == SPARSE_MAP_MINUS)
            dim[v->dim] = lvl[l] + lvl[l + 1] + (v[1].map == SPARSE_MAP_MOD ? dim[v[1].dim] : 0);
    }
}

/* *size = the size of level l in a tensor of sizes dim. Returns false if size_t cannot hold it. */
static inline bool sparse_p_level_size(const sparse_encoding *e, unsigned l, const size_t *dim, size_t *size)
{
    const sparse_level *v = &e->level[l];
    const size_t n = dim[v->dim];
    switch (v->map) {
    case SPARSE_MAP_FLOORDIV:
        *size = (size_t)(n / v->c + (n % v->c != 0));
        return true;
    case SPARSE_MAP_MOD:
    case SPARSE_MAP_COUNT:
        *size = (size_t)v->c;
        return true;
    case SPARSE_MAP_MINUS:
        *size = 0;
        return n == 0 || dim[v[1].dim] == 0 || sparse_p_add(size, n, dim[v[1].dim] - 1);
    default:
        *size = n;
        return true;
    }
}

SPARSE_API sparse_result sparse_level_sizes(const sparse_encoding *e, const size_t *dim, size_t *lvl)
{
    if (!e || !dim || !lvl) return SPARSE_E_NULL;
    for (unsigned l = 0; l < e->levels; l++) {
        if (!sparse_p_level_size(e, l, dim, &lvl[l])) return SPARSE_E_OVERFLOW;
        if (sparse_p_traits(e->level[l].type) & SPARSE_TRAIT_CRD && lvl[l] > 0 &&
            lvl[l] - 1 > sparse_p_largest(sparse_crd_bits(e)))
            return SPARSE_E_COORDINATE_WIDTH;
    }
    return SPARSE_OK;
}

/* The first level whose size does not follow from the dimensions of the tensor; the number of levels if all do. */
static inline unsigned sparse_p_level_of_another_size(const sparse_tensor *t)
{
    unsigned l = 0;
    for (size_t size; l < t->encoding->levels; l++)
        if (!sparse_p_level_size(t->encoding, l, t->dim, &size) || size != t->lvl[l]) break;
    return l;
}

/* >>memory, defined */

/* The type with the strictest alignment. */
typedef union sparse_p_any {
    long double number;
    long long integer;
    void *data;
    void (*function)(void);
} sparse_p_any;

/* The first aligned byte of an arena; *bytes = the usable bytes from there on. */
static inline unsigned char *sparse_p_arena_room(const sparse_arena *arena, size_t *bytes)
{
    const size_t unit = SPARSE_P_ALIGNOF(sparse_p_any), skip = (size_t)(0 - (uintptr_t)arena->memory) % unit;
    *bytes = arena->bytes > skip ? (arena->bytes - skip) / unit * unit : 0;
    return arena->memory + skip;
}

SPARSE_API void *sparse_arena_resize(void *context, void *block, size_t old_bytes, size_t new_bytes)
{
    sparse_arena *const arena = (sparse_arena *)context;
    const size_t unit = SPARSE_P_ALIGNOF(sparse_p_any);
    size_t bytes;
    unsigned char *const room = sparse_p_arena_room(arena, &bytes);
    const bool last = block && (unsigned char *)block + (old_bytes + unit - 1) / unit * unit == room + arena->used;
    const size_t begin = last ? (size_t)((unsigned char *)block - room) : arena->used;
    if (block && new_bytes <= old_bytes && !last) return new_bytes > 0 ? block : NULL;
    if (new_bytes > bytes - begin) {
        const size_t slack = arena->bytes - bytes,
                     wanted = new_bytes > SIZE_MAX - begin - slack ? SIZE_MAX : begin + new_bytes + slack;
        if (wanted > arena->wanted) arena->wanted = wanted;
        return NULL;
    }
    arena->used = begin + (new_bytes + unit - 1) / unit * unit;
    if (arena->used > arena->most) arena->most = arena->used;
    if (new_bytes == 0) return NULL;
    if (block && !last) memcpy(room + begin, block, old_bytes);
    return room + begin;
}

SPARSE_API size_t sparse_arena_mark(const sparse_arena *arena) { return arena->used; }

SPARSE_API void sparse_arena_release(sparse_arena *arena, size_t mark)
{
    if (mark < arena->used) arena->used = mark;
}

SPARSE_API size_t sparse_arena_left(const sparse_arena *arena)
{
    size_t bytes;
    (void)sparse_p_arena_room(arena, &bytes);
    return bytes - arena->used;
}

/* >>arrays, defined */

/* Calls the hooks, or malloc, realloc and free. Large arrays start at a cache line if the library supports it, so that
   rows and vectors of 64 bytes lie in a single line. */
static inline void *sparse_p_resize(const sparse_hooks *hooks, void *block, size_t old_bytes, size_t new_bytes)
{
    if (hooks) return hooks->resize(hooks->context, block, old_bytes, new_bytes);
    #if SPARSE_FREESTANDING
    return NULL;
    #else
        #if defined(__GLIBC__) && (!defined(__cplusplus) || __cplusplus >= 201703L)
    if (!block && new_bytes >= 1024) return aligned_alloc(64, (new_bytes + 63) / 64 * 64);
        #endif
    if (new_bytes > 0) return realloc(block, new_bytes);
    free(block);
    return NULL;
    #endif
}

/* Makes b, which is empty, an array of `length` elements of `size` bytes, not initialised. */
SPARSE_P_OUTLINE sparse_result sparse_p_allocate_first(const sparse_hooks *hooks, sparse_buffer *b, size_t length,
                                                       size_t size)
{
    size_t bytes;
    if (!sparse_p_mul(&bytes, length, size)) return SPARSE_E_OVERFLOW;
    if (bytes > PTRDIFF_MAX) return SPARSE_E_MEMORY;
    b->at = bytes > 0 ? sparse_p_resize(hooks, NULL, 0, bytes) : NULL;
    if (bytes > 0 && !b->at) return SPARSE_E_MEMORY;
    b->length = b->capacity = length;
    return SPARSE_OK;
}

/* Gives b room for at least `capacity` elements of `size` bytes, and keeps its elements. E_OVERFLOW, E_MEMORY. */
SPARSE_P_OUTLINE sparse_result sparse_p_enlarge(const sparse_hooks *hooks, sparse_buffer *b, size_t capacity, size_t size)
{
    size_t bytes;
    if (capacity <= b->capacity) return SPARSE_OK;
    if (!sparse_p_mul(&bytes, capacity, size)) return SPARSE_E_OVERFLOW;
    void *const at = bytes > PTRDIFF_MAX ? NULL : sparse_p_resize(hooks, b->at, b->capacity * size, bytes);
    if (at == NULL) return SPARSE_E_MEMORY;
    b->at = at;
    b->capacity = capacity;
    return SPARSE_OK;
}

/* Gives b room for at least `length` elements. If it must grow, it grows by at least half, so that on average each
   element is moved a constant number of times. If there is no memory for that, tries less, down to `length`. */
SPARSE_P_OUTLINE sparse_result sparse_p_grow(const sparse_hooks *hooks, sparse_buffer *b, size_t length, size_t size)
{
    const size_t half = b->capacity / 2;
    size_t room = half > SIZE_MAX - b->capacity ? length : b->capacity + half;
    if (length <= b->capacity) return SPARSE_OK;
    for (; room > length; room = length + (room - length) / 2)
        if (sparse_p_enlarge(hooks, b, room, size) == SPARSE_OK) return SPARSE_OK;
    return sparse_p_enlarge(hooks, b, length, size);
}

/* Frees b if it is owned, and empties it. */
SPARSE_P_OUTLINE void sparse_p_release(const sparse_hooks *hooks, sparse_buffer *b, size_t size)
{
    if (b->capacity > 0 && size > 0) sparse_p_resize(hooks, b->at, b->capacity * size, 0);
    memset(b, 0, sizeof *b);
}

/* Makes b, which is empty or owned, an array of this length. Reuses its memory if that is long enough and at most twice
   as long. */
SPARSE_P_OUTLINE sparse_result sparse_p_allocate(const sparse_hooks *hooks, sparse_buffer *b, size_t length, size_t size)
{
    if (length <= b->capacity && length >= b->capacity - b->capacity / 2) {
        b->length = length;
        return SPARSE_OK;
    }
    sparse_p_release(hooks, b, size);
    return sparse_p_allocate_first(hooks, b, length, size);
}

SPARSE_API void sparse_free(sparse_tensor *t)
{
    if (!t || !t->encoding) return;
    for (unsigned l = 0; l < SPARSE_MAX_LEVELS; l++) {
        sparse_p_release(t->hooks, &t->pos[l], sparse_pos_bits(t->encoding) / 8u);
        sparse_p_release(t->hooks, &t->crd[l], sparse_crd_bits(t->encoding) / 8u);
    }
    sparse_p_release(t->hooks, &t->val, sparse_p_stored_size(t->encoding));
    memset(t->dim, 0, sizeof t->dim);
    memset(t->lvl, 0, sizeof t->lvl);
}

/* The arrays of a tensor, by number: val, then pos and crd of each level; the bytes of an element. */
enum { SPARSE_P_BUFFERS = 1 + 2 * SPARSE_MAX_LEVELS };
static inline sparse_buffer *sparse_p_buffer(const sparse_tensor *tensor, unsigned n)
{
    sparse_tensor *const t = (sparse_tensor *)tensor;
    return n == 0 ? &t->val : n % 2 ? &t->pos[n / 2] : &t->crd[n / 2 - 1];
}
static inline size_t sparse_p_buffer_size(const sparse_encoding *e, unsigned n)
{
    return n == 0 ? sparse_p_stored_size(e) : (n % 2 ? sparse_pos_bits(e) : sparse_crd_bits(e)) / 8u;
}

/* True if b owns the array, of elements of `size` bytes, that `at` points into. */
static inline bool sparse_p_buffer_owns(const sparse_buffer *b, size_t size, const void *at)
{
    const char *p = (const char *)b->at, *q = (const char *)at;
    return p && b->capacity > 0 && q >= p && q < p + b->capacity * size;
}

/* True if t owns the array that `at` points into, so that freeing or rebuilding t would invalidate it. */
SPARSE_P_OUTLINE bool sparse_p_owns(const sparse_tensor *t, const void *at)
{
    if (!at || !t->encoding) return false;
    for (unsigned n = 0; n < SPARSE_P_BUFFERS; n++)
        if (sparse_p_buffer_owns(sparse_p_buffer(t, n), sparse_p_buffer_size(t->encoding, n), at)) return true;
    return false;
}

/* True if t and src are the same tensor, or src borrows an array that t owns. Then t cannot be built from src. */
SPARSE_P_OUTLINE bool sparse_p_lends(const sparse_tensor *t, const sparse_tensor *src)
{
    if (t == src) return true;
    for (unsigned n = 0; n < SPARSE_P_BUFFERS; n++)
        if (sparse_p_owns(t, sparse_p_buffer(src, n)->at)) return true;
    return false;
}

/* An empty tensor. */
SPARSE_P_OUTLINE sparse_tensor sparse_p_empty(const sparse_encoding *e, const sparse_hooks *hooks)
{
    sparse_tensor t = {e, hooks, {0}, {0}, {{NULL, 0, 0}}, {{NULL, 0, 0}}, {NULL, 0, 0}};
    return t;
}

/* Empties t but keeps its arrays, so that the next contents can reuse them. */
SPARSE_P_OUTLINE void sparse_p_clear(sparse_tensor *t)
{
    for (unsigned n = 0; n <= 2u * t->encoding->levels; n++) {
        sparse_buffer *const b = sparse_p_buffer(t, n);
        if (b->capacity == 0 || !b->at) memset(b, 0, sizeof *b);
        b->length = 0;
    }
    memset(t->dim, 0, sizeof t->dim);
    memset(t->lvl, 0, sizeof t->lvl);
}

/* sparse_resize_dims for a t whose encoding is sound. Keeps the arrays, so that the next contents can reuse them. */
SPARSE_P_OUTLINE sparse_result sparse_p_renew_sound(sparse_tensor *t, const size_t *dim)
{
    size_t size[SPARSE_MAX_RANK] = {0}, lvl[SPARSE_MAX_LEVELS] = {0};
    memcpy(size, dim, t->encoding->rank * sizeof *dim);
    const sparse_result result = sparse_level_sizes(t->encoding, size, lvl);
    if (result) {
        sparse_free(t);
        return result;
    }
    sparse_p_clear(t);
    memcpy(t->dim, size, sizeof size);
    memcpy(t->lvl, lvl, sizeof lvl);
    return SPARSE_OK;
}

/* sparse_p_renew_sound for any encoding. */
SPARSE_P_OUTLINE sparse_result sparse_p_renew(sparse_tensor *t, const size_t *dim)
{
    if (!t || !dim) return SPARSE_E_NULL;
    const sparse_result result = sparse_encoding_check(t->encoding);
    return result ? result : sparse_p_renew_sound(t, dim);
}

static inline void sparse_p_release_all(sparse_tensor *t)
{
    for (unsigned n = 0; n < SPARSE_P_BUFFERS; n++)
        sparse_p_release(t->hooks, sparse_p_buffer(t, n), sparse_p_buffer_size(t->encoding, n));
}

SPARSE_API sparse_result sparse_resize_dims(sparse_tensor *t, const size_t *dim)
{
    const sparse_result result = sparse_p_renew(t, dim);
    if (!result) sparse_p_release_all(t);
    return result;
}

/* The number of batches of t, the product of the sizes of its batch levels; 1 if there are none. */
static inline size_t sparse_p_batches(const sparse_tensor *t)
{
    size_t batches = 1;
    for (unsigned l = sparse_p_batch_levels(t->encoding); l-- > 0;) batches *= t->lvl[l];
    return batches;
}

/* True if the tensor never got a size, or was freed. */
static inline bool sparse_p_is_blank(const sparse_tensor *t)
{
    for (unsigned d = 0; t->encoding && d < t->encoding->rank; d++)
        if (t->dim[d]) return false;
    return t->val.at == NULL && t->val.length == 0;
}

/* True if t lacks the positions that its encoding requires, or the sizes of its blocks. A compressed level always needs
   positions, unless there are no batches; a loose one needs them only if the level above has positions. */
static inline bool sparse_p_is_empty(const sparse_tensor *t)
{
    size_t above = 1;
    sparse_extent x;
    if (sparse_p_is_blank(t) && sparse_p_level_of_another_size(t) < t->encoding->levels) return true;
    for (unsigned l = 0; l < t->encoding->levels; l++) {
        if (sparse_p_is_batch_level(&t->encoding->level[l]) && t->lvl[l] == 0) return false;
        sparse_p_extent_of(t, l, above, 0, &x);
        if (x.pos > 0) return !t->pos[l].at;
        above = above && t->lvl[l] > 0;
    }
    return false;
}

SPARSE_API size_t sparse_entries(const sparse_tensor *t)
{
    if (!t) return 0;
    const size_t batches = t->encoding ? sparse_p_batches(t) : 1;
    return batches > 0 ? t->val.length / batches : 0;
}

SPARSE_API size_t sparse_bytes(const sparse_tensor *t)
{
    if (!t || !t->encoding) return 0;
    size_t bytes = t->val.length * sparse_p_stored_size(t->encoding);
    for (unsigned l = 0; l < t->encoding->levels; l++)
        bytes +=
            t->pos[l].length * (sparse_pos_bits(t->encoding) / 8u) + t->crd[l].length * (sparse_crd_bits(t->encoding) / 8u);
    return bytes;
}

/* The arena from which t allocates memory; null if its hooks are not the hooks of an arena. */
static inline sparse_arena *sparse_p_arena_of(const sparse_tensor *t)
{
    return t->hooks && t->hooks->resize == sparse_arena_resize ? (sparse_arena *)t->hooks->context : NULL;
}

SPARSE_API sparse_result sparse_arena_outputs(sparse_tensor *t)
{
    if (!t) return SPARSE_E_NULL;
    if (!t->encoding) return SPARSE_E_NO_ENCODING;
    if (!sparse_p_arena_of(t)) return SPARSE_E_ARGUMENT;
    for (unsigned n = 0; n < SPARSE_P_BUFFERS; n++)
        if (sparse_p_buffer(t, n)->capacity > 0) return SPARSE_E_ARGUMENT;
    for (unsigned n = 0; n < SPARSE_P_BUFFERS; n++) {
        sparse_buffer *const b = sparse_p_buffer(t, n);
        const sparse_result result = sparse_p_allocate_first(t->hooks, b, b->length, sparse_p_buffer_size(t->encoding, n));
        b->capacity = 0;
        if (result != SPARSE_OK) {
            sparse_free(t);
            return result;
        }
    }
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_p_begin_count(const sparse_needs *needs, sparse_p_taken *count, sparse_tensor *const *output)
{
    memset(count, 0, sizeof *count);
    if (!needs) return SPARSE_E_NULL;
    for (size_t n = 0; output[n]; n++) {
        sparse_arena *const arena = sparse_p_arena_of(output[n]);
        for (unsigned b = 0; b < SPARSE_P_BUFFERS; b++) {
            if (sparse_p_buffer(output[n], b)->at) return SPARSE_E_ARGUMENT;
            sparse_p_buffer(output[n], b)->length = 0;
        }
        if (!arena || (count->arena && arena != count->arena)) return SPARSE_E_ARGUMENT;
        count->arena = arena;
    }
    if (!count->arena) return SPARSE_E_NULL;
    count->mark = count->arena->used;
    count->most = count->arena->most;
    count->wanted = count->arena->wanted;
    count->arena->most = count->mark;
    count->arena->wanted = 0;
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_p_end_count(sparse_needs *needs, const sparse_p_taken *count, sparse_tensor *const *output,
                                            sparse_result result)
{
    const size_t unit = SPARSE_P_ALIGNOF(sparse_p_any);
    sparse_arena *const arena = count->arena;
    sparse_needs counted = {0, arena->most - count->mark};
    size_t room;
    (void)sparse_p_arena_room(arena, &room);
    if (result == SPARSE_E_MEMORY && arena->wanted > 0)
        counted.work = sparse_p_max(counted.work, arena->wanted - (arena->bytes - room) - count->mark);
    arena->most = sparse_p_max(arena->most, count->most);
    arena->wanted = sparse_p_max(arena->wanted, count->wanted);
    sparse_arena_release(arena, count->mark);
    if (result == SPARSE_E_CAPACITY) result = SPARSE_OK;
    for (size_t n = 0; output[n] && result == SPARSE_OK; n++)
        for (unsigned b = 0; b < SPARSE_P_BUFFERS; b++) {
            size_t bytes;
            const size_t size = sparse_p_buffer_size(output[n]->encoding, b);
            if (!sparse_p_mul(&bytes, sparse_p_buffer(output[n], b)->length, size) ||
                bytes > SIZE_MAX - unit - counted.result)
                return SPARSE_E_OVERFLOW;
            counted.result += (bytes + unit - 1) / unit * unit;
        }
    *needs = counted;
    return result;
}

/* The value at position p, or the constant of the encoding. */
static inline const void *sparse_p_value_at(const sparse_tensor *t, size_t p)
{
    const sparse_encoding *e = t->encoding;
    return e->constant ? e->constant : (const char *)t->val.at + p * e->value_size;
}

SPARSE_API void sparse_zero(sparse_tensor *t)
{
    if (t && t->val.length > 0 && !t->encoding->constant) memset(t->val.at, 0, t->val.length * t->encoding->value_size);
}

/* Gives an empty dense tensor t its sizes and fill values; leaves it blank after an error. */
SPARSE_P_COLD sparse_result sparse_p_allocate_values(sparse_tensor *t, const size_t *dim)
{
    const sparse_encoding *e = t->encoding;
    size_t entries = 1, lvl[SPARSE_MAX_LEVELS] = {0};
    sparse_result result = sparse_level_sizes(e, dim, lvl);
    for (unsigned l = 0; !result && l < e->levels; l++)
        if (!sparse_p_mul(&entries, entries, lvl[l])) result = SPARSE_E_OVERFLOW;
    if (!result) result = sparse_p_allocate_first(t->hooks, &t->val, entries, e->value_size);
    if (result) return result;
    sparse_p_put_fill(e, t->val.at, entries);
    memcpy(t->dim, dim, e->rank * sizeof *dim);
    memcpy(t->lvl, lvl, sizeof lvl);
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_allocate_dense(sparse_tensor *t, const size_t *dim)
{
    if (!t || !dim) return SPARSE_E_NULL;
    sparse_result result = sparse_encoding_check(t->encoding);
    if (result) return result;
    size_t size[SPARSE_MAX_RANK] = {0}; /* a copy, because dim may be t->dim */
    memcpy(size, dim, t->encoding->rank * sizeof *dim);
    sparse_free(t);
    if (!sparse_p_is_dense(t->encoding)) return SPARSE_E_ENCODING;
    return t->encoding->constant ? SPARSE_E_CONSTANT : sparse_p_allocate_values(t, size);
}

/* dst = a copy of src's buffer; dst is empty or owned. */
static inline sparse_result sparse_p_copy_buffer(const sparse_hooks *hooks, sparse_buffer *dst, const sparse_buffer *src,
                                                 size_t size)
{
    sparse_result result = sparse_p_allocate(hooks, dst, src->length, size);
    if (!result && dst->at) memcpy(dst->at, src->at, src->length * size);
    return result;
}

SPARSE_API sparse_result sparse_copy(sparse_tensor *dst, const sparse_tensor *src)
{
    if (!dst || !src) return SPARSE_E_NULL;
    if (sparse_p_lends(dst, src)) return SPARSE_E_ALIAS;
    if (!src->encoding) return SPARSE_E_NO_ENCODING;
    if (!dst->encoding) dst->encoding = src->encoding;
    const sparse_encoding *e = dst->encoding;
    sparse_result result = sparse_same_encoding(e, src->encoding) ? SPARSE_OK : SPARSE_E_ENCODING;
    if (!result) sparse_p_clear(dst);
    if (!result) result = sparse_p_copy_buffer(dst->hooks, &dst->val, &src->val, sparse_p_stored_size(e));
    for (unsigned l = 0; !result && l < e->levels; l++) {
        result = sparse_p_copy_buffer(dst->hooks, &dst->pos[l], &src->pos[l], sparse_pos_bits(e) / 8u);
        if (!result) result = sparse_p_copy_buffer(dst->hooks, &dst->crd[l], &src->crd[l], sparse_crd_bits(e) / 8u);
    }
    if (result) {
        sparse_free(dst);
        return result;
    }
    memcpy(dst->dim, src->dim, sizeof dst->dim);
    memcpy(dst->lvl, src->lvl, sizeof dst->lvl);
    return SPARSE_OK;
}

/* >>iterators, defined: functions that are not steps of a loop */

SPARSE_API sparse_result sparse_check_slices(const sparse_tensor *t, const sparse_slice *slice)
{
    if (!t || !slice) return SPARSE_E_NULL;
    if (!t->encoding) return SPARSE_E_NO_ENCODING;
    for (unsigned d = 0; d < t->encoding->rank; d++) {
        const sparse_slice s = slice[d];
        if (s.stride == 0 || s.offset > t->dim[d]) return SPARSE_E_ARGUMENT;
        if (s.size > 0 && (s.offset == t->dim[d] || (t->dim[d] - 1 - s.offset) / s.stride < s.size - 1))
            return SPARSE_E_ARGUMENT;
    }
    return SPARSE_OK;
}

/* dim[d] = the coordinate, or its slice coordinate. Returns false if it is outside. */
static inline bool sparse_p_take_sliced(sparse_cursor *c, unsigned d, size_t at)
{
    c->dim[d] = at;
    if (!c->slice) return true;
    const sparse_slice *s = &c->slice[d];
    c->dim[d] = (at - s->offset) / s->stride;
    return at >= s->offset && (at - s->offset) % s->stride == 0 && c->dim[d] < s->size;
}

SPARSE_API bool sparse_p_take_derived(sparse_cursor *c, unsigned l, size_t at)
{
    const sparse_level *v = &c->tensor->encoding->level[l];
    if (!sparse_p_take_sliced(c, v->dim, at)) return false;
    if (l == 0 || v[-1].map != SPARSE_MAP_MINUS) return true;
    const unsigned other = v[-1].dim;
    const size_t below = c->tensor->dim[v->dim] - 1 - at, from_left = c->block[other];
    if (from_left < below || from_left - below >= c->tensor->dim[other]) return false;
    return sparse_p_take_sliced(c, other, from_left - below);
}

/* True if l is the last batch level. */
static inline bool sparse_p_is_last_batch(const sparse_encoding *e, unsigned l)
{
    return sparse_p_is_batch_level(&e->level[l]) && !sparse_p_is_batch_level(&e->level[l + 1]);
}

/* Functions of a cursor that run less often than once for each entry. */
SPARSE_P_OUTLINE void sparse_p_open_level(sparse_cursor *c, unsigned l)
{
    c->level[l] = sparse_level_open(c->tensor->encoding, c->tensor, l);
}
SPARSE_P_OUTLINE void sparse_p_seek_verb(sparse_level_iterator *i, size_t coordinate) { sparse_level_seek(i, coordinate); }

/* If coordinates ascend with positions, skips the positions of level l before and after the slice. */
SPARSE_P_OUTLINE void sparse_p_enter_slice(sparse_cursor *c, unsigned l)
{
    const sparse_level *v = &c->tensor->encoding->level[l];
    const sparse_slice s = c->slice[v->dim];
    const size_t block = v->map == SPARSE_MAP_FLOORDIV ? (size_t)v->c : 1;
    sparse_level_iterator *i = &c->level[l], behind = *i;
    const bool linear = i->traits & SPARSE_TRAIT_LINEAR;
    if (v->map != SPARSE_MAP_DIM && v->map != SPARSE_MAP_FLOORDIV) return;
    if (!linear && (i->traits & (SPARSE_TRAIT_FORWARD | SPARSE_TRAIT_PADS) || i->properties & SPARSE_NONORDERED)) return;
    if (s.size > 0) sparse_p_seek_verb(&behind, (s.offset + (s.size - 1) * s.stride) / block + 1);
    i->end = behind.position;
    if (sparse_level_valid(i)) sparse_p_seek_verb(i, s.offset / block);
}
SPARSE_P_OUTLINE void sparse_p_enter_verb(sparse_level_iterator *i, size_t lo, size_t hi) { sparse_level_enter(i, lo, hi); }

/* Enters level l below one parent. With slices, also skips the coordinates before and after the slice. */
SPARSE_P_OUTLINE void sparse_p_enter_level(sparse_cursor *c, unsigned l, size_t parent)
{
    sparse_p_enter_verb(&c->level[l], parent, parent + 1);
    if (c->slice && sparse_level_valid(&c->level[l])) sparse_p_enter_slice(c, l);
}

/* Moves from position p of level l, the last batch level, to the arrays of that batch. */
SPARSE_P_COLD void sparse_p_enter_batch(sparse_cursor *c, unsigned l, size_t p)
{
    const sparse_tensor *t = c->tensor;
    const sparse_encoding *e = t->encoding;
    const size_t batches = sparse_p_batches(t);
    c->base = p * (t->val.length / batches);
    for (unsigned k = l + 1; k < e->levels; k++) {
        sparse_p_open_level(c, k);
        if (c->level[k].pos)
            c->level[k].pos = (const char *)c->level[k].pos + p * (t->pos[k].length / batches) * (sparse_pos_bits(e) / 8u);
        if (c->level[k].crd)
            c->level[k].crd = (const char *)c->level[k].crd +
                              p * (t->crd[sparse_p_head(e, k)].length / batches) * (sparse_crd_bits(e) / 8u);
    }
    sparse_p_enter_level(c, l + 1, 0);
}

SPARSE_API void sparse_p_settle(sparse_cursor *c, unsigned l)
{
    for (;;) {
        const size_t p = c->level[l].position;
        if (!sparse_level_valid(&c->level[l])) {
            if (l == 0) break;
            sparse_p_step(&c->level[--l]);
        } else if (!sparse_p_take_position(c, l)) {
            sparse_p_step(&c->level[l]);
        } else if (l == c->run) {
            sparse_p_take_value(c);
            return;
        } else {
            if (sparse_p_is_last_batch(c->tensor->encoding, l))
                sparse_p_enter_batch(c, l, p);
            else
                sparse_p_enter_level(c, l + 1, p);
            l++;
        }
    }
    c->valid = false;
}

SPARSE_API sparse_cursor sparse_begin_slice(const sparse_tensor *t, const sparse_slice *slice)
{
    sparse_cursor c;
    memset(&c, 0, sizeof c);
    c.tensor = t;
    c.slice = slice;
    c.valid = t && t->encoding && t->val.length > 0 && !sparse_p_is_empty(t);
    if (!c.valid) return c;
    c.values = (char *)(t->encoding->constant ? (void *)t->encoding->constant : t->val.at);
    c.size = sparse_p_stored_size(t->encoding);
    c.plain = !slice && sparse_p_find_map(t->encoding, SPARSE_MAP_MINUS) == t->encoding->levels;
    for (unsigned l = 0; l < t->encoding->levels; l++)
        c.plain = c.plain && !(sparse_p_traits(t->encoding->level[l].type) & SPARSE_TRAIT_BITS);
    while (sparse_p_run_end(t->encoding, c.run) < t->encoding->levels) c.run++;
    for (unsigned l = 0; l < t->encoding->levels; l++) sparse_p_open_level(&c, l);
    sparse_p_enter_level(&c, 0, 0);
    sparse_p_settle(&c, 0);
    return c;
}

    /* >>threads, defined */

    /* Sizes from which several threads or other methods pay. Tests set smaller ones. */
    #ifndef SPARSE_P_SHARE
        #define SPARSE_P_SHARE    16384   /* entries that a thread processes before another one has started */
        #define SPARSE_P_PARCELED 2097152 /* entries from which on it is faster to move them in two steps */
        #define SPARSE_P_PARCEL   16384   /* entries that fit a cache, at their old and new positions */
    #endif
    #define SPARSE_P_COPIED 8  /* elements that are copied in the time that one entry takes */
    #define SPARSE_P_TEAM   64 /* the most threads */

/* The number of threads that the program asks for. No local variable here can capture a name in its expression. Without
   OpenMP, the expression is not evaluated, because it may call omp_get_max_threads, which is then not declared. */
SPARSE_UNUSED static inline long sparse_p_wanted_threads(void)
{
    #if defined(_OPENMP)
    return (long)(SPARSE_THREADS);
    #else
    return 1;
    #endif
}

/* How many of the wanted threads pay for this number of entries. */
static inline int sparse_p_team_of(size_t entries, long wanted)
{
    #if defined(_OPENMP)
    const size_t most = sparse_p_min(entries / SPARSE_P_SHARE, SPARSE_P_TEAM);
    return wanted > 1 && most > 1 ? (int)sparse_p_min((size_t)wanted, most) : 1;
    #else
    (void)entries, (void)wanted;
    return 1;
    #endif
}
static inline int sparse_p_team(size_t entries) { return sparse_p_team_of(entries, sparse_p_wanted_threads()); }

/* >>records
   Entries on their way into a tensor. A record consists of a few 64-bit words. The first words hold the key: the
   coordinates of the entry, its fields, bit-packed with the first field in the highest bits. The last word holds the
   value, or its index if it is larger than a word. Records are compared by the words of their keys, the highest first.
   Most keys have one word. In a 4 x 8 matrix stored by rows, entry (2, 3) has fields of 2 and 3 bits and the key 10 011
   in binary. */

/* The position of a field: the word, the lowest bit, the width. */
typedef struct sparse_p_field {
    uint8_t word, shift, bits;
} sparse_p_field;

/* A mask of the bits of a field and all lower bits of its word. */
SPARSE_P_INLINE uint64_t sparse_p_mask_from(sparse_p_field field)
{
    return sparse_p_largest(field.bits) << field.shift | ((UINT64_C(1) << field.shift) - 1);
}

typedef struct sparse_p_records {
    const sparse_hooks *hooks;
    sparse_buffer buffer;   /* its elements are whole records */
    size_t size;            /* bytes of a value */
    unsigned fields, words; /* number of fields and words of a key; word 0 is the lowest */
    sparse_p_field field[SPARSE_MAX_LEVELS + 1];
    uint8_t used[SPARSE_MAX_LEVELS + 1]; /* the number of used bits in each word */
    bool known;                          /* true if `first` is known: it is enough to sort by the fields */
    unsigned first;                      /* before `first` */
} sparse_p_records;

/* Record k. */
SPARSE_P_INLINE uint64_t *sparse_p_record(const sparse_p_records *r, size_t k)
{
    return (uint64_t *)r->buffer.at + k * (r->words + 1);
}

/* One field of consecutive records, for fast access. */
typedef struct sparse_p_lane {
    const uint64_t *word;
    size_t stride;
    uint64_t mask;
    unsigned shift;
} sparse_p_lane;

/* Field f of the records from k on. */
SPARSE_P_INLINE sparse_p_lane sparse_p_lane_of(const sparse_p_records *r, size_t k, unsigned f)
{
    const sparse_p_field field = r->field[f];
    sparse_p_lane lane = {sparse_p_record(r, k) + field.word, r->words + 1, sparse_p_largest(field.bits), field.shift};
    return lane;
}

/* The coordinate in the i-th record of a lane. */
SPARSE_P_INLINE size_t sparse_p_get(sparse_p_lane lane, size_t i)
{
    return (size_t)(lane.word[i * lane.stride] >> lane.shift & lane.mask);
}

/* The value of record k. */
SPARSE_P_INLINE const void *sparse_p_value(const sparse_p_records *r, size_t k)
{
    const void *value = sparse_p_record(r, k) + r->words;
    if (r->size > sizeof(uint64_t)) memcpy(&value, value, sizeof value);
    return value;
}

/* The number that is stored as the value of record k. */
static inline size_t sparse_p_origin(const sparse_p_records *r, size_t k)
{
    uint64_t p;
    memcpy(&p, sparse_p_value(r, k), sizeof p);
    return (size_t)p;
}

/* Opens an empty list with room for `capacity` records, whose fields hold numbers below field_sizes[field]. */
SPARSE_P_OUTLINE sparse_result sparse_p_records_open(sparse_p_records *r, const sparse_hooks *hooks, unsigned fields,
                                                     const size_t *field_sizes, size_t value_size, size_t capacity)
{
    memset(r, 0, sizeof *r);
    r->hooks = hooks;
    r->size = value_size;
    r->fields = fields;
    r->words = 1;
    for (unsigned f = fields; f-- > 0;) {
        const unsigned bits = sparse_p_bits_of_index(field_sizes[f]);
        if (r->used[r->words - 1] + bits > 64) r->words++;
        r->field[f].word = (uint8_t)(r->words - 1);
        r->field[f].shift = r->used[r->words - 1];
        r->field[f].bits = (uint8_t)bits;
        r->used[r->words - 1] = (uint8_t)(r->used[r->words - 1] + bits);
    }
    sparse_result result = sparse_p_allocate(hooks, &r->buffer, capacity, (r->words + 1) * sizeof(uint64_t));
    r->buffer.length = 0;
    return result;
}

SPARSE_P_OUTLINE void sparse_p_records_close(sparse_p_records *r)
{
    sparse_p_release(r->hooks, &r->buffer, (r->words + 1) * sizeof(uint64_t));
}

/* True if x > y, as numbers of `words` words. */
SPARSE_P_INLINE bool sparse_p_exceeds(const uint64_t *x, const uint64_t *y, size_t words)
{
    while (words-- > 0)
        if (x[words] != y[words]) return x[words] > y[words];
    return false;
}

/* True if key x is after key y in the order of the fields f, f + 1, ... */
static inline bool sparse_p_is_after(const sparse_p_records *r, unsigned f, const uint64_t *x, const uint64_t *y)
{
    const sparse_p_field field = r->field[f];
    const uint64_t mask = sparse_p_mask_from(field);
    const uint64_t top_x = x[field.word] & mask, top_y = y[field.word] & mask;
    return top_x != top_y ? top_x > top_y : sparse_p_exceeds(x, y, field.word);
}

/* Sets the last word of a record to a value. */
SPARSE_P_INLINE void sparse_p_put_entry_value(uint64_t *word, const void *value, size_t size)
{
    if (size <= sizeof(uint64_t))
        sparse_p_move(word, value, size);
    else
        memcpy(word, &value, sizeof value);
}

/* Sets record k. */
SPARSE_P_OUTLINE void sparse_p_set_record(const sparse_p_records *r, size_t k, const size_t *coordinate, const void *value)
{
    uint64_t *record = sparse_p_record(r, k);
    for (unsigned w = 0; w <= r->words; w++) record[w] = 0;
    for (unsigned f = 0; f < r->fields; f++) record[r->field[f].word] |= (uint64_t)coordinate[f] << r->field[f].shift;
    sparse_p_put_entry_value(record + r->words, value, r->size);
}
/* Appends a record; there must be room. */
static inline void sparse_p_add_record(sparse_p_records *r, const size_t *coordinate, const void *value)
{
    sparse_p_set_record(r, r->buffer.length++, coordinate, value);
}

/* sparse_p_sorted_fields for keys of one word; compares many at a time. */
SPARSE_P_OUTLINE unsigned sparse_p_sorted_keys(const sparse_p_records *r, size_t first, size_t end)
{
    const uint64_t *const word = (const uint64_t *)r->buffer.at;
    unsigned fields = (1u << r->fields) - 1;
    for (size_t k = first > 0 ? first : 1, stop; k < end && fields; k = stop) {
        stop = sparse_p_min(k + 256, end);
        for (unsigned f = 0; f < r->fields; f++) {
            const uint64_t mask = sparse_p_mask_from(r->field[f]);
            bool after = false;
            for (size_t i = k; i < stop; i++) after |= (word[2 * i - 2] & mask) > (word[2 * i] & mask);
            if (after) fields &= ~(1u << f);
        }
    }
    return fields;
}
/* Returns the fields, as bits, such that f is set if records [first - 1, end) are already in order of fields f, f + 1,
   ... */
static inline unsigned sparse_p_sorted_fields(const sparse_p_records *r, size_t first, size_t end)
{
    unsigned fields = (1u << r->fields) - 1;
    if (r->words == 1) return sparse_p_sorted_keys(r, first, end);
    for (size_t k = first > 0 ? first : 1; k < end && fields; k++)
        for (unsigned f = 0; f < r->fields; f++)
            if (fields >> f & 1 && sparse_p_is_after(r, f, sparse_p_record(r, k - 1), sparse_p_record(r, k)))
                fields &= ~(1u << f);
    return fields;
}
/* The first field f such that all records are already in order of fields f, f + 1, ... */
static inline unsigned sparse_p_sorted_from(const sparse_p_records *r)
{
    const size_t count = r->buffer.length;
    const int team = sparse_p_team(count);
    unsigned fields[SPARSE_P_TEAM], least = 0;
    SPARSE_P_IN_SHARES(s, first, end, count, fields[s] = sparse_p_sorted_fields(r, first, end));
    for (int s = 1; s < team; s++) fields[0] &= fields[s];
    while (least < r->fields && !(fields[0] >> least & 1)) least++;
    return least;
}

/* The first field in which record k differs from the record before it; `fields` if they are equal. */
static inline unsigned sparse_p_difference(const sparse_p_records *r, size_t k)
{
    unsigned f = 0;
    for (; k > 0 && f < r->fields; f++) {
        const sparse_p_lane lane = sparse_p_lane_of(r, k - 1, f);
        if (sparse_p_get(lane, 0) != sparse_p_get(lane, 1)) break;
    }
    return f;
}

/* Insertion sort of a few records of `stride` words. */
SPARSE_P_INLINE void sparse_p_insert(uint64_t *at, size_t count, size_t stride)
{
    uint64_t x[SPARSE_MAX_LEVELS + 2];
    for (size_t k = 1; k < count; k++) {
        uint64_t *hole = at + k * stride;
        for (size_t w = 0; w < stride; w++) x[w] = hole[w];
        for (; hole > at && sparse_p_exceeds(hole - stride, x, stride - 1); hole -= stride)
            for (size_t w = 0; w < stride; w++) hole[w] = *(hole + w - stride);
        for (size_t w = 0; w < stride; w++) hole[w] = x[w];
    }
}

/* bucket[digit] = the number of records with that digit in word w. */
SPARSE_P_INLINE void sparse_p_tally_digits(const uint64_t *from, size_t count, size_t stride, unsigned w, unsigned shift,
                                           size_t *bucket, size_t buckets)
{
    memset(bucket, 0, buckets * sizeof *bucket);
    for (size_t k = 0; k < count; k++) bucket[(size_t)(from[k * stride + w] >> shift) & (buckets - 1)]++;
}
/* Moves each record to bucket[digit] and advances bucket[digit], which was the beginning of the bucket and becomes its
   end. */
SPARSE_P_INLINE void sparse_p_move_by_digit(const uint64_t *SPARSE_RESTRICT from, uint64_t *SPARSE_RESTRICT to, size_t count,
                                            size_t stride, unsigned w, unsigned shift, size_t *bucket, size_t buckets)
{
    for (size_t k = 0; k < count; k++) {
        const uint64_t *x = from + k * stride;
        uint64_t *y = to + bucket[(size_t)(x[w] >> shift) & (buckets - 1)]++ * stride;
        for (size_t v = 0; v < stride; v++) y[v] = x[v];
    }
}

/* Moves the records to `to`, ordered by a digit of word w; equal digits keep their order. bucket[digit] = the end of the
   records with that digit. If all have the same digit, returns false and moves nothing. */
SPARSE_P_INLINE bool sparse_p_scatter(const uint64_t *SPARSE_RESTRICT from, uint64_t *SPARSE_RESTRICT to, size_t count,
                                      size_t stride, unsigned w, unsigned shift, size_t *bucket, size_t buckets)
{
    size_t start = 0;
    sparse_p_tally_digits(from, count, stride, w, shift, bucket, buckets);
    if (bucket[(size_t)(from[w] >> shift) & (buckets - 1)] == count) return false;
    for (size_t b = 0; b < buckets; b++) {
        const size_t size = bucket[b];
        bucket[b] = start;
        start += size;
    }
    sparse_p_move_by_digit(from, to, count, stride, w, shift, bucket, buckets);
    return true;
}
/* sparse_p_scatter for keys of one word, as a separate function that has the registers for itself. */
SPARSE_P_OUTLINE bool sparse_p_scatter_common(const uint64_t *SPARSE_RESTRICT from, uint64_t *SPARSE_RESTRICT to,
                                              size_t count, unsigned shift, size_t *bucket, size_t buckets)
{
    return sparse_p_scatter(from, to, count, 2, 0, shift, bucket, buckets);
}

enum {
    SPARSE_P_SHORT_RUN = 16, /* the longest run of records that is sorted by insertion */
    SPARSE_P_SORT_PASSES = 3 /* the most passes over all records; beyond, buckets within buckets are faster */
};

/* The number of bits in a digit for sorting `count` records. There should be a few records in each bucket, but not more
   buckets than the caches can keep open for writing. */
static inline unsigned sparse_p_digit(size_t count)
{
    const unsigned width = sparse_p_width(count);
    return width > 17 ? 8 : width > 11 ? 9 : width > 5 ? width - 2 : 3;
}

/* One level of a radix sort: the records in buckets by a digit, where the first bucket begins, and which bucket is sorted
   next. The records of a bucket are equal above the lowest `bits` bits of word w. In memory, the struct follows the ends
   of its buckets. */
typedef struct sparse_p_digit_level {
    size_t begin, next, buckets;
    unsigned w, bits;
} sparse_p_digit_level;
enum { SPARSE_P_LEVEL_ROOM = (sizeof(sparse_p_digit_level) + sizeof(size_t) - 1) / sizeof(size_t) };

/* Finds the next bucket to sort, [*begin, *end). Removes levels whose buckets are all sorted; `bucket` becomes the memory
   after the last level that remains. */
static inline sparse_p_digit_level sparse_p_next_bucket(size_t **bucket, unsigned *depth, size_t begin, size_t *end)
{
    sparse_p_digit_level level = {0, 0, 0, 0, 0};
    for (; *depth > 0; --*depth, *bucket -= SPARSE_P_LEVEL_ROOM + level.buckets) {
        memcpy(&level, *bucket - SPARSE_P_LEVEL_ROOM, sizeof level);
        const size_t *const ends = *bucket - SPARSE_P_LEVEL_ROOM - level.buckets;
        while (level.next < level.buckets && level.begin + ends[level.next] == begin) level.next++;
        if (level.next == level.buckets) continue;
        *end = level.begin + ends[level.next++];
        memcpy(*bucket - SPARSE_P_LEVEL_ROOM, &level, sizeof level);
        break;
    }
    return level;
}

/* Sorts `count` records at `from`, which are equal above the lowest `bits` bits of word w, by all lower bits down to the
   lowest of field `last`. The result is at `to` if `move`, else at `from`. A radix sort from the highest digit down, so
   that buckets soon fit a cache. */
SPARSE_P_OUTLINE void sparse_p_sort_range(const sparse_p_records *r, unsigned last, uint64_t *from, uint64_t *to,
                                          size_t count, unsigned w, unsigned bits, bool move, size_t *bucket)
{
    const size_t stride = r->words + 1;
    const unsigned lowest = r->field[last].word, low = r->field[last].shift;
    unsigned depth = 0; /* the number of open levels of buckets; at odd depths the records are at `to` */
    size_t begin = 0, end = count;
    do {
        uint64_t *const here = (depth & 1 ? to : from) + begin * stride, *const there =
                                                                             (depth & 1 ? from : to) + begin * stride;
        size_t buckets = 0; /* the number of buckets into which the records were moved; 0: none */
        while (buckets == 0 && end - begin > SPARSE_P_SHORT_RUN && (w > lowest || bits > low)) {
            if (bits == 0) bits = r->used[--w];
            const unsigned rest = bits - (w == lowest ? low : 0), wanted = sparse_p_digit(end - begin);
            const unsigned digit = wanted < rest ? wanted : rest;
            bits -= digit;
            if (stride == 2 ? sparse_p_scatter_common(here, there, end - begin, bits, bucket, (size_t)1 << digit)
                            : sparse_p_scatter(here, there, end - begin, stride, w, bits, bucket, (size_t)1 << digit))
                buckets = (size_t)1 << digit;
        }
        if (buckets > 0) {
            const sparse_p_digit_level level = {begin, 0, buckets, w, bits};
            memcpy(bucket + buckets, &level, sizeof level);
            bucket += buckets + SPARSE_P_LEVEL_ROOM;
            depth++;
        } else {
            if (end - begin <= SPARSE_P_SHORT_RUN && stride == 2)
                sparse_p_insert(here, end - begin, 2);
            else if (end - begin <= SPARSE_P_SHORT_RUN)
                sparse_p_insert(here, end - begin, stride);
            if ((depth & 1) != move) memcpy(there, here, (end - begin) * stride * sizeof *to);
            begin = end;
        }
        const sparse_p_digit_level level = sparse_p_next_bucket(&bucket, &depth, begin, &end);
        w = level.w;
        bits = level.bits;
    } while (depth > 0);
}

/* Sorts all records on several threads; the result is at `from`. Each thread moves its share of the records to the
   buckets of the first digit in which records differ, after the records of earlier shares. Then each thread sorts some of
   the buckets. bucket: `each` numbers for each thread, and for one more. */
static inline void sparse_p_sort_by_team(const sparse_p_records *r, unsigned last, uint64_t *spare, int team, size_t *bucket,
                                         size_t each)
{
    uint64_t *const from = (uint64_t *)r->buffer.at;
    const size_t count = r->buffer.length, stride = r->words + 1, shares = (size_t)team;
    size_t buckets = 1, largest = count;
    const unsigned lowest = r->field[last].word;
    unsigned w = r->words, shift = 0;
    while (largest == count) {
        if (shift == 0 && w > lowest) shift = r->used[--w];
        /* not for a lower word, because the records are not in order yet */
        const unsigned low = w == lowest ? r->field[last].shift : 0;
        const unsigned wanted = sparse_p_digit(count), rest = shift - low, digit = wanted < rest ? wanted : rest;
        shift -= digit;
        buckets = (size_t)1 << digit;
        SPARSE_P_BY_TEAM
        for (int s = 0; s < team; s++) {
            const size_t first = sparse_p_share(0, count, (size_t)s, shares),
                         end = sparse_p_share(0, count, (size_t)s + 1, shares);
            sparse_p_tally_digits(from + first * stride, end - first, stride, w, shift, bucket + (size_t)s * each, buckets);
        }
        largest = 0;
        for (size_t b = 0, start = 0, before = 0; b < buckets; before = start, b++) {
            for (size_t s = 0; s < shares; s++) {
                const size_t size = bucket[s * each + b];
                bucket[s * each + b] = start;
                start += size;
            }
            largest = sparse_p_max(largest, start - before);
        }
    }
    SPARSE_P_BY_TEAM
    for (int s = 0; s < team; s++) {
        const size_t first = sparse_p_share(0, count, (size_t)s, shares),
                     end = sparse_p_share(0, count, (size_t)s + 1, shares);
        sparse_p_move_by_digit(from + first * stride, spare, end - first, stride, w, shift, bucket + (size_t)s * each,
                               buckets);
    }
    size_t *const ends = bucket + shares * each;
    memcpy(ends, ends - each, buckets * sizeof *ends); /* the last share has the ends of all buckets */
    SPARSE_P_BY_TEAM
    for (int s = 0; s < team; s++) { /* sorts the buckets that begin in this thread's share */
        const size_t first = sparse_p_share(0, count, (size_t)s, shares),
                     end = sparse_p_share(0, count, (size_t)s + 1, shares);
        for (size_t b = 0, start = 0; b < buckets && start < end; start = ends[b++])
            if (start >= first && ends[b] > start)
                sparse_p_sort_range(r, last, spare + start * stride, from + start * stride, ends[b] - start, w, shift, true,
                                    bucket + (size_t)s * each);
    }
}

/* The number of passes in which so many records are sorted by `bits` bits. Handling the digits should not take longer
   than moving the records. */
static inline unsigned sparse_p_passes(size_t count, unsigned bits)
{
    const unsigned width = sparse_p_width(count), most = width > 11 ? 11 : width < 4 ? 4 : width;
    return (bits + most - 1) / most;
}

/* Sorts all records with keys of one word, one digit after the other from the lowest on. Returns where the result is,
   `from` or `to`. */
static inline uint64_t *sparse_p_sort_by_digits(uint64_t *from, uint64_t *to, size_t count, unsigned low, unsigned bits,
                                                unsigned digit, size_t *bucket)
{
    for (unsigned shift = low; shift < bits; shift += digit)
        if (sparse_p_scatter_common(from, to, count, shift, bucket, (size_t)1 << digit)) {
            uint64_t *const other = from;
            from = to;
            to = other;
        }
    return from;
}

/* Sorts the records; equal ones keep their order. Fields that are already in order cost no time: sorted entries take
   none, and from CSR to CSC only the columns are sorted. */
static inline sparse_result sparse_p_sort(sparse_p_records *r)
{
    const size_t count = r->buffer.length, record = (r->words + 1) * sizeof(uint64_t);
    const unsigned widest = sparse_p_digit(count < 4096 ? count : 4096);
    const int team = sparse_p_team(count);
    /* a team needs all equal records to be in order */
    unsigned first = r->known && team == 1 ? r->first : sparse_p_sorted_from(r);
    if (r->known && r->first < first) first = r->first;
    size_t bits = 0; /* bits of a key, which are sorted by digits of at most `widest` bits */
    if (first == 0 || count == 0) return SPARSE_OK;
    for (unsigned w = 0; w < r->words; w++) bits += r->used[w];
    const unsigned low = r->field[first - 1].shift;
    const unsigned passes = r->words == 1 && team == 1 ? sparse_p_passes(count, r->used[0] - low) : 0;
    const bool by_digits = passes > 0 && passes <= SPARSE_P_SORT_PASSES;
    const unsigned digit = by_digits ? (r->used[0] - low + passes - 1) / passes : widest;
    const size_t each =
        by_digits ? (size_t)1 << digit : (bits / widest + r->words) * (((size_t)1 << widest) + SPARSE_P_LEVEL_ROOM);
    sparse_buffer spare = {NULL, 0, 0}, buckets = {NULL, 0, 0};
    sparse_result result = sparse_p_allocate(r->hooks, &spare, count, record);
    if (!result) result = sparse_p_allocate(r->hooks, &buckets, team > 1 ? ((size_t)team + 1) * each : each, sizeof(size_t));
    if (!result && by_digits) {
        uint64_t *const from = (uint64_t *)r->buffer.at;
        if (sparse_p_sort_by_digits(from, (uint64_t *)spare.at, count, low, r->used[0], digit, (size_t *)buckets.at) !=
            from) {
            const sparse_buffer other = r->buffer;
            r->buffer = spare;
            spare = other;
        }
    } else if (!result && team > 1)
        sparse_p_sort_by_team(r, first - 1, (uint64_t *)spare.at, team, (size_t *)buckets.at, each);
    else if (!result)
        sparse_p_sort_range(r, first - 1, (uint64_t *)r->buffer.at, (uint64_t *)spare.at, count, r->words - 1,
                            r->used[r->words - 1], false, (size_t *)buckets.at);
    sparse_p_release(r->hooks, &buckets, sizeof(size_t));
    sparse_p_release(r->hooks, &spare, record);
    return result;
}

/* >>levels, defined: the part of writing that all level types have in common */

/* Opens level l of t for writing. Its arrays have room for `parents` parents and `positions` positions, possibly 0. */
SPARSE_P_OUTLINE sparse_writer sparse_p_open_writer(sparse_tensor *t, unsigned l, size_t parents, size_t positions)
{
    const sparse_encoding *const e = t->encoding;
    const sparse_p_column crd = sparse_p_column_of(t, l);
    const sparse_writer w = {t,
                             t->pos[l].at,
                             crd.at,
                             0,
                             0,
                             parents,
                             positions,
                             0,
                             t->lvl[l],
                             crd.stride,
                             e->level[l].n,
                             (uint8_t)l,
                             (uint8_t)sparse_pos_bits(e),
                             (uint8_t)sparse_crd_bits(e),
                             (uint8_t)sparse_p_packed_bits(&e->level[l])};
    return w;
}

/* Extends the arrays of the level to exactly this number of parents and positions. */
SPARSE_P_OUTLINE sparse_result sparse_p_extend_level(sparse_writer *w, size_t parents, size_t positions)
{
    sparse_tensor *const t = w->t;
    const unsigned l = w->level;
    sparse_extent x;
    if (!sparse_p_extent_of(t, l, parents, positions, &x)) return SPARSE_E_OVERFLOW;
    SPARSE_P_TRY(sparse_p_enlarge(t->hooks, &t->pos[l], x.pos, w->pos_bits / 8u));
    SPARSE_P_TRY(sparse_p_enlarge(t->hooks, &t->crd[l], x.crd, w->crd_bits / 8u));
    w->pos = t->pos[l].at;
    w->crd = sparse_p_column_of(t, l).at;
    w->parents = parents;
    w->room = x.positions;
    return SPARSE_OK;
}

/* Makes room in the level for this number of parents and positions in all. If its arrays must grow, they grow by at
   least half if there is memory. Call it from the topmost level down, because singletons can share the array of the
   level above. E_POSITION_WIDTH if pos cannot hold the positions; E_OVERFLOW; E_MEMORY. */
SPARSE_P_OUTLINE sparse_result sparse_p_reserve_writer(sparse_writer *w, size_t parents, size_t positions)
{
    const size_t most = SIZE_MAX / 2;
    if (sparse_p_has_pos(&w->t->encoding->level[w->level]) && positions > sparse_p_largest(w->pos_bits))
        return SPARSE_E_POSITION_WIDTH; /* even if the arrays, which grow by half, have room for them */
    if (parents <= w->parents && positions <= w->room) return SPARSE_OK;
    parents = sparse_p_max(parents, w->parents);
    positions = sparse_p_max(positions, w->room);
    const size_t more = parents == w->parents ? parents : sparse_p_max(parents, sparse_p_min(w->parents, most) / 2 * 3);
    const size_t further = positions == w->room ? positions : sparse_p_max(positions, sparse_p_min(w->room, most) / 2 * 3);
    if (sparse_p_extend_level(w, more, further) == SPARSE_OK) return SPARSE_OK;
    return sparse_p_extend_level(w, parents, positions);
}

/* Sets the length of the array and frees its unused memory. */
SPARSE_P_OUTLINE void sparse_p_shrink(const sparse_hooks *hooks, sparse_buffer *b, size_t length, size_t size)
{
    b->length = length;
    if (length == 0)
        sparse_p_release(hooks, b, size);
    else if (length < b->capacity) {
        void *const at = sparse_p_resize(hooks, b->at, b->capacity * size, length * size);
        if (!at) return; /* if shrinking fails, the array keeps its memory */
        b->at = at;
        b->capacity = length;
    }
}

/* Completes the level for `parents` parents and frees the unused memory of its arrays. */
SPARSE_P_COLD sparse_result sparse_p_finish_writer(sparse_writer *w, size_t parents)
{
    sparse_tensor *const t = w->t;
    sparse_extent x;
    SPARSE_P_TRY(sparse_p_extend_level(w, parents, w->next));
    sparse_p_close_verb(w, parents);
    if (!sparse_p_extent_of(t, w->level, parents, w->next, &x)) return SPARSE_E_OVERFLOW;
    sparse_p_shrink(t->hooks, &t->pos[w->level], x.pos, w->pos_bits / 8u);
    sparse_p_shrink(t->hooks, &t->crd[w->level], x.crd, w->crd_bits / 8u);
    w->pos = t->pos[w->level].at;
    w->crd = sparse_p_column_of(t, w->level).at;
    return SPARSE_OK;
}

/* >>packing, defined
   Sorted records become a tensor in two phases. The first counts, for every level, the records that differ from the
   record before in that level first. That gives the sizes of all arrays and finds all errors but one (E_FULL of a
   block). The second phase takes a chunk of records at a time through the levels, each of which appends to its arrays:
   see sparse_packer. */

/* What to do with a second entry at the same coordinates: combine the two values, keep both entries, or fail with
   `error`. */
typedef struct sparse_p_policy {
    sparse_combine *combine;
    void *context;
    bool keep;
    sparse_result error;
} sparse_p_policy;

/* The policy for `how`. SPARSE_DUPLICATES_KEEP refuses repeated entries unless the last level of e is nonunique. */
static inline sparse_p_policy sparse_p_policy_of(const sparse_encoding *e, sparse_duplicates how)
{
    sparse_p_policy policy = {NULL, (void *)e, false, SPARSE_E_DUPLICATE};
    if (how == SPARSE_DUPLICATES_LAST)
        policy.combine = sparse_p_replace;
    else if (how == SPARSE_DUPLICATES_SUM && e->kind != SPARSE_OPAQUE)
        policy.combine = sparse_p_sum;
    else if (how == SPARSE_DUPLICATES_SUM)
        policy.error = SPARSE_E_VALUE_TYPE;
    else if (how == SPARSE_DUPLICATES_KEEP)
        policy.keep = e->level[e->levels - 1].properties & SPARSE_NONUNIQUE;
    return policy;
}

/* bits[k] = key of record first + k XOR key of record first + k + 1, for keys of one word. */
SPARSE_P_INLINE void sparse_p_compare_keys(const sparse_p_records *r, size_t first, size_t count, uint64_t *bits)
{
    const uint64_t *const word = sparse_p_record(r, first);
    for (size_t k = 0; k < count; k++) bits[k] = word[2 * k] ^ word[2 * k + 2];
}

/* differs[k] += the first field in which records first + k and first + k + 1 differ. */
SPARSE_P_OUTLINE void sparse_p_first_differences(const sparse_p_records *r, size_t first, size_t count, uint8_t *differs)
{
    uint64_t bits[SPARSE_P_CHUNK];
    sparse_p_compare_keys(r, first, count, bits);
    for (unsigned f = 0; f < r->fields; f++) {
        const unsigned shift = r->field[f].shift; /* earlier fields are above it */
        for (size_t k = 0; k < count; k++) differs[k] = (uint8_t)(differs[k] + (bits[k] >> shift == 0));
    }
}

/* tally[f] = the number of records that differ from the record before in field f first; tally[fields]: in no field. */
SPARSE_P_OUTLINE void sparse_p_tally_keys(const sparse_p_records *r, size_t *tally)
{
    const size_t later = r->buffer.length - 1, most = SPARSE_P_CHUNK;
    uint64_t bits[SPARSE_P_CHUNK];
    for (size_t first = 0, count; first < later; first += count) {
        count = sparse_p_min(later - first, most);
        sparse_p_compare_keys(r, first, count, bits);
        for (unsigned f = 0; f < r->fields; f++) {
            const unsigned shift = r->field[f].shift;
            size_t same = 0;
            for (size_t k = 0; k < count; k++) same += bits[k] >> shift == 0;
            tally[f + 1] += same; /* includes records that differ in a later field, for now */
        }
    }
    tally[0] = later + 1;
    for (unsigned f = 0; f < r->fields; f++) tally[f] -= tally[f + 1];
}

/* Makes the records from `first` on the chunk of the packer, and finds in which level each differs from the record before.
   Returns false if there are no more records. */
SPARSE_P_OUTLINE bool sparse_p_take_chunk(sparse_packer *p, size_t first)
{
    const size_t rest = p->r->buffer.length - first, most = SPARSE_P_CHUNK, before = first > 0;
    p->first = first;
    p->count = rest < most ? rest : most;
    memset(p->differs, 0, sizeof p->differs);
    if (p->r->words == 1) {
        if (p->count > 0) sparse_p_first_differences(p->r, first - before, p->count + before - 1, p->differs + 1 - before);
        return p->count > 0;
    }
    for (unsigned f = 0; p->count > 0 && f < p->r->fields; f++) {
        const sparse_p_lane lane = sparse_p_lane_of(p->r, first - before, f);
        for (size_t i = 1 - before; i < p->count; i++) {
            const bool same = sparse_p_get(lane, i + before) == sparse_p_get(lane, i + before - 1);
            p->differs[i] = (uint8_t)(p->differs[i] + (same && p->differs[i] == f));
        }
    }
    return p->count > 0;
}

/* tally[l] = the number of records that differ from the record before in level l first; tally[levels]: in no level. */
static inline void sparse_p_tally(sparse_packer *p, size_t *tally)
{
    if (p->r->words == 1 && p->r->buffer.length > 0) {
        sparse_p_tally_keys(p->r, tally);
        return;
    }
    for (size_t first = 0; sparse_p_take_chunk(p, first); first += p->count)
        for (size_t i = 0; i < p->count; i++) tally[p->differs[i]]++;
}

/* Which entries get a position of their own in level l: those that differ from the entry before in a level above or in l.
   If all levels below l share its positions (COO), those that differ anywhere; if duplicates are kept, all. */
static inline void sparse_p_set_fresh(sparse_packer *p)
{
    const sparse_encoding *const e = p->t->encoding;
    for (unsigned l = 0; l < e->levels; l++)
        p->fresh[l] = sparse_p_run_end(e, l) < e->levels ? l + 1 : (unsigned)e->levels + p->policy->keep;
}

/* The number of padding positions that a forward level l needs for gaps that are too wide for its numbers. */
static inline size_t sparse_p_count_padding(sparse_packer *p, unsigned l)
{
    const uint64_t most = sparse_p_largest(p->t->encoding->level[l].n);
    size_t count = 0, next = 0;
    for (size_t first = 0; sparse_p_take_chunk(p, first); first += p->count) {
        const sparse_p_lane lane = sparse_p_lane_of(p->r, first, l);
        for (size_t k = 0; k < p->count; k++) {
            if (p->differs[k] >= p->fresh[l]) continue;
            if (p->differs[k] < l) next = 0;
            const size_t at = sparse_p_get(lane, k);
            if (!sparse_p_add(&count, count, (size_t)((uint64_t)(at - next) / (most + 1)))) return SIZE_MAX;
            next = at + 1;
        }
    }
    return count;
}

/* *positions = the number of positions of level l below `parents` parents. E_FULL if the level is unique and would repeat
   a coordinate below a parent. */
static inline sparse_result sparse_p_count_level(sparse_packer *p, unsigned l, const size_t *tally, size_t parents,
                                                 size_t *positions)
{
    const sparse_encoding *const e = p->t->encoding;
    const sparse_level *const v = &e->level[l];
    if (!(sparse_p_traits(v->type) & (SPARSE_TRAIT_POS | SPARSE_TRAIT_SHARED))) {
        sparse_extent x;
        if (!sparse_p_extent_of(p->t, l, parents, 0, &x)) return SPARSE_E_OVERFLOW;
        *positions = x.positions;
        return SPARSE_OK;
    }
    if (sparse_p_run_end(e, l) == e->levels)
        for (unsigned f = sparse_p_first_unique(e, l) + 1; f < p->fresh[l]; f++)
            if (tally[f] > 0) return SPARSE_E_FULL;
    *positions = 0;
    for (unsigned f = 0; f < p->fresh[l]; f++) *positions += tally[f];
    if (sparse_p_traits(v->type) & SPARSE_TRAIT_PADS && !sparse_p_add(positions, *positions, sparse_p_count_padding(p, l)))
        return SPARSE_E_OVERFLOW;
    return sparse_p_has_pos(v) && *positions > sparse_p_largest(sparse_pos_bits(e)) ? SPARSE_E_POSITION_WIDTH : SPARSE_OK;
}

/* positions[l] = the number of positions above level l; positions[levels] = the number of values. */
static inline sparse_result sparse_p_count_positions(sparse_packer *p, const size_t *tally, size_t *positions)
{
    const unsigned levels = p->t->encoding->levels;
    sparse_result result = SPARSE_OK;
    if (tally[levels] > 0 && !p->policy->keep && !p->policy->combine) result = p->policy->error;
    positions[0] = 1;
    for (unsigned l = 0; !result && l < levels; l++)
        result = sparse_p_count_level(p, l, tally, positions[l], &positions[l + 1]);
    return result;
}

/* Allocates the arrays of all levels and of the values; positions[l] is the number of positions above level l. */
static inline sparse_result sparse_p_allocate_arrays(sparse_tensor *t, const size_t *positions)
{
    const sparse_encoding *e = t->encoding;
    sparse_result result = sparse_p_allocate(t->hooks, &t->val, positions[e->levels], e->value_size);
    for (unsigned l = 0; !result && l < e->levels; l++) {
        sparse_extent x;
        if (!sparse_p_extent_of(t, l, positions[l], positions[l + 1], &x)) return SPARSE_E_OVERFLOW;
        result = sparse_p_allocate(t->hooks, &t->pos[l], x.pos, sparse_pos_bits(e) / 8u);
        if (!result) result = sparse_p_allocate(t->hooks, &t->crd[l], x.crd, sparse_crd_bits(e) / 8u);
    }
    return result;
}

/* Makes room in level l for the chunk, whose entries have positions in the level above. If the level stores positions,
   starts with room for `expected`. */
SPARSE_P_OUTLINE sparse_result sparse_p_reserve_chunk(sparse_packer *p, unsigned l, size_t expected)
{
    sparse_writer *const w = &p->level[l];
    const sparse_level *const v = &p->t->encoding->level[l];
    if (sparse_p_traits(v->type) & SPARSE_TRAIT_SHARED)
        return sparse_p_reserve_writer(w, p->level[l - 1].room, p->level[l - 1].room);
    const size_t parents = l > 0 ? p->at[p->count - 1] + 1 : 1, most = (size_t)sparse_p_largest(w->pos_bits);
    size_t positions = sparse_p_has_pos(v) ? w->next : 0;
    for (size_t k = 0; sparse_p_has_pos(v) && k < p->count; k++) positions += p->differs[k] < p->fresh[l];
    if (w->room == 0 && positions > 0) positions = sparse_p_max(positions, sparse_p_min(expected, most));
    return sparse_p_reserve_writer(w, parents, positions);
}

/* Makes room for a value at every position for which the last level has room. Positions without an entry get the fill
   value. */
SPARSE_P_OUTLINE sparse_result sparse_p_reserve_values(const sparse_packer *p)
{
    sparse_tensor *const t = p->t;
    const sparse_encoding *const e = t->encoding;
    const size_t room = p->level[e->levels - 1].room, filled = t->val.length, size = e->value_size;
    if (room <= filled) return SPARSE_OK;
    SPARSE_P_TRY(sparse_p_enlarge(t->hooks, &t->val, room, size));
    if (sparse_p_traits(e->level[e->levels - 1].type) & SPARSE_TRAIT_PADS)
        sparse_p_put_fill(e, (char *)t->val.at + filled * size, room - filled);
    t->val.length = room;
    return SPARSE_OK;
}

/* Completes all levels and frees the unused memory of the arrays. */
SPARSE_P_COLD sparse_result sparse_p_finish_packer(sparse_packer *p)
{
    sparse_tensor *const t = p->t;
    size_t parents = 1;
    for (unsigned l = 0; l < t->encoding->levels; parents = p->level[l++].next)
        SPARSE_P_TRY(sparse_p_finish_writer(&p->level[l], parents));
    SPARSE_P_TRY(sparse_p_reserve_values(p));
    sparse_p_shrink(t->hooks, &t->val, parents, t->encoding->value_size);
    return SPARSE_OK;
}

/* The number of coordinates that level l gets below the parent of entry k of the chunk, which is the first entry below
   that parent. */
static inline size_t sparse_p_siblings(const sparse_packer *p, size_t k, unsigned l)
{
    size_t siblings = 1;
    for (size_t j = p->first + k + 1; j < p->r->buffer.length; j++) {
        const unsigned d = sparse_p_difference(p->r, j);
        if (d < l) break;
        siblings += d == l;
    }
    return siblings;
}

/* Appends a chunk to a level with these traits. `verb` is its append, which the compiler inlines into the loop. `w` is a
   copy, so that it stays in registers. `narrow`: all widths are 32 bits. SIZE_MAX, for a coordinate that the level
   cannot hold, is tested only in levels in which that can happen: without pos and without shared positions. */
SPARSE_P_INLINE sparse_result sparse_p_append_chunk(sparse_packer *p, unsigned l, const size_t *coordinate, unsigned traits,
                                                    bool narrow, size_t (*verb)(sparse_writer *, size_t, size_t))
{
    sparse_writer w = p->level[l];
    const unsigned fresh = p->fresh[l];
    if (narrow) w.pos_bits = w.crd_bits = 32;
    for (size_t k = 0; k < p->count; k++) {
        if (p->differs[k] < fresh) {
            if (traits & SPARSE_TRAIT_COUNTS && p->differs[k] < l) w.below = sparse_p_siblings(p, k, l);
            p->at[k] = verb(&w, p->at[k], coordinate[k]);
            if (!(traits & (SPARSE_TRAIT_POS | SPARSE_TRAIT_SHARED)) && p->at[k] == SIZE_MAX) return SPARSE_E_FULL;
        } else
            p->at[k] = w.next - 1;
    }
    p->level[l] = w;
    return SPARSE_OK;
}

/* Appends to level l the coordinates of the entries that are new in that level. */
SPARSE_P_OUTLINE sparse_result sparse_p_append_chunk_to(sparse_packer *p, unsigned l, const size_t *coordinate)
{
    const sparse_writer *const w = &p->level[l];
    const bool narrow = w->pos_bits == 32 && w->crd_bits == 32;
    #define SPARSE_P_LEVEL_ROW(NAME, name, traits)                                                                          \
    case NAME:                                                                                                              \
        if (narrow && ((traits) & (SPARSE_TRAIT_CRD | SPARSE_TRAIT_COUNTS)) == SPARSE_TRAIT_CRD)                            \
            return sparse_p_append_chunk(p, l, coordinate, traits, true, sparse_##name##_append);                           \
        return sparse_p_append_chunk(p, l, coordinate, traits, false, sparse_##name##_append);
    SPARSE_P_LEVEL_CASES(SPARSE_P_LEVEL_ROW, p->t->encoding->level[l].type, SPARSE_E_ARGUMENT)
    #undef SPARSE_P_LEVEL_ROW
}

/* Stores the values of a chunk, of `size` bytes each. The value of entry k is at `from` + k * step; if `far`, the address
   of the value is there. */
SPARSE_P_INLINE void sparse_p_put_values_of(const sparse_packer *p, const char *from, size_t step, size_t size, bool far)
{
    const unsigned fresh = p->fresh[p->t->encoding->levels - 1];
    char *const val = (char *)p->t->val.at;
    for (size_t k = 0; k < p->count; k++, from += step) {
        char *const to = val + p->at[k] * size;
        const void *value = from;
        if (far) memcpy(&value, from, sizeof value);
        if (p->differs[k] < fresh)
            sparse_p_move(to, value, size);
        else
            p->policy->combine(to, value, p->policy->context);
    }
}
/* sparse_p_put_values_of for 16-bit numbers that are added: the sum is a float, which is rounded after the last one. */
SPARSE_P_OUTLINE void sparse_p_put_halves(sparse_packer *p, const char *from, size_t step)
{
    const sparse_encoding *const e = p->t->encoding;
    const unsigned fresh = p->fresh[e->levels - 1];
    for (size_t k = 0; k < p->count; k++, from += step) {
        char *const to = (char *)p->t->val.at + p->at[k] * e->value_size;
        const float value = sparse_p_load_half(e->kind, from);
        if (p->differs[k] < fresh) {
            sparse_p_move(to, from, e->value_size);
            p->sum = value;
        } else {
            if (p->summed != p->at[k] + 1) p->sum = sparse_p_load_half(e->kind, to);
            p->sum += value;
            sparse_p_store_half(e->kind, to, p->sum);
        }
        p->summed = p->at[k] + 1;
    }
}
SPARSE_P_OUTLINE void sparse_p_put_values(sparse_packer *p, const char *from, size_t step, bool far)
{
    const size_t size = p->t->encoding->value_size;
    if (sparse_p_is_half(p->t->encoding->kind) && p->policy->combine == sparse_p_sum)
        sparse_p_put_halves(p, from, step);
    else if (size == 8)
        sparse_p_put_values_of(p, from, step, 8, false);
    else
        sparse_p_put_values_of(p, from, step, size, far);
}

/* Passes the chunk through all levels and stores its values. */
static inline sparse_result sparse_p_put_chunk(sparse_packer *p)
{
    memset(p->at, 0, sizeof p->at);
    for (unsigned l = 0; l < p->t->encoding->levels; l++) {
        const sparse_p_lane lane = sparse_p_lane_of(p->r, p->first, l);
        for (size_t k = 0; k < p->count; k++) p->coordinate[k] = sparse_p_get(lane, k);
        SPARSE_P_TRY(sparse_p_append_chunk_to(p, l, p->coordinate));
    }
    const size_t words = p->r->words;
    sparse_p_put_values(p, (const char *)(sparse_p_record(p->r, p->first) + words), (words + 1) * sizeof(uint64_t),
                        p->t->encoding->value_size > sizeof(uint64_t));
    return SPARSE_OK;
}

/* Assigns the records to slices (ELL), in the order of the other levels. The coordinate in level l becomes the number of
   earlier records with the same coordinate in level k. E_FULL if there are more than level l has slices. */
SPARSE_P_DETACHED sparse_result sparse_p_deal(const sparse_tensor *t, sparse_p_records *r, unsigned l, unsigned k)
{
    const sparse_p_field slice = r->field[l];
    const size_t count = r->buffer.length;
    uint64_t before[SPARSE_MAX_LEVELS + 1] = {0};
    size_t next = 0, row = 0;
    sparse_p_records by; /* the rows, each with the positions of its entries in r */
    sparse_result result = sparse_p_sort(r);
    if (result) return result;
    result = sparse_p_records_open(&by, r->hooks, 1, &t->lvl[k], sizeof(uint64_t), count);
    if (result) return result;
    for (uint64_t n = 0; n < count; n++) {
        const size_t at = sparse_p_get(sparse_p_lane_of(r, (size_t)n, k), 0);
        sparse_p_add_record(&by, &at, &n);
    }
    result = sparse_p_sort(&by);
    for (size_t i = 0; !result && i < count; i++) {
        uint64_t *record = sparse_p_record(r, sparse_p_origin(&by, i));
        const size_t here = sparse_p_get(sparse_p_lane_of(&by, i, 0), 0);
        const bool repeated = i > 0 && memcmp(before, record, r->words * sizeof *record) == 0;
        memcpy(before, record, r->words * sizeof *record);
        if (i == 0 || here != row) next = 0;
        row = here;
        next += !repeated;
        if (next > t->encoding->level[l].c)
            result = SPARSE_E_FULL;
        else
            record[slice.word] |= (uint64_t)(next - 1) << slice.shift;
    }
    sparse_p_records_close(&by);
    return result;
}

/* Sorts the records in the order of the levels of t, after assigning slices if t has them. */
static inline sparse_result sparse_p_order(const sparse_tensor *t, sparse_p_records *r)
{
    const sparse_encoding *e = t->encoding;
    const unsigned l = sparse_p_find_map(e, SPARSE_MAP_COUNT);
    if (l < e->levels) {
        unsigned k = l + 1;
        while (e->level[k].dim != e->level[l].dim) k++;
        sparse_result result = sparse_p_deal(t, r, l, k);
        if (result) return result;
    }
    return sparse_p_sort(r);
}

/* Opens the levels of t, whose arrays already have their lengths. positions[l] is the number of positions above level l. */
static inline void sparse_p_open_levels(sparse_packer *p, const size_t *positions)
{
    sparse_tensor *const t = p->t;
    const sparse_encoding *const e = t->encoding;
    if (sparse_p_traits(e->level[e->levels - 1].type) & SPARSE_TRAIT_PADS) sparse_p_put_fill(e, t->val.at, t->val.length);
    for (unsigned l = 0; l < e->levels; l++) p->level[l] = sparse_p_open_writer(t, l, positions[l], positions[l + 1]);
}
static inline void sparse_p_close_levels(sparse_packer *p, const size_t *positions)
{
    for (unsigned l = 0; l < p->t->encoding->levels; l++) sparse_p_close_verb(&p->level[l], positions[l]);
}

/* Fills the arrays of t, which already have their lengths, with the records. */
static inline sparse_result sparse_p_fill_arrays(sparse_packer *p, const size_t *positions)
{
    sparse_p_open_levels(p, positions);
    for (size_t first = 0; sparse_p_take_chunk(p, first); first += p->count) SPARSE_P_TRY(sparse_p_put_chunk(p));
    sparse_p_close_levels(p, positions);
    return SPARSE_OK;
}

/* t = the records, in any order. t has no batches and no constant value; it has its sizes but no arrays. Closes the list
   of records. */
SPARSE_P_OUTLINE sparse_result sparse_p_build_plain(sparse_tensor *t, sparse_p_records *r, sparse_p_policy policy)
{
    sparse_packer p;
    size_t tally[SPARSE_MAX_LEVELS + 1] = {0}, positions[SPARSE_MAX_LEVELS + 1] = {1};
    memset(&p, 0, sizeof p);
    p.t = t;
    p.r = r;
    p.policy = &policy;
    sparse_p_set_fresh(&p);
    sparse_result result = sparse_p_order(t, r);
    if (!result) sparse_p_tally(&p, tally);
    if (!result) result = sparse_p_count_positions(&p, tally, positions);
    if (!result) result = sparse_p_allocate_arrays(t, positions);
    if (!result) result = sparse_p_fill_arrays(&p, positions);
    sparse_p_records_close(r);
    if (result) sparse_free(t);
    return result;
}

/* Sets the sizes of t, and opens a list of records with room for `count` entries. */
static inline sparse_result sparse_p_start(sparse_tensor *t, const size_t *dim, size_t count, sparse_p_records *r)
{
    sparse_result result = sparse_p_renew(t, dim);
    if (!result) result = sparse_p_records_open(r, t->hooks, t->encoding->levels, t->lvl, t->encoding->value_size, count);
    if (result) sparse_free(t);
    return result;
}

/* The encoding of the levels below the batches, as if their coordinates were dimensions. */
static inline sparse_encoding sparse_p_below_batches(const sparse_encoding *e)
{
    const unsigned batch = sparse_p_batch_levels(e);
    sparse_encoding s = *e;
    memset(s.level, 0, sizeof s.level);
    s.rank = s.levels = (uint8_t)(e->levels - batch);
    s.inverse = NULL;
    for (unsigned l = 0; l < s.levels; l++) {
        s.level[l] = e->level[batch + l];
        s.level[l].map = SPARSE_MAP_DIM;
        s.level[l].dim = (uint8_t)l;
    }
    return s;
}

/* The number of the batch that record k belongs to. */
static inline size_t sparse_p_batch_of(const sparse_tensor *t, const sparse_p_records *r, size_t k)
{
    const unsigned skip = sparse_p_batch_levels(t->encoding);
    size_t batch = 0;
    for (unsigned f = 0; f < skip; f++) batch = batch * t->lvl[f] + sparse_p_get(sparse_p_lane_of(r, k, f), 0);
    return batch;
}

/* s = the sorted records from *first up to `last`, in the encoding sparse_p_below_batches; sets *first to `last`. */
SPARSE_P_OUTLINE sparse_result sparse_p_build_batch(sparse_tensor *s, const sparse_tensor *t, const sparse_p_records *r,
                                                    size_t *first, size_t last, sparse_p_policy policy)
{
    const unsigned levels = t->encoding->levels, skip = levels - s->encoding->levels;
    size_t lvl[SPARSE_MAX_LEVELS];
    sparse_p_records part;
    sparse_result result = sparse_p_start(s, t->lvl + skip, last - *first, &part);
    if (result) return result;
    for (; *first < last; ++*first) {
        for (unsigned f = skip; f < levels; f++) lvl[f - skip] = sparse_p_get(sparse_p_lane_of(r, *first, f), 0);
        sparse_p_add_record(&part, lvl, sparse_p_value(r, *first));
    }
    return sparse_p_build_plain(s, &part, policy);
}

/* Allocates `all`, the array of all batches, of all->length elements each. Each batch starts with the elements of b, an
   array of a batch without records, followed by zeros. */
SPARSE_P_COLD sparse_result sparse_p_begin_batches(const sparse_hooks *hooks, sparse_buffer *all, const sparse_buffer *b,
                                                   size_t batches, size_t size)
{
    const size_t length = all->length;
    size_t total;
    if (!sparse_p_mul(&total, length, batches)) return SPARSE_E_OVERFLOW;
    const sparse_result result = sparse_p_allocate(hooks, all, total, size);
    if (result || total == 0) return result;
    memset(all->at, 0, length * size);
    if (b->length > 0) memcpy(all->at, b->at, b->length * size);
    sparse_p_fill(all->at, batches, all->at, length * size);
    return SPARSE_OK;
}

/* t = the records, for a t with batches. The arrays of all batches are as long as those of the fullest one, so batches
   are built twice: the first pass finds the lengths, the second copies into t. Each pass begins with an empty batch,
   with which every batch of t starts, and continues with the batches that have records. */
SPARSE_P_DETACHED sparse_result sparse_p_build_batches(sparse_tensor *t, sparse_p_records *r, sparse_p_policy policy)
{
    const sparse_encoding below = sparse_p_below_batches(t->encoding);
    const unsigned skip = (unsigned)(t->encoding->levels - below.levels);
    const size_t count = r->buffer.length;
    sparse_tensor s = sparse_p_empty(&below, t->hooks);
    size_t batches = 1;
    sparse_result result = sparse_p_order(t, r);
    for (unsigned l = 0; !result && l < skip; l++)
        if (!sparse_p_mul(&batches, batches, t->lvl[l])) result = SPARSE_E_OVERFLOW;
    for (int put = 0; put < 2; put++)
        for (size_t first = 0, last = 0, built = 0; !result && (built == 0 || last < count); built++) {
            const size_t batch = built > 0 ? sparse_p_batch_of(t, r, first) : 0;
            while (built > 0 && last < count && sparse_p_batch_of(t, r, last) == batch) last++;
            result = sparse_p_build_batch(&s, t, r, &first, last, policy);
            for (unsigned n = 0; !result && n <= 2u * below.levels; n++) {
                sparse_buffer *const all = sparse_p_buffer(t, n > 0 ? n + 2 * skip : 0), *const b = sparse_p_buffer(&s, n);
                const size_t size = sparse_p_buffer_size(t->encoding, n);
                if (!put)
                    all->length = sparse_p_max(all->length, b->length);
                else if (built == 0)
                    result = sparse_p_begin_batches(t->hooks, all, b, batches, size);
                else if (b->length > 0)
                    memcpy((char *)all->at + batch * (all->length / batches) * size, b->at, b->length * size);
            }
            sparse_free(&s);
        }
    sparse_p_records_close(r);
    if (result) sparse_free(t);
    return result;
}

/* Drops the values of t, which must all equal the constant of e, else E_CONSTANT. Then e becomes the encoding of t. */
SPARSE_P_DETACHED sparse_result sparse_p_drop_values(sparse_tensor *t, const sparse_encoding *e)
{
    sparse_result result = SPARSE_OK;
    SPARSE_FOREACH(c, t)
    if (memcmp(c.value, e->constant, e->value_size) != 0) {
        result = SPARSE_E_CONSTANT;
        break;
    }
    const size_t entries = t->val.length;
    sparse_p_release(t->hooks, &t->val, e->value_size);
    t->val.length = t->val.capacity = entries;
    t->encoding = e;
    if (result) sparse_free(t);
    return result;
}

/* sparse_p_build for a t without a constant value. */
static inline sparse_result sparse_p_build_any(sparse_tensor *t, sparse_p_records *r, sparse_p_policy policy)
{
    const unsigned batch = sparse_p_batch_levels(t->encoding);
    return batch > 0 && batch < t->encoding->levels ? sparse_p_build_batches(t, r, policy)
                                                    : sparse_p_build_plain(t, r, policy);
}

/* sparse_p_build_any for values that must equal a constant. This is checked after duplicates are combined. */
SPARSE_P_DETACHED sparse_result sparse_p_build_constant(sparse_tensor *t, sparse_p_records *r, sparse_p_policy policy)
{
    const sparse_encoding *e = t->encoding, plain = sparse_p_plain(e);
    t->encoding = &plain;
    const sparse_result result = sparse_p_build_any(t, r, policy);
    if (!result) return sparse_p_drop_values(t, e);
    t->encoding = e;
    return result;
}

/* t = the records, in any order. t has its sizes but no arrays. Closes the list of records. */
static inline sparse_result sparse_p_build(sparse_tensor *t, sparse_p_records *r, sparse_p_policy policy)
{
    return t->encoding->constant ? sparse_p_build_constant(t, r, policy) : sparse_p_build_any(t, r, policy);
}

/* Appends an entry of t as a record. */
static inline void sparse_p_append_at(sparse_p_records *r, const sparse_tensor *t, const size_t *dim, const void *value)
{
    size_t lvl[SPARSE_MAX_LEVELS];
    sparse_p_to_lvl(t->encoding, t->dim, dim, lvl);
    sparse_p_add_record(r, lvl, value);
}

/* True if every level of e stores a whole dimension. */
static inline bool sparse_p_maps_plainly(const sparse_encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].map != SPARSE_MAP_DIM) return false;
    return true;
}

/* sparse_p_append_share for records whose keys have one word and whose fields are coordinates of whole dimensions. */
SPARSE_P_OUTLINE bool sparse_p_append_words(const sparse_tensor *t, const sparse_p_records *r, const size_t *coordinates,
                                            const char *values, size_t first, size_t end)
{
    const unsigned rank = t->encoding->rank;
    const size_t size = t->encoding->value_size;
    size_t dim[SPARSE_MAX_RANK];
    unsigned from[SPARSE_MAX_RANK], shift[SPARSE_MAX_RANK];
    bool outside = false;
    if (first == end) return true; /* without entries, the arrays may be null */
    uint64_t *record = sparse_p_record(r, first);
    for (unsigned l = 0; l < rank; l++) {
        from[l] = t->encoding->level[l].dim;
        dim[l] = t->dim[from[l]];
        shift[l] = r->field[l].shift;
    }
    for (size_t k = first; k < end; k++, record += 2) {
        const size_t *const i = coordinates + k * rank;
        record[0] = record[1] = 0;
        for (unsigned l = 0; l < rank; l++) {
            outside |= i[from[l]] >= dim[l];
            record[0] |= (uint64_t)i[from[l]] << shift[l];
        }
        sparse_p_put_entry_value(record + 1, values + k * size, size);
    }
    return !outside;
}

/* Writes entries [first, end) to records [first, end) of a list that has room for all. Returns false if a coordinate is
   outside of the tensor. */
static inline bool sparse_p_append_share(const sparse_tensor *t, const sparse_p_records *r, const size_t *coordinates,
                                         const void *values, size_t first, size_t end)
{
    const sparse_encoding *const e = t->encoding;
    size_t lvl[SPARSE_MAX_LEVELS] = {0};
    if (r->words == 1 && sparse_p_maps_plainly(e))
        return sparse_p_append_words(t, r, coordinates, (const char *)values, first, end);
    for (size_t k = first; k < end; k++) {
        const size_t *const i = coordinates + k * e->rank;
        for (unsigned d = 0; d < e->rank; d++)
            if (i[d] >= t->dim[d]) return false;
        sparse_p_to_lvl(e, t->dim, i, lvl);
        sparse_p_set_record(r, k, lvl, (const char *)values + k * e->value_size);
    }
    return true;
}

    #ifndef SPARSE_P_ROW_LOOPS
        #define SPARSE_P_ROW_LOOPS (!SPARSE_FREESTANDING && SIZE_MAX >= UINT32_MAX)
    #endif
    #if SPARSE_P_ROW_LOOPS
SPARSE_P_OUTLINE sparse_result sparse_p_pack_in_rows(sparse_tensor *t, size_t count, const size_t *coordinates,
                                                     const void *values, sparse_p_policy policy, bool *known);
    #endif

/* sparse_pack_untyped with a policy. */
static inline sparse_result sparse_p_pack(sparse_tensor *t, const size_t *dim, size_t count, const size_t *coordinates,
                                          const void *values, sparse_p_policy policy)
{
    sparse_p_records r;
    sparse_result result = SPARSE_OK;
    if (count > 0 && (!coordinates || !values)) {
        sparse_free(t);
        return SPARSE_E_NULL;
    }
    if (sparse_p_owns(t, coordinates) || sparse_p_owns(t, values)) return SPARSE_E_ALIAS;
    #if SPARSE_P_ROW_LOOPS
    bool in_rows = false;
    result = sparse_p_renew(t, dim);
    if (!result) result = sparse_p_pack_in_rows(t, count, coordinates, values, policy, &in_rows);
    if (result) sparse_free(t);
    if (result || in_rows) return result;
    #endif
    result = sparse_p_start(t, dim, count, &r);
    if (result) return result;
    const int team = sparse_p_team(count);
    bool outside[SPARSE_P_TEAM];
    SPARSE_P_IN_SHARES(s, first, end, count, outside[s] = !sparse_p_append_share(t, &r, coordinates, values, first, end));
    for (int s = 0; s < team; s++)
        if (outside[s]) {
            sparse_p_records_close(&r);
            sparse_free(t);
            return SPARSE_E_COORDINATE;
        }
    r.buffer.length = count;
    return sparse_p_build(t, &r, policy);
}

SPARSE_API sparse_result sparse_pack_untyped(sparse_tensor *t, const size_t *dim, size_t count, const size_t *coordinates,
                                             const void *values, sparse_duplicates how)
{
    const sparse_result result = t ? sparse_encoding_check(t->encoding) : SPARSE_E_NULL;
    if (result) return result;
    if ((unsigned)how > SPARSE_DUPLICATES_KEEP) return SPARSE_E_ARGUMENT;
    return sparse_p_pack(t, dim, count, coordinates, values, sparse_p_policy_of(t->encoding, how));
}

SPARSE_API sparse_result sparse_pack_with_untyped(sparse_tensor *t, const size_t *dim, size_t count,
                                                  const size_t *coordinates, const void *values, sparse_combine *combine,
                                                  void *context)
{
    sparse_p_policy policy = {combine, context, false, SPARSE_E_DUPLICATE};
    if (!t || !combine) return SPARSE_E_NULL;
    return sparse_p_pack(t, dim, count, coordinates, values, policy);
}

/* *volume = the product of the sizes: 0 if one of them is 0, however large the others are. */
static inline sparse_result sparse_p_volume(unsigned rank, const size_t *dim, size_t *volume)
{
    *volume = 0;
    for (unsigned d = 0; d < rank; d++)
        if (dim[d] == 0) return SPARSE_OK;
    *volume = 1;
    for (unsigned d = 0; d < rank; d++)
        if (!sparse_p_mul(volume, *volume, dim[d])) return SPARSE_E_OVERFLOW;
    return SPARSE_OK;
}

/* SPARSE_OK if t can be read: it has an encoding and arrays, and its level sizes follow from its dimensions. A program
   that fills in a sparse_tensor itself may violate this. */
static inline sparse_result sparse_p_check_source(const sparse_tensor *t)
{
    if (!t) return SPARSE_E_NULL;
    if (!t->encoding) return SPARSE_E_NO_ENCODING;
    if (sparse_p_is_empty(t)) return SPARSE_E_EMPTY;
    return sparse_p_level_of_another_size(t) < t->encoding->levels ? SPARSE_E_SHAPE : SPARSE_OK;
}

SPARSE_API sparse_result sparse_pack_dense_untyped(sparse_tensor *t, const size_t *dim, const void *values)
{
    sparse_p_records r;
    size_t volume, count = 0, i[SPARSE_MAX_RANK] = {0};
    if (!t || !dim) return SPARSE_E_NULL;
    sparse_result result = sparse_encoding_check(t->encoding);
    if (!result && sparse_p_owns(t, values)) result = SPARSE_E_ALIAS;
    if (result) return result;
    const sparse_encoding *e = t->encoding;
    const char *value = (const char *)values;
    result = sparse_p_volume(e->rank, dim, &volume);
    if (!result && !values && volume > 0) result = SPARSE_E_NULL;
    for (size_t k = 0; !result && k < volume; k++) count += !sparse_p_is_fill(e, value + k * e->value_size);
    if (!result) result = sparse_p_start(t, dim, count, &r);
    if (result) {
        sparse_free(t);
        return result;
    }
    for (size_t k = 0; k < volume; k++) {
        if (!sparse_p_is_fill(e, value + k * e->value_size)) sparse_p_append_at(&r, t, i, value + k * e->value_size);
        for (unsigned d = e->rank; d-- > 0 && ++i[d] == t->dim[d];) i[d] = 0;
    }
    return sparse_p_build(t, &r, sparse_p_policy_of(e, SPARSE_DUPLICATES_ERROR));
}

SPARSE_API sparse_result sparse_unpack_untyped(const sparse_tensor *t, size_t *coordinates, void *values, size_t *count)
{
    sparse_result result = count ? sparse_p_check_source(t) : SPARSE_E_NULL;
    if (result) return result;
    const size_t rank = t->encoding->rank, size = t->encoding->value_size;
    *count = 0;
    SPARSE_FOREACH(c, t)
    {
        if (coordinates) memcpy(coordinates + *count * rank, c.dim, rank * sizeof *c.dim);
        if (values) sparse_p_move((char *)values + *count * size, c.value, size);
        ++*count;
    }
    return SPARSE_OK;
}

/* The number of values that are not the fill value. */
SPARSE_P_OUTLINE size_t sparse_p_count_present(sparse_p_absence a, const char *value, size_t values, size_t size)
{
    size_t count = 0;
    if (size == 8)
        for (size_t p = 0; p < values; p++) count += sparse_p_is_present(a, sparse_p_bits_at(value + 8 * p, 8));
    else
        for (size_t p = 0; p < values; p++) count += sparse_p_is_present(a, sparse_p_bits_at(value + size * p, size));
    return count;
}

/* An upper bound for the number of entries that a conversion of t moves. If the last level pads, the values that are not
   the fill value; in a bitmap, the set bits. */
static inline size_t sparse_p_moving(const sparse_tensor *t)
{
    const sparse_encoding *e = t->encoding;
    const unsigned last = e->levels - 1u, bits = sparse_crd_bits(e);
    size_t count = 0;
    if (sparse_p_pads(e) && e->value_size <= sizeof(uint64_t) && !e->constant)
        count = sparse_p_count_present(sparse_p_absence_of(e), (const char *)t->val.at, t->val.length, e->value_size);
    else if (sparse_p_pads(e))
        for (size_t p = 0; p < t->val.length; p++) count += !sparse_p_is_fill(e, sparse_p_value_at(t, p));
    else if (sparse_p_traits(e->level[last].type) & SPARSE_TRAIT_BITS)
        for (size_t k = 0; k < t->crd[last].length; k++)
            for (uint64_t word = sparse_p_load(t->crd[last].at, bits, k); word != 0; word &= word - 1) count++;
    else
        count = t->val.length;
    return count;
}

/* Copies the values of `source` at from[k] to positions to[k] of t. */
SPARSE_P_INLINE void sparse_p_move_values_of(char *to_val, const size_t *to, const char *from_val, const size_t *from,
                                             size_t count, size_t size)
{
    for (size_t k = 0; k < count; k++) sparse_p_move(to_val + to[k] * size, from_val + from[k] * size, size);
}
SPARSE_P_OUTLINE void sparse_p_move_values(sparse_tensor *t, const size_t *to, const sparse_tensor *source,
                                           const size_t *from, size_t count)
{
    const size_t size = t->encoding->value_size;
    if (size == 8)
        sparse_p_move_values_of((char *)t->val.at, to, (const char *)source->val.at, from, count, 8);
    else
        sparse_p_move_values_of((char *)t->val.at, to, (const char *)source->val.at, from, count, size);
}

/* Copies the values of t at at[k] to to[k]. */
SPARSE_P_OUTLINE void sparse_p_gather_values(char *to, const sparse_tensor *t, const size_t *at, size_t count)
{
    const char *const val = (const char *)t->val.at;
    const size_t size = t->encoding->value_size;
    if (size == 8)
        for (size_t k = 0; k < count; k++) sparse_p_move(to + k * 8, val + at[k] * 8, 8);
    else
        for (size_t k = 0; k < count; k++) sparse_p_move(to + k * size, val + at[k] * size, size);
}

/* to[i * step] = from[i * stride] for i < count, for unsigned integers of the given widths. */
SPARSE_P_INLINE void sparse_p_copy_column(void *to, unsigned to_bits, size_t step, const void *from, unsigned bits,
                                          size_t stride, size_t count)
{
    for (size_t i = 0; i < count; i++) sparse_store(to, to_bits, i * step, (size_t)sparse_p_load(from, bits, i * stride));
}

/* sparse_p_copy_column for strides of 1. gcc -O2 vectorises only loops of known length. */
SPARSE_P_INLINE void sparse_p_copy_neighbours(void *to, unsigned to_bits, const void *from, unsigned bits, size_t count)
{
    size_t i = 0;
    for (; count - i >= 8; i += 8)
        for (size_t k = 0; k < 8; k++) sparse_store(to, to_bits, i + k, (size_t)sparse_p_load(from, bits, i + k));
    for (; i < count; i++) sparse_store(to, to_bits, i, (size_t)sparse_p_load(from, bits, i));
}

/* sparse_p_copy_column, with separate loops for strides of 1 and for common widths. */
SPARSE_P_INLINE void sparse_p_copy_spaced(void *to, unsigned to_bits, size_t step, const void *from, unsigned bits,
                                          size_t stride, size_t count)
{
    if (step == 1 && stride == 1)
        sparse_p_copy_neighbours(to, to_bits, from, bits, count);
    else
        sparse_p_copy_column(to, to_bits, step, from, bits, stride, count);
}
SPARSE_P_OUTLINE void sparse_p_copy_share(void *to, unsigned to_bits, size_t step, const void *from, unsigned bits,
                                          size_t stride, size_t count)
{
    if (to_bits == bits && step == 1 && stride == 1) {
        if (count > 0) memcpy(to, from, count * (bits / 8));
    } else if (to_bits == 64 && bits == 32)
        sparse_p_copy_spaced(to, 64, step, from, 32, stride, count);
    else if (to_bits == 32 && bits == 64)
        sparse_p_copy_spaced(to, 32, step, from, 64, stride, count);
    else if (to_bits == 32 && bits == 32)
        sparse_p_copy_column(to, 32, step, from, 32, stride, count);
    else
        sparse_p_copy_column(to, to_bits, step, from, bits, stride, count);
}

/* >>streams
   Reads the entries of a tensor in storage order, a chunk at a time, with their coordinates.

   A chunk is a range of positions of the last level. Each level turns positions into coordinates and into the positions of
   their parents, which the level above processes next. Dense levels at the end, the tail, need no such work: the
   coordinates within a block are the same in every chunk. In BSR with 2 x 2 blocks, the tail is the two levels within a
   block, with 4 positions below each position of the columns.

   Three kinds of tensors are read entry by entry with a cursor instead: tensors with a level whose positions do not
   determine their parents, tensors with batches, whose arrays are separate, and tensors with a bitmap above other levels.
   Padding zeros of blocks are skipped. */

typedef size_t sparse_p_chunk_numbers[SPARSE_P_CHUNK];

/* The dense levels at the end. With `each` positions below one position above them, position q of the last level is
   number q % each below position q / each. Coordinate d of the r-th position of a chunk is base[d * heads + head[r]] +
   add[d][r]. */
typedef struct sparse_p_stream_tail {
    unsigned first;               /* the first of these levels; the number of levels if there are none */
    size_t each;                  /* the number of their positions below one position above them */
    size_t heads;                 /* the most positions above them that a chunk reaches */
    size_t *base;                 /* the contribution of the levels above to coordinates, for each of these positions */
    sparse_p_chunk_numbers *add;  /* the contribution of the tail */
    uint8_t head[SPARSE_P_CHUNK]; /* the number, among these positions, of the one above each entry */
} sparse_p_stream_tail;

/* How chunks are taken from the levels. */
typedef struct sparse_p_stream_walk {
    unsigned run;     /* the first level that shares its positions with the values, or with the last level above the tail */
    bool by_position; /* positions determine their parents; otherwise a cursor visits the entries */
    bool across;      /* chunks go across the positions above a long tail, to the same coordinates below each */
    bool gapless;     /* true if level `run` has an array of coordinates, and a chunk has consecutive positions there */
} sparse_p_stream_walk;

typedef struct sparse_p_stream {
    const sparse_tensor *t;
    const sparse_hooks *hooks;
    sparse_buffer room;          /* the memory of dim, tail.base and tail.add */
    sparse_p_chunk_numbers *dim; /* the chunk: dim[d][k] is coordinate d of entry k, */
    sparse_p_chunk_numbers at;   /* at[k] is the position of its value, */
    size_t count;                /* the number of its entries */
    size_t next;                 /* the first position that is in no chunk yet */
    size_t parent[SPARSE_MAX_LEVELS];
    sparse_cursor cursor;
    unsigned wanted; /* a bit for each dimension whose coordinates are needed */
    unsigned cut;    /* a bit for each dimension in which positions may lie outside: in blocks and on diagonals */
    sparse_p_stream_walk walk;
    sparse_p_stream_tail tail;
} sparse_p_stream;

/* The contribution of the levels above the tail to dimension d, for each of their positions. */
SPARSE_P_INLINE size_t *sparse_p_base(const sparse_p_stream *s, unsigned d) { return s->tail.base + d * s->tail.heads; }

/* Returns to the first entry. `wanted` has a bit for each dimension whose coordinates will be needed. */
static inline void sparse_p_rewind(sparse_p_stream *s, unsigned wanted)
{
    s->wanted = wanted | s->cut;
    for (unsigned l = 0; l < s->t->encoding->levels; l++) /* a difference also needs the other dimension */
        if (s->t->encoding->level[l].map == SPARSE_MAP_MINUS) s->wanted = ~0u;
    s->count = s->next = 0;
    memset(s->parent, 0, sizeof s->parent);
    if (!s->walk.by_position) s->cursor = sparse_begin(s->t);
}

/* Finds the tail. It has several levels only if a chunk can hold all of their positions below one position. */
SPARSE_P_COLD void sparse_p_find_tail(sparse_p_stream *s)
{
    const sparse_encoding *const e = s->t->encoding;
    const size_t most = SPARSE_P_CHUNK;
    s->tail.first = e->levels;
    for (s->tail.each = 1; s->tail.first > 0 && sparse_p_is_dense_level(&e->level[s->tail.first - 1]); s->tail.first--) {
        const size_t size = sparse_p_max(s->t->lvl[s->tail.first - 1], 1); /* if the size is 0, there are no entries */
        if (s->tail.first < e->levels && s->tail.each > most / size) break;
        s->tail.each *= size;
    }
    s->tail.heads = sparse_p_max(most / s->tail.each, 1);
}

/* add[d][r] = the contribution of the tail to dimension d; head[r] = the position above the tail. */
SPARSE_P_OUTLINE void sparse_p_fill_tail(sparse_p_stream *s)
{
    const sparse_encoding *const e = s->t->encoding;
    const size_t most = SPARSE_P_CHUNK, count = sparse_p_min(s->t->val.length, most);
    size_t below = 1;
    memset(s->tail.add, 0, e->rank * sizeof *s->tail.add);
    for (unsigned l = e->levels; l-- > s->tail.first; below *= s->t->lvl[l]) {
        const sparse_level *const v = &e->level[l];
        const size_t step = v->map == SPARSE_MAP_FLOORDIV ? (size_t)v->c : (size_t)(v->map != SPARSE_MAP_COUNT);
        for (size_t r = 0, c = 0, left = below; r < count; r++) {
            s->tail.add[v->dim][r] += c * step;
            if (--left > 0) continue;
            left = below;
            c = c + 1 < s->t->lvl[l] ? c + 1 : 0;
        }
    }
    for (unsigned l = 0; l < e->levels; l++)
        for (size_t r = 0; e->level[l].map == SPARSE_MAP_MINUS && r < count; r++)
            s->tail.add[e->level[l].dim][r] += s->tail.add[e->level[l + 1].dim][r];
    for (size_t r = 0, head = 0, left = s->tail.each; r < count; r++) {
        s->tail.head[r] = (uint8_t)head;
        if (--left > 0) continue;
        left = s->tail.each;
        head++;
    }
}

/* Opens a stream at the first entry of t, which must be valid. Memory comes from the hooks. Close the stream even after
   an error. */
SPARSE_P_COLD sparse_result sparse_p_open_stream(sparse_p_stream *s, const sparse_tensor *t, const sparse_hooks *hooks)
{
    const sparse_encoding *const e = t->encoding;
    s->t = t;
    s->hooks = hooks;
    memset(&s->room, 0, sizeof s->room);
    s->walk.by_position = true;
    s->walk.across = false;
    s->cut = 0;
    sparse_p_find_tail(s);
    const bool tail = s->tail.first < e->levels;
    s->walk.run = !tail               ? sparse_p_last_run(e)
                  : s->tail.first > 0 ? s->tail.first - 1
                                      : 0; /* singletons are the last levels, so no such run is above a tail */
    s->walk.gapless = sparse_p_traits(e->level[s->walk.run].type) & SPARSE_TRAIT_CRD &&
                      (tail || !(sparse_p_traits(e->level[e->levels - 1].type) & SPARSE_TRAIT_PADS));
    for (unsigned l = 0; l < e->levels; l++) {
        const sparse_level_iterator i = sparse_level_open(e, t, l);
        const bool gaps = i.traits & SPARSE_TRAIT_BITS && l + 1u < e->levels; /* a bitmap with levels below it */
        s->walk.by_position = sparse_p_parents_verb(&i, s->at, s->at, 0, &s->parent[l]) && s->walk.by_position && !gaps;
        if (e->level[l].map == SPARSE_MAP_MINUS ||
            (e->level[l].map == SPARSE_MAP_MOD && t->dim[e->level[l].dim] % e->level[l].c != 0))
            s->cut |= 1u << e->level[l].dim;
    }
    sparse_p_rewind(s, ~0u);
    const size_t each = SPARSE_P_CHUNK, numbers = tail ? e->rank * (2 * each + s->tail.heads) : e->rank * each;
    const sparse_result result = sparse_p_allocate(hooks, &s->room, numbers, sizeof(size_t));
    s->dim = (sparse_p_chunk_numbers *)s->room.at;
    s->tail.base = (size_t *)s->room.at;
    if (tail && !result) {
        s->tail.add = s->dim + e->rank;
        s->tail.base += 2u * e->rank * each;
        sparse_p_fill_tail(s);
    }
    return result;
}

static inline void sparse_p_close_stream(sparse_p_stream *s) { sparse_p_release(s->hooks, &s->room, sizeof(size_t)); }

/* Lists in `at` the positions of [first, end) with a value other than the fill value, or with a set bit. Returns their
   number. */
SPARSE_P_INLINE size_t sparse_p_list_present(size_t *at, const char *value, size_t size, sparse_p_absence a, size_t first,
                                             size_t end)
{
    size_t n = 0;
    for (size_t p = first; p < end; p++) { /* the next position overwrites it if it is not present */
        at[n] = p;
        n += sparse_p_is_present(a, sparse_p_bits_at(value + p * size, size));
    }
    return n;
}
SPARSE_P_OUTLINE size_t sparse_p_list_positions(const sparse_tensor *t, size_t *at, size_t first, size_t end)
{
    const sparse_encoding *const e = t->encoding;
    const unsigned last = e->levels - 1u;
    const char *const value = (const char *)t->val.at;
    size_t n = 0;
    if (sparse_p_traits(e->level[last].type) & SPARSE_TRAIT_BITS) {
        const unsigned bits = sparse_crd_bits(e);
        for (size_t stop; first < end; first = stop) { /* a word at a time */
            uint64_t word = sparse_p_load(t->crd[last].at, bits, first / bits) >> first % bits;
            stop = sparse_p_min(first - first % bits + bits, end);
            if (stop - first < 64) word &= sparse_p_largest((unsigned)(stop - first));
            for (; word != 0; word &= word - 1) at[n++] = first + sparse_p_first_bit(word);
        }
    } else if (!sparse_p_pads(e)) {
        for (n = end - first; first < end; first++) at[n - (end - first)] = first;
    } else if (e->value_size == 8) {
        n = sparse_p_list_present(at, value, 8, sparse_p_absence_of(e), first, end);
    } else if (e->value_size < 8) {
        n = sparse_p_list_present(at, value, e->value_size, sparse_p_absence_of(e), first, end);
    } else {
        for (; first < end; first++)
            if (!sparse_p_is_fill(e, value + first * e->value_size)) at[n++] = first;
    }
    return n;
}

/* base = the coordinates of the `count` positions in `at`, from the last level above the tail up to the first wanted
   level. A FLOORDIV level adds to the offset that the level below has stored. A level with a difference first waits for
   the other coordinate. */
static inline void sparse_p_find_coordinates(sparse_p_stream *s, size_t *at, size_t count)
{
    const sparse_encoding *const e = s->t->encoding;
    const unsigned end = s->tail.first < e->levels ? s->tail.first : e->levels - 1u;
    const size_t first = at[0];
    size_t aside[SPARSE_P_CHUNK];
    unsigned top = 0;
    while (top < end && !(s->wanted >> e->level[top].dim & 1)) top++;
    for (unsigned l = s->tail.first; l-- > top;) {
        const sparse_level *const v = &e->level[l];
        const sparse_level_iterator i = sparse_level_open(e, s->t, l);
        const bool block = v->map == SPARSE_MAP_FLOORDIV, copied = s->walk.gapless && l >= s->walk.run;
        size_t *const dim = sparse_p_base(s, v->dim), *const to = block || v->map == SPARSE_MAP_COUNT ? aside : dim;
        if (copied && s->wanted >> v->dim & 1)
            sparse_p_copy_share(to, 8 * sizeof *to, 1, (const char *)i.crd + first * i.stride * (i.crd_bits / 8u),
                                i.crd_bits, i.stride, count);
        if (l > 0 && (l > top || !copied))
            sparse_p_parents_verb(&i, at, copied ? NULL : to, count, &s->parent[l]);
        else if (i.traits & SPARSE_TRAIT_LINEAR)
            memcpy(to, at, count * sizeof *to);
        else if (!copied)
            sparse_p_load_coordinates(&i, at, to, count);
        for (size_t k = 0; block && k < count; k++) dim[k] += aside[k] * (size_t)v->c;
    }
    for (unsigned l = top; l < e->levels; l++) {
        const size_t *const other = sparse_p_base(s, e->level[l].map == SPARSE_MAP_MINUS ? e->level[l + 1].dim : 0);
        size_t *const dim = sparse_p_base(s, e->level[l].dim);
        for (size_t k = 0; e->level[l].map == SPARSE_MAP_MINUS && k < count; k++)
            /* a negative coordinate wraps around to one above all sizes */
            dim[k] -= s->t->dim[e->level[l + 1].dim] - 1 - other[k];
    }
}

/* Computes the coordinates of the chunk in dimensions x and y from those of the positions above the tail. */
SPARSE_P_INLINE void sparse_p_add_tail(sparse_p_stream *s, unsigned x, unsigned y, size_t first)
{
    const size_t *const base_x = sparse_p_base(s, x), *const base_y = sparse_p_base(s, y);
    const size_t *const add_x = s->tail.add[x], *const add_y = s->tail.add[y];
    size_t *const dim_x = s->dim[x], *const dim_y = s->dim[y];
    for (size_t k = 0; k < s->count; k++) {
        const size_t r = s->at[k] - first, head = s->tail.head[r];
        dim_x[k] = base_x[head] + add_x[r];
        dim_y[k] = base_y[head] + add_y[r];
    }
}

/* The coordinates of the chunk, whose positions are [first, end). */
SPARSE_P_OUTLINE void sparse_p_find_tail_coordinates(sparse_p_stream *s, size_t first, size_t end)
{
    const sparse_encoding *const e = s->t->encoding;
    const size_t above = first / s->tail.each, within = first % s->tail.each, count = (end - 1) / s->tail.each - above + 1;
    size_t at[SPARSE_P_CHUNK];
    for (size_t k = 0; k < count; k++) at[k] = above + k;
    memset(s->tail.base, 0, e->rank * s->tail.heads * sizeof *s->tail.base);
    sparse_p_find_coordinates(s, at, count);
    for (unsigned d = 0; within > 0 && d < e->rank; d++) /* the chunk is within a level that is longer */
        *sparse_p_base(s, d) += within * s->tail.add[d][1];
    for (unsigned d = 0; d < e->rank; d += 2) /* two at a time */
        if (s->wanted >> d & 3) sparse_p_add_tail(s, d, d + 1 < e->rank ? d + 1 : d, first);
}

/* Drops the entries outside of the dimensions. */
static inline void sparse_p_cut_chunk(sparse_p_stream *s)
{
    const unsigned rank = s->t->encoding->rank;
    size_t n = 0;
    bool all_inside = true;
    for (unsigned d = 0; d < rank; d++)
        for (size_t k = 0; s->cut >> d & 1 && k < s->count; k++) all_inside &= s->dim[d][k] < s->t->dim[d];
    if (all_inside) return;
    for (size_t k = 0; k < s->count; k++) {
        bool inside = true;
        for (unsigned d = 0; d < rank; d++) inside &= s->dim[d][k] < s->t->dim[d] || !(s->cut >> d & 1);
        s->at[n] = s->at[k];
        for (unsigned d = 0; d < rank; d++) s->dim[d][n] = s->dim[d][k];
        n += inside;
    }
    s->count = n;
}

/* Reads the next chunk with the cursor. */
static inline void sparse_p_follow_cursor(sparse_p_stream *s)
{
    const sparse_encoding *const e = s->t->encoding;
    const bool pads = sparse_p_pads(e);
    for (s->count = 0; s->count < SPARSE_P_CHUNK && sparse_valid(&s->cursor); sparse_next(&s->cursor)) {
        if (pads && sparse_p_is_fill(e, s->cursor.value)) continue;
        for (unsigned d = 0; d < e->rank; d++) s->dim[d][s->count] = s->cursor.dim[d];
        s->at[s->count++] = s->cursor.position;
    }
}

/* The beginning of the next chunk: the same tail coordinates below the next positions, or, at the end, the next tail
   coordinates. */
static inline size_t sparse_p_step_across(sparse_p_stream *s)
{
    const size_t values = s->t->val.length, room = SPARSE_P_CHUNK, within = s->next % s->tail.each;
    if (s->tail.each < values - s->next) return s->next + s->tail.each;
    memset(s->parent, 0, sizeof s->parent);
    return s->tail.each - within > room ? within + room : values;
}

/* Moves to the next chunk; returns false if there is none. */
SPARSE_P_OUTLINE bool sparse_p_next_chunk(sparse_p_stream *s)
{
    const bool tail = s->tail.first < s->t->encoding->levels;
    const size_t values = s->t->val.length, room = SPARSE_P_CHUNK;
    s->count = 0;
    if (!s->walk.by_position) sparse_p_follow_cursor(s);
    while (s->walk.by_position && s->count == 0 && s->next < values) {
        const size_t within = s->next % s->tail.each,
                     most = s->tail.each > room ? s->tail.each - within : room - room % s->tail.each;
        const size_t first = s->next, end = first + sparse_p_min(values - first, sparse_p_min(most, room));
        s->count = sparse_p_list_positions(s->t, s->at, first, end);
        if (s->count > 0 && tail)
            sparse_p_find_tail_coordinates(s, first, end);
        else if (s->count > 0) {
            size_t at[SPARSE_P_CHUNK];
            memcpy(at, s->at, s->count * sizeof *at);
            sparse_p_find_coordinates(s, at, s->count);
        }
        s->next = s->walk.across ? sparse_p_step_across(s) : end; /* may return to the first parents */
        if (s->cut) sparse_p_cut_chunk(s);
    }
    return s->count > 0;
}

/* to[k] = from[k] / c, or, if `rest`, from[k] % c. Block sizes are usually powers of two. */
SPARSE_P_OUTLINE void sparse_p_map_to_blocks(size_t *to, const size_t *from, size_t c, size_t count, bool rest)
{
    const unsigned shift = sparse_p_width(c) - 1;
    const bool power = (c & (c - 1)) == 0;
    if (power && rest)
        for (size_t k = 0; k < count; k++) to[k] = from[k] & (c - 1);
    else if (power)
        for (size_t k = 0; k < count; k++) to[k] = from[k] >> shift;
    else if (rest)
        for (size_t k = 0; k < count; k++) to[k] = from[k] % c;
    else
        for (size_t k = 0; k < count; k++) to[k] = from[k] / c;
}

/* The coordinates of the chunk's entries in level l of t, a tensor of the same sizes: an existing array, or `room` filled
   with them. For a level that counts entries, all are 0. */
SPARSE_P_OUTLINE const size_t *sparse_p_chunk_in_level(const sparse_p_stream *s, const sparse_tensor *t, unsigned l,
                                                       size_t *room)
{
    const sparse_level *const v = &t->encoding->level[l];
    const size_t *const dim = s->dim[v->dim];
    switch (v->map) {
    case SPARSE_MAP_DIM:
        return dim;
    case SPARSE_MAP_COUNT:
        memset(room, 0, s->count * sizeof *room);
        break;
    case SPARSE_MAP_MINUS:
        for (size_t k = 0; k < s->count; k++) room[k] = dim[k] + (t->dim[v[1].dim] - 1 - s->dim[v[1].dim][k]);
        break;
    default:
        sparse_p_map_to_blocks(room, dim, (size_t)v->c, s->count, v->map == SPARSE_MAP_MOD);
        break;
    }
    return room;
}

/* Sets word w of records of `words` words to the keys, and their values, of `size` bytes. */
SPARSE_P_INLINE void sparse_p_put_records(uint64_t *record, const uint64_t *key, const char *val, const size_t *at,
                                          size_t count, size_t size, size_t words, size_t w)
{
    for (size_t k = 0; k < count; k++, record += words) {
        record[w] = key[k];
        sparse_p_put_entry_value(record + words - 1, val + at[k] * size, size);
    }
}

/* Appends the entries of the chunk as records of t; there must be room. */
SPARSE_P_OUTLINE void sparse_p_append_records(sparse_p_records *r, const sparse_p_stream *s, const sparse_tensor *t)
{
    uint64_t key[SPARSE_P_CHUNK];
    size_t room[SPARSE_P_CHUNK];
    const char *const val = (const char *)s->t->val.at;
    uint64_t *const record = sparse_p_record(r, r->buffer.length);
    for (unsigned w = 0; w < r->words; w++) {
        memset(key, 0, s->count * sizeof *key);
        for (unsigned l = 0; l < r->fields; l++) {
            if (r->field[l].word != w) continue;
            const size_t *const x = sparse_p_chunk_in_level(s, t, l, room);
            for (size_t k = 0; k < s->count; k++) key[k] |= (uint64_t)x[k] << r->field[l].shift;
        }
        if (r->words == 1 && r->size == 8)
            sparse_p_put_records(record, key, val, s->at, s->count, 8, 2, 0);
        else
            sparse_p_put_records(record, key, val, s->at, s->count, r->size, r->words + 1, w);
    }
    r->buffer.length += s->count;
}

/* Sets counters to zero. A separate function, because in functions optimised for size compilers write zeros one by one. */
SPARSE_P_OUTLINE void sparse_p_clear_counts(uint32_t *at, size_t count)
{
    if (count > 0) memset(at, 0, count * sizeof *at);
}

/* The policy of a conversion to e: keeps several entries at the same coordinates if e can store them, else adds them. */
static inline sparse_p_policy sparse_p_convert_policy(const sparse_encoding *e)
{
    const sparse_p_policy keep = sparse_p_policy_of(e, SPARSE_DUPLICATES_KEEP);
    return keep.keep ? keep : sparse_p_policy_of(e, SPARSE_DUPLICATES_SUM);
}

    /* >>rows
       Conversions among matrices stored by rows or columns (CSR, DCSR and COO) of any widths, and from these to BSR.
       Entries are counted, the counts are summed, and each entry is written to its final position (Chou et al. 2020,
       section 3). This is faster than the other routes of >>conversion, because arrays that do not change are copied, and
       entries that move far are first gathered in parcels. All of it runs on several threads. Small controllers do
       without. */
    #if !SPARSE_FREESTANDING

/* A matrix stored by rows. Rows are the coordinates of level 0; level 1 stores the entries of each. */
typedef struct sparse_p_row_view {
    const sparse_tensor *t;
    const sparse_hooks *hooks; /* hooks for memory, those of the destination */
    size_t rows, entries;
    sparse_buffer end; /* uint32_t: the end of each row, where the next begins; borrowed if a tensor has this array */
    size_t at;         /* the row in which the last chunk ended */
} sparse_p_row_view;

SPARSE_P_INLINE uint32_t *sparse_p_ends(const sparse_p_row_view *m) { return (uint32_t *)m->end.at; }

/* Returns the row of m that contains entry p. */
SPARSE_P_OUTLINE size_t sparse_p_row_of(const sparse_p_row_view *m, size_t p)
{
    return sparse_p_gallop(m->end.at, sizeof(uint32_t), 1, 0, m->end.at ? m->rows : 0, 0, p + 1);
}

/* True for CSR, DCSR and COO, by rows or by columns. */
static inline bool sparse_p_is_rows(const sparse_encoding *e)
{
    const sparse_level *v = e->level;
    const bool nonunique = v[0].properties & SPARSE_NONUNIQUE;
    if (e->rank != 2 || e->levels != 2 || v[0].map != SPARSE_MAP_DIM) return false;
    const bool listed = sparse_p_traits(v[1].type) & SPARSE_TRAIT_SHARED, dense = sparse_p_is_dense_level(&v[0]);
    if (!listed && !sparse_p_is_compressed_level(&v[1])) return false;
    return dense ? !listed : sparse_p_is_compressed_level(&v[0]) && nonunique == listed;
}

/* True if a matrix for which sparse_p_is_rows holds is COO. */
static inline bool sparse_p_is_coo(const sparse_encoding *e)
{
    return sparse_p_traits(e->level[1].type) & SPARSE_TRAIT_SHARED;
}

/* Calls sparse_p_copy_share for shares of the numbers. */
SPARSE_P_OUTLINE void sparse_p_copy_numbers(void *to, unsigned to_bits, size_t step, const void *from, unsigned bits,
                                            size_t stride, size_t count)
{
    const int team = sparse_p_team(count / SPARSE_P_COPIED);
    SPARSE_P_IN_SHARES(s, first, last, count,
                       sparse_p_copy_share((char *)to + first * step * (to_bits / 8), to_bits, step,
                                           (const char *)from + first * stride * (bits / 8), bits, stride, last - first));
}

/* Copies `count` values of `size` bytes, in shares. */
SPARSE_P_OUTLINE void sparse_p_copy_values(void *to, const void *from, size_t count, size_t size)
{
    const int team = sparse_p_team(count / SPARSE_P_COPIED);
    SPARSE_P_IN_SHARES(
        s, first, last, count,
        if (last > first) { memcpy((char *)to + first * size, (const char *)from + first * size, (last - first) * size); });
}

enum { SPARSE_P_SKIPPED = 8 }; /* rows that are tested, or written, together */

/* Sets end[i] = number for the rows from *i up to `next`, and *i to `next`. May overwrite later elements up to `limit`,
   which are set afterwards. */
SPARSE_P_INLINE void sparse_p_put_ends(uint32_t *end, size_t *i, size_t next, size_t limit, uint32_t number)
{
    size_t at = *i;
    for (; at < next && limit - at >= SPARSE_P_SKIPPED; at += SPARSE_P_SKIPPED)
        for (size_t k = 0; k < SPARSE_P_SKIPPED; k++) end[at + k] = number;
    for (; at < next; at++) end[at] = number;
    *i = next;
}

/* Computes the ends of rows for DCSR or, without pos, COO, where every entry stores its row; rows must be in order. A
   share is the elements [first, stop) of all `stored` ones. It sets the ends from the row of the element before it up to
   the row before its last element, or up to the last row of m if it is the last share. */
SPARSE_P_INLINE void sparse_p_end_rows(const sparse_p_row_view *m, const void *row, unsigned bits, size_t stride,
                                       const void *pos, unsigned pos_bits, size_t first, size_t stop, size_t stored)
{
    uint32_t *const end = sparse_p_ends(m);
    const size_t rows = m->rows, limit = stop < stored ? sparse_load(row, bits, (stop - 1) * stride) : rows;
    size_t i = first > 0 ? sparse_load(row, bits, (first - 1) * stride) : 0;
    uint32_t last = (uint32_t)(pos && first > 0 ? sparse_load(pos, pos_bits, first) : first);
    for (size_t k = first; k < stop; k++) {
        const size_t next = sparse_load(row, bits, k * stride);
        if (i < next) sparse_p_put_ends(end, &i, next, limit, last);
        last = (uint32_t)(pos ? sparse_load(pos, pos_bits, k + 1) : k + 1);
    }
    if (stop == stored) sparse_p_put_ends(end, &i, rows, rows, last);
}

/* sparse_p_end_rows for common widths and strides, as separate functions that have the registers for themselves. */
SPARSE_P_OUTLINE void sparse_p_end_common_rows(const sparse_p_row_view *m, const void *row, size_t first, size_t stop,
                                               size_t stored)
{
    sparse_p_end_rows(m, row, 32, 1, NULL, 0, first, stop, stored);
}
SPARSE_P_OUTLINE void sparse_p_end_stored_rows(const sparse_p_row_view *m, const void *row, const void *pos, size_t first,
                                               size_t stop, size_t stored)
{
    sparse_p_end_rows(m, row, 32, 1, pos, 32, first, stop, stored);
}

/* sparse_p_end_rows for any DCSR or COO. */
SPARSE_P_OUTLINE void sparse_p_end_any_rows(const sparse_p_row_view *m, size_t first, size_t stop, size_t stored)
{
    const sparse_encoding *e = m->t->encoding;
    const sparse_p_column row = sparse_p_column_of(m->t, 0);
    const unsigned crd_bits = sparse_crd_bits(e), pos_bits = sparse_pos_bits(e);
    const void *const pos = sparse_p_is_coo(e) ? NULL : m->t->pos[1].at;
    if (crd_bits == 32 && row.stride == 1 && !pos)
        sparse_p_end_common_rows(m, row.at, first, stop, stored);
    else if (crd_bits == 32 && row.stride == 1 && pos_bits == 32)
        sparse_p_end_stored_rows(m, row.at, pos, first, stop, stored);
    else
        sparse_p_end_rows(m, row.at, crd_bits, row.stride, pos, pos_bits, first, stop, stored);
}

/* Allocates the array of row ends of m. If dst stores all rows and its positions have 32 bits, uses the positions of dst. */
SPARSE_P_OUTLINE sparse_result sparse_p_rows_reserve(sparse_p_row_view *m, sparse_tensor *dst)
{
    const sparse_encoding *e = dst->encoding;
    if (sparse_p_has_pos(&e->level[0]) || sparse_pos_bits(e) != 32 || !sparse_p_is_rows(e))
        return sparse_p_allocate(m->hooks, &m->end, m->rows, sizeof(uint32_t));
    sparse_result result = sparse_p_allocate(dst->hooks, &dst->pos[1], m->rows + 1, sizeof(uint32_t));
    if (result) return result;
    sparse_store(dst->pos[1].at, 32, 0, 0);
    m->end.at = (uint32_t *)dst->pos[1].at + 1;
    m->end.length = m->rows;
    return SPARSE_OK;
}

/* m = the row ends of t, whose rows must be in order. If dst is given, its rows have the same ends. */
SPARSE_P_COLD sparse_result sparse_p_rows_open(sparse_p_row_view *m, const sparse_tensor *t, const sparse_hooks *hooks,
                                               sparse_tensor *dst)
{
    const sparse_encoding *e = t->encoding;
    const unsigned pos_bits = sparse_pos_bits(e);
    memset(m, 0, sizeof *m);
    m->t = t;
    m->hooks = hooks;
    m->rows = t->lvl[0];
    m->entries = t->val.length;
    if (!sparse_p_has_pos(&e->level[0]) && pos_bits == 32) {
        m->end.at = (uint32_t *)t->pos[1].at + 1;
        m->end.length = m->rows;
        return SPARSE_OK;
    }
    sparse_result result =
        dst ? sparse_p_rows_reserve(m, dst) : sparse_p_allocate(hooks, &m->end, m->rows, sizeof(uint32_t));
    if (result) return result;
    if (!sparse_p_has_pos(&e->level[0])) {
        sparse_p_copy_numbers(m->end.at, 32, 1, (const char *)t->pos[1].at + pos_bits / 8u, pos_bits, 1, m->rows);
    } else {
        const size_t stored = sparse_p_is_coo(e) ? m->entries : t->crd[0].length;
        const int team = sparse_p_team(stored);
        SPARSE_P_IN_SHARES(s, first, stop, stored, sparse_p_end_any_rows(m, first, stop, stored));
    }
    return SPARSE_OK;
}

static inline void sparse_p_rows_close(sparse_p_row_view *m) { sparse_p_release(m->hooks, &m->end, sizeof(uint32_t)); }

/* Returns the coordinates that level l stores for entries first, first + 1, ..., `count` of them, as numbers of `bits`
   bits: from the array of m if it has them, else in `room`. Chunks must come in order. */
SPARSE_P_OUTLINE const void *sparse_p_rows_chunk(sparse_p_row_view *m, unsigned l, size_t first, size_t count, void *room,
                                                 unsigned bits)
{
    const sparse_encoding *e = m->t->encoding;
    if (l == 0 && !sparse_p_is_coo(e)) {
        const uint32_t *end = sparse_p_ends(m);
        for (size_t i = 0; i < count; m->at += i < count) {
            const size_t stop = sparse_p_min(end[m->at] - first, count);
            for (; i < stop; i++) sparse_store(room, bits, i, m->at);
        }
        return room;
    }
    const sparse_p_column c = sparse_p_column_of(m->t, l);
    const char *at = (const char *)c.at + first * c.stride * (sparse_crd_bits(e) / 8u);
    if (sparse_crd_bits(e) == bits && c.stride == 1) return at;
    sparse_p_copy_share(room, bits, 1, at, sparse_crd_bits(e), c.stride, count);
    return room;
}

/* Allocates the arrays of t for `entries` entries, except those for rows. */
SPARSE_P_COLD sparse_result sparse_p_rows_allocate(sparse_tensor *t, size_t entries)
{
    const sparse_encoding *e = t->encoding;
    const bool aos = sparse_p_is_aos(e, 1);
    size_t length = entries;
    if (aos && !sparse_p_mul(&length, entries, 2)) return SPARSE_E_OVERFLOW;
    sparse_result result = sparse_p_allocate(t->hooks, &t->crd[!aos], length, sparse_crd_bits(e) / 8u);
    return result ? result : sparse_p_allocate(t->hooks, &t->val, entries, e->value_size);
}

/* Writes the positions of CSR, unless they exist already. */
SPARSE_P_COLD sparse_result sparse_p_rows_put_dense(sparse_tensor *t, const sparse_p_row_view *m)
{
    const unsigned bits = sparse_pos_bits(t->encoding);
    if (t->pos[1].length > 0) return SPARSE_OK;
    sparse_result result = sparse_p_allocate(t->hooks, &t->pos[1], m->rows + 1, bits / 8);
    if (result) return result;
    sparse_p_put_number(t->pos[1].at, bits, 0, 0);
    sparse_p_copy_numbers((char *)t->pos[1].at + bits / 8, bits, 1, m->end.at, 32, 1, m->rows);
    return SPARSE_OK;
}

enum {
    SPARSE_P_LISTED = 256, /* rows in a chunk: its nonempty rows are listed first, their ends afterwards */
    SPARSE_P_GAP_SCAN = 64 /* empty rows from which on a gap is scanned by chunks */
};

/* Writes the nonempty rows among rows [first, last) of m, and their ends. Their numbers among all nonempty rows are
   [row, stored). Avoids a branch for each row, which processors predict badly, unless most rows can be skipped
   together. */
SPARSE_P_INLINE void sparse_p_put_rows(const sparse_p_row_view *m, size_t first, size_t last, size_t row, size_t stored,
                                       void *crd, unsigned crd_bits, void *pos, unsigned pos_bits)
{
    const uint32_t *const end = sparse_p_ends(m);
    uint32_t before = first > 0 ? end[first - 1] : 0;
    size_t i = first;
    if (stored - row > (last - first) / SPARSE_P_GAP_SCAN) {
        sparse_store(crd, crd_bits, row, i); /* the first row is special, because the others compare with the one before */
        sparse_store(pos, pos_bits, row + 1, end[i]);
        row += before < end[i++];
        while (last - i >= SPARSE_P_LISTED && stored - row >= SPARSE_P_LISTED) {
            const size_t listed = row;
            for (const size_t stop = i + SPARSE_P_LISTED; i < stop; i += SPARSE_P_SKIPPED)
                for (size_t k = 0; k < SPARSE_P_SKIPPED; k++) {
                    sparse_store(crd, crd_bits, row, i + k); /* the next row overwrites it if this one is empty */
                    row += end[i + k - 1] < end[i + k];
                }
            for (size_t k = listed; k < row; k++) sparse_store(pos, pos_bits, k + 1, end[sparse_load(crd, crd_bits, k)]);
        }
        before = end[i - 1];
    }
    while (row < stored) {
        const size_t stop = last - i < SPARSE_P_SKIPPED ? last : i + SPARSE_P_SKIPPED;
        if (end[stop - 1] == before) i = stop; /* skips these rows, which are all empty */
        for (; i < stop && row < stored; i++) {
            const uint32_t here = end[i];
            sparse_store(crd, crd_bits, row, i); /* the next row overwrites it if this one is empty */
            sparse_store(pos, pos_bits, row + 1, here);
            row += before < here;
            before = here;
        }
    }
}

/* Returns the number of nonempty rows among rows [first, last) of m. */
SPARSE_P_OUTLINE size_t sparse_p_stored_rows(const sparse_p_row_view *m, size_t first, size_t last)
{
    const uint32_t *const end = sparse_p_ends(m);
    size_t stored = first < last && end[first] > (first > 0 ? end[first - 1] : 0);
    for (size_t i = first + 1; i < last; i++) stored += end[i - 1] < end[i];
    return stored;
}

/* Writes the nonempty rows among rows [first, last) to DCSR t. Their numbers among all nonempty rows are [row,
   stored). */
SPARSE_P_OUTLINE void sparse_p_put_any_rows(sparse_tensor *t, const sparse_p_row_view *m, size_t first, size_t last,
                                            size_t row, size_t stored)
{
    const unsigned crd_bits = sparse_crd_bits(t->encoding), pos_bits = sparse_pos_bits(t->encoding);
    void *const crd = t->crd[0].at, *const pos = t->pos[1].at;
    const uint32_t *const end = sparse_p_ends(m);
    if (crd_bits == 32 && pos_bits == 32)
        sparse_p_put_rows(m, first, last, row, stored, crd, 32, pos, 32);
    else
        for (size_t i = first, before = i > 0 ? end[i - 1] : 0; row < stored; before = end[i++]) {
            sparse_store(crd, crd_bits, row, i); /* the next row overwrites it if this one is empty */
            sparse_store(pos, pos_bits, row + 1, end[i]);
            row += before < end[i];
        }
}

/* Writes the row arrays of DCSR: the nonempty rows. */
SPARSE_P_COLD sparse_result sparse_p_rows_put_compressed(sparse_tensor *t, const sparse_p_row_view *m)
{
    const sparse_encoding *e = t->encoding;
    const unsigned crd_bits = sparse_crd_bits(e), pos_bits = sparse_pos_bits(e);
    const size_t rows = m->rows;
    const int team = sparse_p_team(rows);
    size_t start[SPARSE_P_TEAM + 1] = {0};
    SPARSE_P_IN_SHARES(s, first, last, rows, start[s + 1] = sparse_p_stored_rows(m, first, last));
    for (int s = 0; s < team; s++) start[s + 1] += start[s];
    const size_t stored = start[team];
    sparse_result result = sparse_p_allocate(t->hooks, &t->crd[0], stored, crd_bits / 8u);
    if (!result) result = sparse_p_allocate(t->hooks, &t->pos[1], stored + 1, pos_bits / 8u);
    if (result) return result;
    sparse_p_put_number(t->pos[0].at, pos_bits, 1, stored);
    sparse_p_put_number(t->pos[1].at, pos_bits, 0, 0);
    SPARSE_P_IN_SHARES(s, first, last, rows, sparse_p_put_any_rows(t, m, first, last, start[s], start[s + 1]));
    return SPARSE_OK;
}

/* cut[s] = the row with which share s of the entries of m begins. Together, the `team` shares contain all rows. */
static inline void sparse_p_cut_rows(const sparse_p_row_view *m, size_t *cut, int team)
{
    const size_t entries = team > 1 ? sparse_p_ends(m)[m->rows - 1] : 0;
    cut[0] = 0;
    for (int s = 1; s < team; s++) cut[s] = sparse_p_row_of(m, sparse_p_share(0, entries, (size_t)s, (size_t)team));
    cut[team] = m->rows;
}

/* True for contiguous 32-bit coordinates and 8-byte values, which have loops of their own. */
static inline bool sparse_p_is_common(const sparse_encoding *e, size_t stride)
{
    return sparse_p_is_common_crd(e, stride) && e->value_size == 8;
}

/* Writes the row of every entry in rows [first, last) of m. */
SPARSE_P_INLINE void sparse_p_put_row_of_each(const sparse_p_row_view *m, size_t first, size_t last, sparse_p_column row,
                                              unsigned bits)
{
    const uint32_t *const end = sparse_p_ends(m);
    for (size_t i = first, p = i > 0 ? end[i - 1] : 0; i < last; i++)
        for (const size_t stop = end[i]; p < stop; p++) sparse_store(row.at, bits, p * row.stride, i);
}

/* sparse_p_put_row_of_each for common widths, as a separate function that has the registers for itself. */
SPARSE_P_OUTLINE void sparse_p_put_common_row_of_each(const sparse_p_row_view *m, size_t first, size_t last,
                                                      sparse_p_column row)
{
    row.stride = 1;
    sparse_p_put_row_of_each(m, first, last, row, 32);
}

/* sparse_p_put_row_of_each for any COO. */
SPARSE_P_OUTLINE void sparse_p_put_any_row_of_each(const sparse_encoding *e, const sparse_p_row_view *m, size_t first,
                                                   size_t last, sparse_p_column row)
{
    if (sparse_p_is_common_crd(e, row.stride))
        sparse_p_put_common_row_of_each(m, first, last, row);
    else
        sparse_p_put_row_of_each(m, first, last, row, sparse_crd_bits(e));
}

/* Writes the row array of COO: the row of every entry. */
SPARSE_P_COLD sparse_result sparse_p_rows_put_coo(sparse_tensor *t, const sparse_p_row_view *m)
{
    const sparse_encoding *e = t->encoding;
    const bool soa = !sparse_p_is_aos(e, 1);
    sparse_result result = soa ? sparse_p_allocate(t->hooks, &t->crd[0], m->entries, sparse_crd_bits(e) / 8u) : SPARSE_OK;
    if (result) return result;
    const sparse_p_column row = sparse_p_column_of(t, 0);
    sparse_p_put_number(t->pos[0].at, sparse_pos_bits(e), 1, m->entries);
    const int team = sparse_p_team(m->entries);
    size_t cut[SPARSE_P_TEAM + 1];
    sparse_p_cut_rows(m, cut, team);
    SPARSE_P_EACH_SHARE(s, sparse_p_put_any_row_of_each(e, m, cut[s], cut[s + 1], row));
    return SPARSE_OK;
}

/* Writes the row arrays of t. E_POSITION_WIDTH, E_MEMORY. */
SPARSE_P_OUTLINE sparse_result sparse_p_rows_put(sparse_tensor *t, const sparse_p_row_view *m)
{
    const sparse_encoding *e = t->encoding;
    if (m->entries > sparse_p_largest(sparse_pos_bits(e))) return SPARSE_E_POSITION_WIDTH;
    if (!sparse_p_has_pos(&e->level[0])) return sparse_p_rows_put_dense(t, m);
    sparse_result result = sparse_p_allocate(t->hooks, &t->pos[0], 2, sparse_pos_bits(e) / 8u);
    if (result) return result;
    sparse_p_put_number(t->pos[0].at, sparse_pos_bits(e), 0, 0);
    return sparse_p_is_coo(e) ? sparse_p_rows_put_coo(t, m) : sparse_p_rows_put_compressed(t, m);
}

/* dst = src, if rows and entries of src are already in the order of dst. */
SPARSE_P_COLD sparse_result sparse_p_rows_copy(sparse_tensor *dst, const sparse_tensor *src)
{
    sparse_p_row_view m;
    sparse_result result = sparse_p_rows_open(&m, src, dst->hooks, dst);
    if (!result) result = sparse_p_rows_allocate(dst, m.entries);
    if (!result) result = sparse_p_rows_put(dst, &m);
    if (!result) {
        const sparse_p_column to = sparse_p_column_of(dst, 1), from = sparse_p_column_of(src, 1);
        sparse_p_copy_numbers(to.at, sparse_crd_bits(dst->encoding), to.stride, from.at, sparse_crd_bits(src->encoding),
                              from.stride, m.entries);
        sparse_p_copy_values(dst->val.at, src->val.at, m.entries, dst->encoding->value_size);
    }
    sparse_p_rows_close(&m);
    return result;
}

/* True if the coordinates of m and t are contiguous with 32 bits, and t has 32-bit positions. */
static inline bool sparse_p_are_common(const sparse_tensor *t, const sparse_p_row_view *m)
{
    const sparse_encoding *e = m->t->encoding;
    return sparse_p_is_common(e, sparse_p_column_of(m->t, 1).stride) && sparse_p_is_common(t->encoding, 1) &&
           sparse_pos_bits(t->encoding) == 32;
}

enum {
    SPARSE_P_LONG = 1024,                            /* entries in a chunk */
    SPARSE_P_SHORT = 32,                             /* the longest row that is sorted by comparing all pairs, */
    SPARSE_P_RANKED_SIZE = INT_MAX / SPARSE_P_SHORT, /* and the largest size of a row for that */
    SPARSE_P_PREFETCH_AHEAD = 16,                    /* how many entries ahead a destination is prefetched */
    SPARSE_P_CACHED = 32767                          /* entries up to which all destinations are in a cache */
};

/* next[k] = the sum of all counters before k, for `count` counters in each of the shares. */
SPARSE_P_OUTLINE void sparse_p_begin_ranges(uint32_t *next, size_t count, size_t shares)
{
    uint32_t start = 0;
    for (size_t k = 0; k < count; k++)
        for (size_t share = 0; share < shares; share++) {
            const uint32_t here = next[share * count + k];
            next[share * count + k] = start;
            start += here;
        }
}

/* A transfer of entries from the rows of `from` to the rows of `to`, which are coordinates of level l of `from`. */
typedef struct sparse_p_exchange {
    const sparse_p_row_view *from;
    sparse_p_row_view *to;
    unsigned l, bits; /* the level, and the bits of its coordinates */
    size_t size;      /* bytes of a value */
    sparse_p_column crd;
    char *val;
    int team;
    bool common; /* true for contiguous 32-bit coordinates and 8-byte values */
} sparse_p_exchange;

/* Returns x with constants for the common case, so that the compiler specialises the code. */
SPARSE_P_INLINE sparse_p_exchange sparse_p_common_exchange(const sparse_p_exchange *x)
{
    sparse_p_exchange common = *x;
    common.bits = 32;
    common.size = 8;
    common.crd.stride = 1;
    return common;
}

/* If the source of x stores pairs of 64-bit coordinates, returns their array; else null. */
static inline const void *sparse_p_listed_pairs(const sparse_p_exchange *x)
{
    const sparse_tensor *const t = x->from->t;
    const bool in_pairs = sparse_p_is_aos(t->encoding, 1) && sparse_crd_bits(t->encoding) == 64;
    return in_pairs ? t->crd[0].at : NULL;
}

/* Row i of a chunk: a 32-bit number or, if `in_pairs`, a 64-bit one of a pair. */
SPARSE_P_INLINE size_t sparse_p_row_in_chunk(const void *row, size_t i, bool in_pairs)
{
    return in_pairs ? sparse_load(row, 64, 2 * i) : sparse_load(row, 32, i);
}

/* next[row] += the number of entries in [first, last) that go to the row. */
SPARSE_P_OUTLINE void sparse_p_exchange_count(const sparse_p_exchange *x, size_t first, size_t last, uint32_t *next)
{
    uint32_t room[SPARSE_P_LONG];
    const size_t most = SPARSE_P_LONG;
    const void *const listed = sparse_p_listed_pairs(x);
    sparse_p_row_view from = *x->from;
    from.at = sparse_p_row_of(&from, first);
    for (; listed && first < last; first++) next[sparse_load(listed, 64, 2 * first + x->l)]++;
    for (size_t count; first < last; first += count) {
        count = last - first < most ? last - first : most;
        const uint32_t *const row = (const uint32_t *)sparse_p_rows_chunk(&from, x->l, first, count, room, 32);
        for (size_t i = 0; i < count; i++) next[row[i]]++;
    }
}

/* Writes the entries [first, last) to the positions next[row], and advances these. `listed` is their array of coordinate
   pairs, or null. */
SPARSE_P_INLINE void sparse_p_exchange_put_of(const sparse_p_exchange *x, size_t first, size_t last, uint32_t *next,
                                              const void *listed)
{
    uint32_t room[SPARSE_P_LONG];
    uint64_t others[SPARSE_P_LONG];
    const size_t most = SPARSE_P_LONG, size = x->size, ahead = SPARSE_P_PREFETCH_AHEAD;
    const unsigned bits = listed || x->bits == 64 ? 64 : 32;
    const bool far = x->from->entries > SPARSE_P_CACHED, list = listed != NULL;
    /* without entries, or with values of size 0, there is no array, and even null + 0 is an error for UBSan */
    const char *value = x->from->t->val.at ? (const char *)x->from->t->val.at + first * size : (const char *)next;
    char *const to = x->val;
    sparse_p_row_view from = *x->from;
    from.at = sparse_p_row_of(&from, first);
    for (size_t count; first < last; first += count) {
        count = last - first < most ? last - first : most;
        const void *const row = list ? (const char *)listed + (2 * first + x->l) * sizeof(uint64_t)
                                     : sparse_p_rows_chunk(&from, x->l, first, count, room, 32);
        const void *const other = list ? (const char *)listed + (2 * first + 1 - x->l) * sizeof(uint64_t)
                                       : sparse_p_rows_chunk(&from, 1 - x->l, first, count, others, bits);
        const size_t foreseen = far && count > 2 * ahead ? count - 2 * ahead : 0;
        for (size_t i = 0; i < count; i++, value += size) {
            if (i < foreseen) {
                SPARSE_P_PREFETCH(next + sparse_p_row_in_chunk(row, i + 2 * ahead, list));
                const size_t p = next[sparse_p_row_in_chunk(row, i + ahead, list)];
                SPARSE_P_PREFETCH((const char *)x->crd.at + p * x->crd.stride * (x->bits / 8));
                SPARSE_P_PREFETCH(to + p * size);
            }
            const size_t p = next[sparse_p_row_in_chunk(row, i, list)]++;
            sparse_store(x->crd.at, x->bits, p * x->crd.stride, sparse_load(other, bits, list ? 2 * i : i));
            sparse_p_move(to + p * size, value, size);
        }
    }
}

SPARSE_P_OUTLINE void sparse_p_exchange_put(const sparse_p_exchange *x, size_t first, size_t last, uint32_t *next)
{
    const sparse_p_exchange common = sparse_p_common_exchange(x);
    const void *const listed = sparse_p_listed_pairs(x);
    if (x->common && listed)
        sparse_p_exchange_put_of(&common, first, last, next, listed);
    else if (x->common)
        sparse_p_exchange_put_of(&common, first, last, next, NULL);
    else
        sparse_p_exchange_put_of(x, first, last, next, NULL);
}

/* Counts the entries, then moves them in order. Each thread does a share of them. */
SPARSE_P_COLD sparse_result sparse_p_exchange_directly(const sparse_p_exchange *x)
{
    const int team = x->team;
    const size_t rows = x->to->rows, entries = x->from->entries, shares = (size_t)team;
    uint32_t *const end = sparse_p_ends(x->to), *next = end;
    sparse_buffer own = {NULL, 0, 0};
    size_t counters = 0;
    if (team > 1) {
        if (!sparse_p_mul(&counters, rows, shares)) return SPARSE_E_OVERFLOW;
        const sparse_result result = sparse_p_allocate(x->to->t->hooks, &own, counters, sizeof *next);
        if (result) return result;
        next = (uint32_t *)own.at;
    }
    SPARSE_P_IN_SHARES(s, first, last, entries, sparse_p_clear_counts(next + (size_t)s * rows, rows);
                       sparse_p_exchange_count(x, first, last, next + (size_t)s * rows));
    sparse_p_begin_ranges(next, rows, shares);
    SPARSE_P_IN_SHARES(s, first, last, entries, sparse_p_exchange_put(x, first, last, next + (size_t)s * rows));
    if (team > 1) memcpy(end, next + (shares - 1) * rows, rows * sizeof *next);
    sparse_p_release(x->to->t->hooks, &own, sizeof *next);
    return SPARSE_OK;
}

enum { SPARSE_P_PARCELS = 1 << 10 }; /* the most parcels, because all are written to at the same time */

/* The entries of x divided into `parcels` of 2^shift destination rows each. A record is the row, the other coordinate and
   the value. */
typedef struct sparse_p_parcels {
    size_t parcels;
    unsigned shift;
    sparse_buffer record; /* two words for each record, one parcel after the other */
    sparse_buffer next;   /* uint32_t: for each share of the entries, the next position in each parcel */
} sparse_p_parcels;

/* Chooses the number and size of the parcels for x. */
SPARSE_P_COLD sparse_p_parcels sparse_p_parcels_of(const sparse_p_exchange *x)
{
    sparse_p_parcels p = {1, 0, {NULL, 0, 0}, {NULL, 0, 0}};
    const size_t rows = x->to->rows, entries = x->from->entries;
    const unsigned bits = rows > 1 ? sparse_p_width(rows - 1) : 0;
    unsigned digit = 0;
    while ((size_t)1 << digit < SPARSE_P_PARCELS && entries >> digit > SPARSE_P_PARCEL) digit++;
    p.shift = bits > digit ? bits - digit : 0;
    p.parcels = rows > 0 ? ((rows - 1) >> p.shift) + 1 : 1;
    return p;
}

enum { SPARSE_P_ENTRIES_SEEN = 64, SPARSE_P_FEW_PARCELS = 8 };

/* True if 64 consecutive entries, on average, go to more than eight parcels, or to more than half of all parcels. If
   not, as for the few nodes of a finite element, caches already hold the destinations, and parcels would gain nothing.
   Examines one of sixteen chunks. */
static inline bool sparse_p_is_scattered(const sparse_p_exchange *x, const sparse_p_parcels *p)
{
    uint32_t room[SPARSE_P_LONG], last[SPARSE_P_PARCELS] = {0}; /* the last window with an entry of each parcel, from 1 */
    sparse_p_row_view from = *x->from;
    const size_t entries = from.entries, most = SPARSE_P_LONG;
    uint32_t window = 0;
    size_t visits = 0;
    for (size_t first = 0; first < entries; first += 16 * most) {
        const size_t count = entries - first < most ? entries - first : most;
        from.at = sparse_p_row_of(&from, first);
        const uint32_t *const row = (const uint32_t *)sparse_p_rows_chunk(&from, x->l, first, count, room, 32);
        for (size_t i = 0; i < count; i++) {
            uint32_t *const seen = last + (row[i] >> p->shift);
            window += i % SPARSE_P_ENTRIES_SEEN == 0;
            visits += *seen != window;
            *seen = window;
        }
    }
    return visits > window * sparse_p_min(p->parcels / 2, SPARSE_P_FEW_PARCELS);
}

/* next[parcel] += the number of entries in [first, last) that go to the parcel. */
SPARSE_P_OUTLINE void sparse_p_parcels_count(const sparse_p_exchange *x, unsigned shift, size_t first, size_t last,
                                             uint32_t *next)
{
    uint32_t room[SPARSE_P_LONG];
    const size_t most = SPARSE_P_LONG;
    sparse_p_row_view from = *x->from;
    from.at = sparse_p_row_of(&from, first);
    for (size_t count; first < last; first += count) {
        count = last - first < most ? last - first : most;
        const uint32_t *const row = (const uint32_t *)sparse_p_rows_chunk(&from, x->l, first, count, room, 32);
        for (size_t i = 0; i < count; i++) next[row[i] >> shift]++;
    }
}

/* Writes the entries [first, last) as records to next[parcel] and advances next[parcel]. */
SPARSE_P_OUTLINE void sparse_p_parcels_fill(const sparse_p_exchange *x, unsigned shift, size_t first, size_t last,
                                            uint64_t *record, uint32_t *next)
{
    uint32_t room[SPARSE_P_LONG], others[SPARSE_P_LONG];
    const size_t most = SPARSE_P_LONG, size = x->size;
    const char *value = (const char *)x->from->t->val.at + first * size;
    sparse_p_row_view from = *x->from;
    from.at = sparse_p_row_of(&from, first);
    for (size_t count; first < last; first += count) {
        count = last - first < most ? last - first : most;
        const uint32_t *const row = (const uint32_t *)sparse_p_rows_chunk(&from, x->l, first, count, room, 32);
        const uint32_t *const other = (const uint32_t *)sparse_p_rows_chunk(&from, 1 - x->l, first, count, others, 32);
        for (size_t i = 0; i < count; i++, value += size) {
            uint64_t *const r = record + 2 * (size_t)next[row[i] >> shift]++;
            r[0] = (uint64_t)row[i] << 32 | other[i];
            sparse_p_move(r + 1, value, size);
        }
    }
}

/* Moves the records [begin, end), which belong to rows [first, last), to their rows. */
SPARSE_P_INLINE void sparse_p_parcel_open_of(const sparse_p_exchange *x, const uint64_t *record, size_t begin, size_t end,
                                             size_t first, size_t last)
{
    uint32_t *const next = sparse_p_ends(x->to), start = (uint32_t)begin;
    memset(next + first, 0, (last - first) * sizeof *next);
    for (size_t k = begin; k < end; k++) next[record[2 * k] >> 32]++;
    for (size_t i = first; i < last; i++) {
        const uint32_t here = next[i];
        next[i] = start;
        start += here;
    }
    for (size_t k = begin; k < end; k++) {
        const size_t p = next[record[2 * k] >> 32]++;
        sparse_store(x->crd.at, x->bits, p * x->crd.stride, (uint32_t)record[2 * k]);
        sparse_p_move(x->val + p * x->size, record + 2 * k + 1, x->size);
    }
}

SPARSE_P_OUTLINE void sparse_p_parcel_open(const sparse_p_exchange *x, const uint64_t *record, size_t begin, size_t end,
                                           size_t first, size_t last)
{
    const sparse_p_exchange common = sparse_p_common_exchange(x);
    if (x->common)
        sparse_p_parcel_open_of(&common, record, begin, end, first, last);
    else
        sparse_p_parcel_open_of(x, record, begin, end, first, last);
}

/* Does what sparse_p_exchange_directly does, but first gathers the entries in parcels that fit a cache. This is faster if
   destinations are far apart. */
SPARSE_P_COLD sparse_result sparse_p_exchange_parcels(const sparse_p_exchange *x, sparse_p_parcels *p)
{
    const int team = x->team, parcels = (int)p->parcels;
    const size_t rows = x->to->rows, entries = x->from->entries, shares = (size_t)team, each = p->parcels;
    const sparse_hooks *const hooks = x->to->t->hooks;
    sparse_result result = sparse_p_allocate(hooks, &p->next, shares * each, sizeof(uint32_t));
    if (!result) result = sparse_p_allocate(hooks, &p->record, entries, 2 * sizeof(uint64_t));
    if (!result) {
        uint32_t *const next = (uint32_t *)p->next.at;
        uint64_t *const record = (uint64_t *)p->record.at;
        sparse_p_clear_counts(next, shares * each);
        SPARSE_P_BY_TEAM
        for (int s = 0; s < team; s++) {
            const size_t share = (size_t)s;
            sparse_p_parcels_count(x, p->shift, sparse_p_share(0, entries, share, shares),
                                   sparse_p_share(0, entries, share + 1, shares), next + share * each);
        }
        sparse_p_begin_ranges(next, each, shares);
        SPARSE_P_BY_TEAM
        for (int s = 0; s < team; s++) {
            const size_t share = (size_t)s;
            sparse_p_parcels_fill(x, p->shift, sparse_p_share(0, entries, share, shares),
                                  sparse_p_share(0, entries, share + 1, shares), record, next + share * each);
        }
        /* the last share ends each parcel */
        const uint32_t *const end = next + (shares - 1) * each;
        SPARSE_P_BY_TEAM
        for (int k = 0; k < parcels; k++) {
            const size_t parcel = (size_t)k, first = parcel << p->shift, size = (size_t)1 << p->shift;
            sparse_p_parcel_open(x, record, parcel > 0 ? end[parcel - 1] : 0, end[parcel], first,
                                 rows - first < size ? rows : first + size);
        }
    }
    sparse_p_release(hooks, &p->record, 2 * sizeof(uint64_t));
    sparse_p_release(hooks, &p->next, sizeof(uint32_t));
    return result;
}

/* Moves the entries of x to their rows, keeping their order. */
static inline sparse_result sparse_p_exchange_run(const sparse_p_exchange *x)
{
    sparse_p_parcels p = sparse_p_parcels_of(x);
    const bool many = sparse_p_above(x->from->entries, SPARSE_P_PARCELED),
               fits = x->size <= sizeof(uint64_t) && !sparse_p_above(x->from->t->lvl[1 - x->l], UINT32_MAX);
    return many && fits && p.parcels > 1 && sparse_p_is_scattered(x, &p) ? sparse_p_exchange_parcels(x, &p)
                                                                         : sparse_p_exchange_directly(x);
}

/* Sorts a short row: the rank of an entry is the number of entries before it, found without branches. Entries with equal
   coordinates keep their order, because a key consists of the coordinate, below SPARSE_P_RANKED_SIZE, and the entry's
   number. Returns false if coordinates are equal. */
SPARSE_P_INLINE bool sparse_p_row_rank(sparse_p_column crd, unsigned bits, char *val, size_t size, size_t begin,
                                       size_t count)
{
    int32_t key[SPARSE_P_SHORT], rank[8];
    uint64_t value[SPARSE_P_SHORT];
    bool distinct = true;
    for (size_t k = 0; k < SPARSE_P_SHORT; k++) key[k] = INT32_MAX;
    for (size_t k = 0; k < count; k++) {
        key[k] = (int32_t)(sparse_load(crd.at, bits, (begin + k) * crd.stride) * SPARSE_P_SHORT + k);
        sparse_p_move(value + k, val + (begin + k) * size, size);
    }
    for (size_t part = 0; part < count; part += 8) {
        for (size_t k = 0; k < 8; k++) rank[k] = 0;
        for (size_t j = 0; j < count; j++)
            for (size_t k = 0; k < 8; k++) rank[k] += key[j] < key[part + k];
        for (size_t k = 0; k < 8 && part + k < count; k++) {
            const size_t to = begin + (size_t)rank[k];
            sparse_store(crd.at, bits, to * crd.stride, (size_t)key[part + k] / SPARSE_P_SHORT);
            sparse_p_move(val + to * size, value + part + k, size);
        }
    }
    for (size_t k = begin + 1; k < begin + count; k++)
        distinct &= sparse_load(crd.at, bits, (k - 1) * crd.stride) != sparse_load(crd.at, bits, k * crd.stride);
    return distinct;
}

/* The memory of a thread for sorting longer rows. Values of more than 8 bytes are first copied to `spare`. */
typedef struct sparse_p_row_sorter {
    sparse_p_records records;
    size_t *buckets;
    char *spare;
} sparse_p_row_sorter;

/* Sorts the entries [begin, end) of a row of t. Entries with equal coordinates keep their order. Returns false if there
   are any. */
SPARSE_P_OUTLINE bool sparse_p_row_sort(sparse_tensor *t, size_t begin, size_t end, sparse_p_row_sorter *w)
{
    const sparse_p_column crd = sparse_p_column_of(t, 1);
    const unsigned bits = sparse_crd_bits(t->encoding);
    const size_t count = end - begin, size = t->encoding->value_size;
    sparse_p_records *const r = &w->records;
    uint64_t *const record = (uint64_t *)r->buffer.at;
    char *const val = (char *)t->val.at + begin * size, *const from = w->spare ? w->spare : val;
    bool distinct = true;
    if (w->spare) memcpy(from, val, count * size);
    r->buffer.length = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t at = sparse_load(crd.at, bits, (begin + k) * crd.stride);
        sparse_p_add_record(r, &at, from + k * size);
    }
    sparse_p_sort_range(r, 0, record, record + 2 * count, count, 0, r->used[0], false, w->buckets);
    for (size_t k = 0; k < count; k++) {
        distinct = distinct && (k == 0 || record[2 * k] != record[2 * k - 2]);
        sparse_store(crd.at, bits, (begin + k) * crd.stride, (size_t)record[2 * k]);
        sparse_p_move(val + k * size, sparse_p_value(r, k), size);
    }
    return distinct;
}

/* True if the coordinates of the entries [begin, end) ascend strictly. */
SPARSE_P_INLINE bool sparse_p_row_ascends(sparse_p_column crd, unsigned bits, size_t begin, size_t end)
{
    for (size_t k = begin + 1; k < end; k++)
        if (sparse_load(crd.at, bits, (k - 1) * crd.stride) >= sparse_load(crd.at, bits, k * crd.stride)) return false;
    return true;
}

/* Sorts the rows [first, last) of t. Returns false if a row has entries with equal coordinates. */
SPARSE_P_OUTLINE bool sparse_p_rows_sort_share(sparse_tensor *t, const sparse_p_row_view *m, size_t first, size_t last,
                                               sparse_p_row_sorter *w)
{
    const uint32_t *end = sparse_p_ends(m);
    const sparse_p_column crd = sparse_p_column_of(t, 1), column = {crd.at, 1};
    const unsigned bits = sparse_crd_bits(t->encoding);
    const bool common = sparse_p_is_common(t->encoding, crd.stride), narrow = t->lvl[1] <= SPARSE_P_RANKED_SIZE;
    bool distinct = true;
    for (size_t i = first, begin = i > 0 ? end[i - 1] : 0; i < last; begin = end[i++]) {
        const size_t count = end[i] - begin;
        if (common ? sparse_p_row_ascends(column, 32, begin, end[i]) : sparse_p_row_ascends(crd, bits, begin, end[i]))
            continue;
        const bool alone = common && narrow && count <= SPARSE_P_SHORT
                               ? sparse_p_row_rank(column, 32, (char *)t->val.at, 8, begin, count)
                               : sparse_p_row_sort(t, begin, end[i], w);
        distinct = alone && distinct;
    }
    return distinct;
}

/* sparse_p_rows_sort_share for one of several threads. Its memory is a part of the arrays in `all`, after the parts of
   earlier threads, which take `room` entries and their buckets. */
SPARSE_P_OUTLINE bool sparse_p_rows_sort_apart(sparse_tensor *t, const sparse_p_row_view *m, size_t first, size_t last,
                                               const sparse_p_row_sorter *all, size_t room, size_t buckets)
{
    sparse_p_row_sorter own = *all;
    own.records.buffer.at = sparse_p_record(&all->records, 2 * room);
    own.buckets += buckets;
    if (own.spare) own.spare += room * t->encoding->value_size;
    return sparse_p_rows_sort_share(t, m, first, last, &own);
}

/* Combines entries of a row that have the same coordinate: neighbours or, with `mark`, any. mark[coordinate] is 0 or the
   number of the last entry with that coordinate, counted from 1. Returns the number of entries that remain; SIZE_MAX if
   the policy does not combine entries. `doubles`: values are added as doubles. */
SPARSE_P_INLINE size_t sparse_p_unite_of(sparse_tensor *t, const sparse_p_row_view *m, const sparse_p_policy *policy,
                                         uint32_t *mark, sparse_p_column crd, unsigned bits, size_t size, bool doubles)
{
    uint32_t *const end = sparse_p_ends(m);
    char *const val = (char *)t->val.at;
    const bool half = !doubles && sparse_p_is_half(t->encoding->kind) && policy->combine == sparse_p_sum;
    float sum = 0; /* 16-bit values are added in float */
    size_t n = 0, p = 0;
    for (size_t i = 0; i < m->rows; end[i++] = (uint32_t)n)
        for (const size_t begin = n, stop = end[i]; p < stop; p++) {
            const size_t at = sparse_load(crd.at, bits, p * crd.stride), seen = mark ? mark[at] : n;
            const bool again = seen > begin && (mark || sparse_load(crd.at, bits, (n - 1) * crd.stride) == at);
            const float value = half ? sparse_p_load_half(t->encoding->kind, val + p * size) : 0;
            sum = again ? sum + value : value;
            if (!again) {
                sparse_store(crd.at, bits, n * crd.stride, at);
                sparse_p_move(val + n++ * size, val + p * size, size);
                if (mark) mark[at] = (uint32_t)n;
            } else if (doubles) {
                ((double *)t->val.at)[seen - 1] += ((const double *)t->val.at)[p];
            } else if (half) {
                sparse_p_store_half(t->encoding->kind, val + (seen - 1) * size, sum);
            } else if (policy->combine) {
                policy->combine(val + (seen - 1) * size, val + p * size, policy->context);
            } else {
                return SIZE_MAX;
            }
        }
    return n;
}

/* Calls sparse_p_unite_of for t, whose row ends are in m, unless the policy keeps repeated entries. Returns the error of
   the policy if it does not combine them. 16-bit values that are added need sorted rows and no marks, because their sum
   stays a float only from one neighbour to the next. */
SPARSE_P_OUTLINE sparse_result sparse_p_rows_unite(sparse_tensor *t, sparse_p_row_view *m, sparse_p_policy policy,
                                                   uint32_t *mark)
{
    const sparse_encoding *const e = t->encoding;
    const sparse_p_column crd = sparse_p_column_of(t, 1), column = {crd.at, 1};
    if (policy.keep) return SPARSE_OK;
    const size_t n = mark && sparse_p_is_common(e, crd.stride) && e->kind == SPARSE_F64 && policy.combine == sparse_p_sum
                         ? sparse_p_unite_of(t, m, &policy, mark, column, 32, 8, true)
                         : sparse_p_unite_of(t, m, &policy, mark, crd, sparse_crd_bits(e), e->value_size, false);
    if (n == SIZE_MAX) return policy.error;
    m->entries = t->val.length = n;
    t->crd[sparse_p_head(e, 1)].length = n * crd.stride;
    return SPARSE_OK;
}

/* Sorts every row of t, and combines entries with equal coordinates. Uses at most `most_threads` threads. */
SPARSE_P_OUTLINE sparse_result sparse_p_rows_sort(sparse_tensor *t, sparse_p_row_view *m, sparse_p_policy policy,
                                                  long most_threads)
{
    const uint32_t *end = sparse_p_ends(m);
    const int team = sparse_p_team_of(m->entries, most_threads);
    const size_t most_buckets = 8 << 9, size = t->encoding->value_size, wide = size > sizeof(uint64_t);
    sparse_p_records r;
    sparse_buffer buckets = {NULL, 0, 0}, spare = {NULL, 0, 0};
    /* the first row of each share, and its first entry in the shared memory */
    size_t cut[SPARSE_P_TEAM + 1], room[SPARSE_P_TEAM + 1] = {0};
    bool distinct[SPARSE_P_TEAM] = {false}, all_distinct = true;
    sparse_p_cut_rows(m, cut, team);
    for (int s = 0; s < team; s++) {
        size_t most = 0;
        for (size_t i = cut[s], begin = i > 0 ? end[i - 1] : 0; i < cut[s + 1]; begin = end[i++])
            if (end[i] - begin > most) most = end[i] - begin;
        room[s + 1] = room[s] + most;
    }
    sparse_result result = sparse_p_records_open(&r, t->hooks, 1, &t->lvl[1], size, 2 * room[team]);
    if (!result) result = sparse_p_allocate(t->hooks, &buckets, (size_t)team * most_buckets, sizeof(size_t));
    if (!result) result = sparse_p_allocate(t->hooks, &spare, wide * room[team], size);
    if (!result) {
        const sparse_p_row_sorter all = {r, (size_t *)buckets.at, (char *)spare.at};
        SPARSE_P_EACH_SHARE(
            s, distinct[s] = sparse_p_rows_sort_apart(t, m, cut[s], cut[s + 1], &all, room[s], (size_t)s * most_buckets));
    }
    sparse_p_release(t->hooks, &spare, size);
    sparse_p_release(t->hooks, &buckets, sizeof(size_t));
    sparse_p_records_close(&r);
    for (int s = 0; !result && s < team; s++) all_distinct = all_distinct && distinct[s];
    return all_distinct ? result : sparse_p_rows_unite(t, m, policy, NULL);
}

/* dst = src, if the entries of a row of dst come from several rows of src, or out of order. If `sort` is not null, also
   sorts each row, and `sort` says how entries at the same coordinates are combined. */
SPARSE_P_COLD sparse_result sparse_p_rows_to_rows(sparse_tensor *dst, const sparse_tensor *src, const sparse_p_policy *sort)
{
    const sparse_encoding *e = dst->encoding;
    const unsigned l = src->encoding->level[0].dim != e->level[0].dim;
    sparse_p_row_view from, to;
    memset(&from, 0, sizeof from);
    memset(&to, 0, sizeof to);
    from.t = src;
    to.t = dst;
    from.hooks = to.hooks = dst->hooks;
    to.rows = dst->lvl[0];
    from.entries = to.entries = src->val.length;
    sparse_result result = sparse_p_is_coo(src->encoding) ? SPARSE_OK : sparse_p_rows_open(&from, src, dst->hooks, NULL);
    if (!result) result = sparse_p_rows_reserve(&to, dst);
    if (!result) result = sparse_p_rows_allocate(dst, from.entries);
    if (!result) {
        const sparse_p_column crd = sparse_p_column_of(dst, 1);
        const sparse_p_exchange x = {&from,
                                     &to,
                                     l,
                                     sparse_crd_bits(e),
                                     e->value_size,
                                     crd,
                                     (char *)dst->val.at,
                                     sparse_p_team(from.entries),
                                     sparse_p_is_common(e, crd.stride)};
        result = sparse_p_exchange_run(&x);
        if (!result && sort) result = sparse_p_rows_sort(dst, &to, *sort, sparse_p_wanted_threads());
    }
    if (!result) result = sparse_p_rows_put(dst, &to);
    sparse_p_rows_close(&from);
    sparse_p_rows_close(&to);
    return result;
}

/* Returns an encoding of matrices with the values of e: compressed rows of dimension `outer`, 0 or 1, or a coordinate
   list in any order. Coordinates have 32 bits, or 64 if the sizes need them. */
SPARSE_P_COLD sparse_encoding sparse_p_as_rows(const sparse_encoding *e, const size_t *dim, uint8_t outer, bool listed)
{
    const unsigned any = SPARSE_NONUNIQUE | SPARSE_NONORDERED;
    sparse_encoding s;
    memset(&s, 0, sizeof s);
    s.name = "rows";
    s.pos_bits = 32;
    s.crd_bits = sparse_p_above(dim[0], UINT32_MAX) || sparse_p_above(dim[1], UINT32_MAX) ? 64 : 32;
    s.kind = e->kind;
    s.fill = e->fill;
    s.value_size = e->value_size;
    sparse_p_set_row_levels(&s, outer, listed);
    if (listed) s.level[0].properties = (uint8_t)any, s.level[1].properties = (uint8_t)(any | SPARSE_SOA);
    return s;
}

/* dst = src, whose entries are in no order. Moves them to their columns, combines entries at the same coordinates there,
   and then moves them to their rows, in which they arrive in order. */
SPARSE_P_COLD sparse_result sparse_p_rows_by_columns(sparse_tensor *dst, const sparse_tensor *src, sparse_p_policy policy)
{
    const sparse_encoding by_columns = sparse_p_as_rows(dst->encoding, dst->dim, dst->encoding->level[1].dim, false);
    sparse_tensor columns = sparse_p_empty(&by_columns, dst->hooks);
    sparse_buffer mark = {NULL, 0, 0};
    sparse_p_row_view m;
    memset(&m, 0, sizeof m);
    sparse_result result = sparse_p_renew(&columns, dst->dim);
    if (!result) result = sparse_p_rows_to_rows(&columns, src, NULL);
    if (!result) result = sparse_p_rows_open(&m, &columns, dst->hooks, NULL);
    if (!result) result = sparse_p_allocate(dst->hooks, &mark, dst->lvl[0], sizeof(uint32_t));
    if (!result) {
        sparse_p_clear_counts((uint32_t *)mark.at, dst->lvl[0]);
        result = sparse_p_rows_unite(&columns, &m, policy, (uint32_t *)mark.at);
    }
    sparse_p_rows_close(&m);
    sparse_p_release(dst->hooks, &mark, sizeof(uint32_t));
    if (!result) result = sparse_p_rows_to_rows(dst, &columns, NULL);
    sparse_free(&columns);
    return result;
}

/* True if more than a quarter of the first entries of a coordinate list are in the row or the column of the entry
   before, as the entries of finite elements are. */
static inline bool sparse_p_neighbours_meet(const sparse_tensor *list)
{
    const sparse_p_column row = sparse_p_column_of(list, 0), column = sparse_p_column_of(list, 1);
    const unsigned bits = sparse_crd_bits(list->encoding);
    const size_t count = sparse_p_min(list->val.length, SPARSE_P_LONG);
    size_t met = 0;
    for (size_t k = 1; k < count; k++)
        met += sparse_load(row.at, bits, k * row.stride) == sparse_load(row.at, bits, (k - 1) * row.stride) ||
               sparse_load(column.at, bits, k * column.stride) == sparse_load(column.at, bits, (k - 1) * column.stride);
    return met > count / 4;
}

/* True if sparse_p_rows_by_columns can sort the entries: columns have several entries on average, or are few, and no
   16-bit values are added. A sum of 16-bit values stays a float only between neighbours, and columns are not sorted. */
static inline bool sparse_p_columns_are_few(const sparse_tensor *dst, size_t entries, const sparse_p_policy *policy)
{
    const bool halves = sparse_p_is_half(dst->encoding->kind) && policy->combine == sparse_p_sum;
    return dst->lvl[1] <= entries / 4 + 256 && !halves;
}

/* True if sorting the entries of src through columns takes less time than sorting each row. It does if all entries fit
   the cache, if rows are long, or if neighbours in a coordinate list are often in one row or column, so that their
   destinations are near each other. */
static inline bool sparse_p_columns_pay(const sparse_tensor *dst, const sparse_tensor *src)
{
    const size_t entries = src->val.length;
    return entries <= SPARSE_P_CACHED || entries / SPARSE_P_SHORT > dst->lvl[0] ||
           (sparse_p_is_coo(src->encoding) && sparse_p_neighbours_meet(src));
}

/* dst = src, if the rows of src become columns of dst, or its entries must be sorted. `sort` is null if no sorting is
   needed; else it says how entries at the same coordinates are combined. */
SPARSE_P_COLD sparse_result sparse_p_rows_exchange(sparse_tensor *dst, const sparse_tensor *src, const sparse_p_policy *sort)
{
    return sort && sparse_p_columns_are_few(dst, src->val.length, sort) && sparse_p_columns_pay(dst, src)
               ? sparse_p_rows_by_columns(dst, src, *sort)
               : sparse_p_rows_to_rows(dst, src, sort);
}

enum { SPARSE_P_TALLEST = 16 }; /* the most rows of a block that are merged */

/* True for BSR whose blocks are made of the rows of e: floordiv of row and column, then mod of both. */
static inline bool sparse_p_is_blocks(const sparse_encoding *b, const sparse_encoding *e)
{
    if (b->rank != 2 || b->levels != 4 || b->level[0].dim != e->level[0].dim) return false;
    for (unsigned l = 0; l < 4; l++) {
        const sparse_level *const v = &b->level[l];
        const bool is_type = l == 1 ? sparse_p_is_compressed_level(v) : sparse_p_is_dense_level(v);
        if (!is_type || (v->map == SPARSE_MAP_FLOORDIV) != (l < 2)) return false;
    }
    return b->level[0].dim != b->level[1].dim && b->level[0].c <= SPARSE_P_TALLEST;
}

/* Counts the blocks in rows [first, last) of m; `first` must begin a row of blocks. marks[c] is the last row of blocks in
   which block column c was counted. */
SPARSE_P_INLINE size_t sparse_p_count_blocks(const sparse_p_row_view *m, size_t first, size_t last, size_t height,
                                             size_t width, size_t stride, unsigned bits, uint32_t *mark)
{
    const void *const column = sparse_p_column_of(m->t, 1).at;
    const uint32_t *const end = sparse_p_ends(m);
    size_t blocks = 0;
    for (size_t top = first, p = top > 0 ? end[top - 1] : 0; top < last; top += height) {
        const size_t stop = end[last - top < height ? last - 1 : top + height - 1];
        const uint32_t own = (uint32_t)(top / height) + 1;
        for (size_t left = 0, known = 0; p < stop; p++) { /* the columns [left, left + known) are in the last block */
            const size_t next = sparse_load(column, bits, p * stride);
            if (next - left < known) continue; /* neighbours are often in the same block, which saves a division */
            const size_t j = next / width;
            left = j * width, known = width;
            blocks += mark[j] != own;
            mark[j] = own;
        }
    }
    return blocks;
}

/* A row that is being merged into blocks: its remaining entries [at, end), and the coordinate of the first; SIZE_MAX if
   there is none. */
typedef struct sparse_p_block_row {
    size_t at, end, head;
} sparse_p_block_row;

/* Source and destination of blocks. `bits`: of coordinates in rows and in blocks, and of positions of blocks. Consecutive
   rows of a block are `row_step` values apart, consecutive columns `step` values. */
typedef struct sparse_p_blocks {
    size_t height, width, row_step, step, stride, size;
    unsigned bits, crd_bits, pos_bits;
    const void *column, *fill;
    const char *value;
    void *crd;
} sparse_p_blocks;

SPARSE_P_INLINE size_t sparse_p_block_head(const sparse_p_blocks *b, size_t at, size_t end)
{
    return at < end ? sparse_load(b->column, b->bits, at * b->stride) : SIZE_MAX;
}

/* Starts with row i of m. */
SPARSE_P_INLINE sparse_p_block_row sparse_p_block_open(const sparse_p_blocks *b, const uint32_t *end, size_t i)
{
    sparse_p_block_row r = {i > 0 ? end[i - 1] : 0, end[i], 0};
    r.head = sparse_p_block_head(b, r.at, r.end);
    return r;
}

/* Begins block n, whose first column is `left`, with fill values. */
SPARSE_P_INLINE void sparse_p_block_begin(const sparse_p_blocks *b, char *block, size_t n, size_t left)
{
    sparse_store(b->crd, b->crd_bits, n, left / b->width);
    if (b->fill)
        sparse_p_fill(block, b->height * b->width, b->fill, b->size);
    else
        memset(block, 0, b->height * b->width * b->size);
}

/* Moves the entries of a row from column `left` up to the end of the block to `to`. */
SPARSE_P_INLINE void sparse_p_block_take(const sparse_p_blocks *b, sparse_p_block_row *r, size_t left, char *to)
{
    for (; r->head - left < b->width; r->head = sparse_p_block_head(b, r->at, r->end)) {
        sparse_p_move(to + (r->head - left) * b->step * b->size, b->value + r->at * b->size, b->size);
        r->at++;
    }
}

/* Writes the blocks of rows [first, last) of m to t, from block n on. Merges the rows that each row of blocks consists
   of. */
SPARSE_P_INLINE void sparse_p_merge_blocks(sparse_tensor *t, const sparse_p_row_view *m, sparse_p_blocks b, bool two,
                                           size_t first, size_t last, size_t n)
{
    const uint32_t *const end = sparse_p_ends(m);
    const size_t bytes = b.height * b.width * b.size;
    char *const val = (char *)t->val.at;
    void *const pos = t->pos[1].at;
    sparse_p_block_row r[SPARSE_P_TALLEST];
    b.column = sparse_p_column_of(m->t, 1).at;
    b.value = (const char *)m->t->val.at;
    b.fill = t->encoding->fill;
    b.crd = t->crd[1].at;
    if (first == 0) sparse_store(pos, b.pos_bits, 0, 0);
    for (size_t top = first; top < last; top += b.height) {
        const size_t height = last - top < b.height ? last - top : b.height;
        if (two && height == 2) { /* in registers */
            sparse_p_block_row u = sparse_p_block_open(&b, end, top), v = sparse_p_block_open(&b, end, top + 1);
            for (; u.head != SIZE_MAX || v.head != SIZE_MAX; n++) {
                const size_t least = u.head < v.head ? u.head : v.head, left = least - least % b.width;
                sparse_p_block_begin(&b, val + n * bytes, n, left);
                sparse_p_block_take(&b, &u, left, val + n * bytes);
                sparse_p_block_take(&b, &v, left, val + n * bytes + b.row_step * b.size);
            }
        } else {
            for (size_t i = 0; i < height; i++) r[i] = sparse_p_block_open(&b, end, top + i);
            for (;; n++) {
                size_t least = SIZE_MAX;
                for (size_t i = 0; i < height; i++) least = r[i].head < least ? r[i].head : least;
                if (least == SIZE_MAX) break;
                const size_t left = least - least % b.width;
                sparse_p_block_begin(&b, val + n * bytes, n, left);
                for (size_t i = 0; i < height; i++)
                    sparse_p_block_take(&b, &r[i], left, val + n * bytes + i * b.row_step * b.size);
            }
        }
        sparse_store(pos, b.pos_bits, top / b.height + 1, n);
    }
}

/* Counting and merging for common widths and 2 x 2 blocks, as separate functions that have the registers for themselves.
   The last one accepts values of any size. */
SPARSE_P_OUTLINE size_t sparse_p_count_twos(const sparse_p_row_view *m, size_t first, size_t last, uint32_t *mark)
{
    return sparse_p_count_blocks(m, first, last, 2, 2, 1, 32, mark);
}
SPARSE_P_OUTLINE size_t sparse_p_count_fours(const sparse_p_row_view *m, size_t first, size_t last, uint32_t *mark)
{
    return sparse_p_count_blocks(m, first, last, 4, 4, 1, 32, mark);
}
SPARSE_P_OUTLINE void sparse_p_merge_fours(sparse_tensor *t, const sparse_p_row_view *m, size_t first, size_t last, size_t n)
{
    const sparse_p_blocks fours = {4, 4, 4, 1, 1, 8, 32, 32, 32, NULL, NULL, NULL, NULL};
    sparse_p_merge_blocks(t, m, fours, false, first, last, n);
}
SPARSE_P_OUTLINE void sparse_p_merge_twos(sparse_tensor *t, const sparse_p_row_view *m, size_t first, size_t last, size_t n)
{
    const sparse_p_blocks twos = {2, 2, 2, 1, 1, 8, 32, 32, 32, NULL, NULL, NULL, NULL};
    sparse_p_merge_blocks(t, m, twos, true, first, last, n);
}
SPARSE_P_OUTLINE void sparse_p_merge_other_twos(sparse_tensor *t, const sparse_p_row_view *m, size_t first, size_t last,
                                                size_t n)
{
    const sparse_p_blocks twos = {2, 2, 2, 1, 1, t->encoding->value_size, 32, 32, 32, NULL, NULL, NULL, NULL};
    sparse_p_merge_blocks(t, m, twos, true, first, last, n);
}

/* With t = null, returns the number of blocks of the rows [first, last); otherwise writes them to t from number n on.
   Common blocks have loops of their own. */
static inline size_t sparse_p_put_blocks(sparse_tensor *t, const sparse_encoding *e, const sparse_p_row_view *m,
                                         uint32_t *mark, size_t first, size_t last, size_t n)
{
    if (SPARSE_MAX_LEVELS < 4) return n; /* blocks need four levels */
    const sparse_encoding *s = m->t->encoding;
    const size_t height = e->level[0].c, width = e->level[1].c, stride = sparse_p_column_of(m->t, 1).stride;
    const bool by_rows = e->level[2].dim == e->level[0].dim, two = height == 2 && width == 2,
               four = height == 4 && width == 4;
    const sparse_p_blocks any = {height,
                                 width,
                                 by_rows ? width : 1,
                                 by_rows ? 1 : height,
                                 stride,
                                 s->value_size,
                                 sparse_crd_bits(s),
                                 sparse_crd_bits(e),
                                 sparse_pos_bits(e),
                                 NULL,
                                 NULL,
                                 NULL,
                                 NULL};
    if (!t && two && sparse_p_is_common_crd(s, stride)) return sparse_p_count_twos(m, first, last, mark);
    if (!t && four && sparse_p_is_common_crd(s, stride)) return sparse_p_count_fours(m, first, last, mark);
    if (!t) return sparse_p_count_blocks(m, first, last, height, width, stride, sparse_crd_bits(s), mark);
    if (two && by_rows && sparse_p_are_common(t, m))
        sparse_p_merge_twos(t, m, first, last, n);
    else if (two && by_rows && sparse_p_is_common_crd(s, stride) && sparse_p_is_common_crd(e, 1) && sparse_pos_bits(e) == 32)
        sparse_p_merge_other_twos(t, m, first, last, n);
    else if (four && by_rows && sparse_p_are_common(t, m))
        sparse_p_merge_fours(t, m, first, last, n);
    else
        sparse_p_merge_blocks(t, m, any, false, first, last, n);
    return 0;
}

/* dst = src, in BSR. */
SPARSE_P_COLD sparse_result sparse_p_rows_to_blocks(sparse_tensor *dst, const sparse_tensor *src)
{
    sparse_p_row_view m;
    const sparse_encoding *e = dst->encoding;
    sparse_buffer mark = {NULL, 0, 0};
    size_t blocks = 0, values = 0, marks = 0, cut[SPARSE_P_TEAM + 1], start[SPARSE_P_TEAM + 1] = {0};
    sparse_result result = sparse_p_rows_open(&m, src, dst->hooks, NULL);
    const int team = sparse_p_team(m.entries);
    if (!result && !sparse_p_mul(&marks, dst->lvl[1], (size_t)team)) result = SPARSE_E_OVERFLOW;
    if (!result) result = sparse_p_allocate(dst->hooks, &mark, marks, sizeof(uint32_t));
    if (!result) {
        uint32_t *const at = (uint32_t *)mark.at;
        sparse_p_clear_counts(at, marks);
        sparse_p_cut_rows(&m, cut, team);
        for (int s = 1; s < team; s++) cut[s] -= cut[s] % e->level[0].c;
        SPARSE_P_EACH_SHARE(s, start[s + 1] =
                                   sparse_p_put_blocks(NULL, e, &m, at + (size_t)s * dst->lvl[1], cut[s], cut[s + 1], 0));
        for (int s = 0; s < team; s++) start[s + 1] += start[s];
        blocks = start[team];
        if (blocks > sparse_p_largest(sparse_pos_bits(e))) result = SPARSE_E_POSITION_WIDTH;
    }
    if (!result && !(sparse_p_mul(&values, blocks, e->level[0].c) && sparse_p_mul(&values, values, e->level[1].c)))
        result = SPARSE_E_OVERFLOW;
    if (!result) result = sparse_p_allocate(dst->hooks, &dst->pos[1], dst->lvl[0] + 1, sparse_pos_bits(e) / 8u);
    if (!result) result = sparse_p_allocate(dst->hooks, &dst->crd[1], blocks, sparse_crd_bits(e) / 8u);
    if (!result) result = sparse_p_allocate(dst->hooks, &dst->val, values, e->value_size);
    if (!result) {
        SPARSE_P_EACH_SHARE(s, sparse_p_put_blocks(dst, e, &m, NULL, cut[s], cut[s + 1], start[s]));
    }
    sparse_p_release(dst->hooks, &mark, sizeof(uint32_t));
    sparse_p_rows_close(&m);
    return result;
}

/* The route from src, stored by rows, to dst. */
typedef enum sparse_p_rows_way {
    SPARSE_P_NO_WAY,
    SPARSE_P_COPY,              /* equal rows, in the same order */
    SPARSE_P_EXCHANGE,          /* other rows, in which the entries arrive in order */
    SPARSE_P_EXCHANGE_AND_SORT, /* other rows, in which the entries arrive out of order or repeated */
    SPARSE_P_TO_BLOCKS
} sparse_p_rows_way;

/* Chooses the route to dst, which has its sizes, from a tensor of encoding s with `entries` entries. There is none if a
   route would need a counter for each of too many rows or columns, which neither tensor stores individually, or if 32
   bits cannot number the entries. */
SPARSE_P_COLD sparse_p_rows_way sparse_p_way_of_rows(const sparse_tensor *dst, const sparse_encoding *s, size_t entries)
{
    const sparse_encoding *const e = dst->encoding;
    if (!sparse_p_is_rows(s) || entries == 0 || sparse_p_above(entries, UINT32_MAX / 8)) return SPARSE_P_NO_WAY;
    const size_t few = entries + 4096;
    const bool row_order = !(s->level[0].properties & SPARSE_NONORDERED), listed = sparse_p_is_coo(s),
               repeats = s->level[1].properties & SPARSE_NONUNIQUE,
               ordered = row_order && !(s->level[1].properties & SPARSE_NONORDERED);
    const bool to_dense = !sparse_p_has_pos(&e->level[0]);
    const bool rows_pay = !sparse_p_has_pos(&s->level[0]) || dst->dim[s->level[0].dim] / 4 <= few;
    const bool numbered = !sparse_p_above(dst->lvl[0], UINT32_MAX); /* true if 32 bits can number the rows */
    if (sparse_p_is_blocks(e, s))
        return ordered && !repeats && numbered && dst->lvl[1] / 4 <= few ? SPARSE_P_TO_BLOCKS : SPARSE_P_NO_WAY;
    if (!sparse_p_is_rows(e) || !(row_order || listed)) return SPARSE_P_NO_WAY;
    const bool same = s->level[0].dim == e->level[0].dim;
    if (same && ordered && (!repeats || e->level[1].properties & SPARSE_NONUNIQUE))
        return to_dense || rows_pay ? SPARSE_P_COPY : SPARSE_P_NO_WAY;
    if (!numbered || !(to_dense || dst->lvl[0] / 4 <= few) || !(rows_pay || listed)) return SPARSE_P_NO_WAY;
    if (!repeats && (same ? ordered : row_order)) return SPARSE_P_EXCHANGE;
    return e->value_size > sizeof(uint64_t) ? SPARSE_P_NO_WAY : SPARSE_P_EXCHANGE_AND_SORT;
}

/* dst = src, which have the same sizes and a route between them. */
SPARSE_P_COLD sparse_result sparse_p_convert_rows(sparse_tensor *dst, const sparse_tensor *src)
{
    const sparse_p_policy policy = sparse_p_convert_policy(dst->encoding);
    switch (sparse_p_way_of_rows(dst, src->encoding, src->val.length)) {
    case SPARSE_P_COPY:
        return sparse_p_rows_copy(dst, src);
    case SPARSE_P_TO_BLOCKS:
        return sparse_p_rows_to_blocks(dst, src);
    case SPARSE_P_EXCHANGE:
        return sparse_p_rows_exchange(dst, src, NULL);
    default:
        return sparse_p_rows_exchange(dst, src, &policy);
    }
}

/* True if the pairs of coordinates ascend strictly, where coordinate l counts first. */
SPARSE_P_OUTLINE bool sparse_p_pairs_ascend(const size_t *pair, unsigned l, size_t count)
{
    for (size_t k = 1; k < count; k++) {
        const size_t *const now = pair + 2 * k, *const before = now - 2;
        if (now[l] < before[l] || (now[l] == before[l] && now[1 - l] <= before[1 - l])) return false;
    }
    return true;
}

/* True if all pairs of coordinates [first, last) are inside a matrix of these sizes. */
SPARSE_P_OUTLINE bool sparse_p_are_inside(const size_t *dim, const size_t *pair, size_t first, size_t last)
{
    const size_t rows = dim[0], columns = dim[1];
    bool outside = false;
    for (size_t k = first; k < last; k++) outside |= (pair[2 * k] >= rows) | (pair[2 * k + 1] >= columns);
    return !outside;
}

/* t = entries of a matrix, by moving them to their rows; t has its sizes. *known is false, and t unchanged, if the
   encoding or the number of entries does not suit that; the caller then sorts records. E_COORDINATE, E_MEMORY. */
SPARSE_P_OUTLINE sparse_result sparse_p_pack_in_rows(sparse_tensor *t, size_t count, const size_t *coordinates,
                                                     const void *values, sparse_p_policy policy, bool *known)
{
    const sparse_encoding *const e = t->encoding;
    sparse_encoding listed = sparse_p_as_rows(e, t->dim, 0, true);
    *known = !e->constant && sparse_p_way_of_rows(t, &listed, count) == SPARSE_P_EXCHANGE_AND_SORT;
    if (!*known) return SPARSE_OK;
    const int team = sparse_p_team(count);
    bool inside[SPARSE_P_TEAM];
    SPARSE_P_IN_SHARES(s, first, last, count, inside[s] = sparse_p_are_inside(t->dim, coordinates, first, last));
    for (int s = 0; s < team; s++)
        if (!inside[s]) return SPARSE_E_COORDINATE;
    listed.crd_bits = 8 * sizeof *coordinates;
    listed.level[1].properties = SPARSE_NONUNIQUE | SPARSE_NONORDERED;
    sparse_tensor list = sparse_p_empty(&listed, t->hooks);
    const sparse_result result = sparse_p_renew(&list, t->dim);
    if (result) return result;
    list.crd[0].at = (void *)coordinates, list.crd[0].length = 2 * count;
    list.val.at = (void *)values, list.val.length = count;
    const bool in_order = sparse_p_pairs_ascend(coordinates, 0, count) || sparse_p_pairs_ascend(coordinates, 1, count);
    return !in_order && sparse_p_columns_are_few(t, count, &policy)
               ? sparse_p_rows_by_columns(t, &list, policy)
               : sparse_p_rows_to_rows(t, &list, in_order ? NULL : &policy);
}
    #endif

/* >>conversion, defined
   dst = src takes one of these routes. sparse_p_route_of chooses it from the two encodings and the number of entries, before
   anything is moved:
     DIRECT    CSR, DCSR and COO among each other, and to BSR with the same rows: special loops, see >>rows
     LISTED    anything else to CSR, DCSR or COO: through a list of entries
     ROWS      anything else to BSR: through CSR
     APPENDED  entries that come in the order of dst are appended
     SCATTERED the position of an entry in dst follows from its coordinates, from which coordinates occur, and from the
               number of entries below each parent. These are marked, counted and summed; then each entry is written to
               its position
     SORTED    everything else: entries become records, are sorted, and packed */

typedef enum sparse_p_route {
    SPARSE_P_ROUTE_DIRECT,
    SPARSE_P_ROUTE_LISTED,
    SPARSE_P_ROUTE_ROWS,
    SPARSE_P_ROUTE_APPENDED,
    SPARSE_P_ROUTE_SCATTERED,
    SPARSE_P_ROUTE_SORTED
} sparse_p_route;

/* The order in which an encoding stores entries: parts of dimensions, the outermost first. Each dimension d has four
   parts: 4 d is the block, 4 d + 1 the offset in the block (a whole dimension has both, one after the other), 4 d + 2 a
   difference to another dimension, and 4 d + 3 a count. */
typedef struct sparse_p_storage_order {
    unsigned parts;
    uint8_t part[2 * SPARSE_MAX_LEVELS];
} sparse_p_storage_order;

enum { SPARSE_P_BOTH_PARTS = 3 };

/* The parts that the level stores, as a bit for each: bit n for part n. */
SPARSE_P_COLD uint32_t sparse_p_parts_of(const sparse_level *v)
{
    static const uint8_t parts[] = {SPARSE_P_BOTH_PARTS, 1, 2, 8, 4}; /* the parts of each map */
    return (uint32_t)parts[v->map] << 4 * v->dim;
}

/* The parts that are equal in all entries that agree in the first `levels` levels of e. */
SPARSE_P_COLD uint32_t sparse_p_fixed_parts(const sparse_encoding *e, unsigned levels)
{
    uint32_t fixed = 0;
    for (unsigned l = 0; l < levels; l++) fixed |= sparse_p_parts_of(&e->level[l]);
    for (unsigned l = 0; l < levels; l++) { /* for a difference, also the other dimension */
        const sparse_level *const v = &e->level[l];
        if (v->map == SPARSE_MAP_MINUS && (fixed >> 4 * v[1].dim & 3) == SPARSE_P_BOTH_PARTS)
            fixed |= (uint32_t)SPARSE_P_BOTH_PARTS << 4 * v->dim;
    }
    return fixed;
}

/* The order in which the first `levels` levels of e store entries that agree in the parts `fixed`. */
SPARSE_P_COLD sparse_p_storage_order sparse_p_order_of(const sparse_encoding *e, unsigned levels, uint32_t fixed)
{
    sparse_p_storage_order o = {0, {0}};
    for (unsigned l = 0; l < levels; l++) {
        const sparse_level *const v = &e->level[l];
        uint32_t parts = sparse_p_parts_of(v);
        if (v->map == SPARSE_MAP_MINUS && (fixed >> 4 * v[1].dim & 3) == SPARSE_P_BOTH_PARTS)
            /* a difference to a fixed coordinate orders like the coordinate */
            parts = (uint32_t)SPARSE_P_BOTH_PARTS << 4 * v->dim;
        for (unsigned part = 4u * v->dim; part < 4u * v->dim + 4; part++)
            if ((parts & ~fixed) >> part & 1) o.part[o.parts++] = (uint8_t)part;
    }
    return o;
}

/* True if a and b store entries that agree in the parts `fixed` in the same order. */
SPARSE_P_COLD bool sparse_p_same_order(const sparse_encoding *a, const sparse_encoding *b, uint32_t fixed)
{
    const sparse_p_storage_order x = sparse_p_order_of(a, a->levels, fixed), y = sparse_p_order_of(b, b->levels, fixed);
    return x.parts == y.parts && memcmp(x.part, y.part, x.parts) == 0;
}

/* True if entries in the order of s are also in the order of the first `levels` levels of e. */
SPARSE_P_COLD bool sparse_p_leads_order(const sparse_encoding *s, const sparse_encoding *e, unsigned levels)
{
    const sparse_p_storage_order x = sparse_p_order_of(s, s->levels, 0), y = sparse_p_order_of(e, levels, 0);
    return y.parts <= x.parts && memcmp(x.part, y.part, y.parts) == 0;
}

/* True if both use the same block sizes for dimensions that both divide into blocks, and the same other dimension for
   differences. */
SPARSE_P_COLD bool sparse_p_same_cuts(const sparse_encoding *a, const sparse_encoding *b)
{
    bool same = true;
    for (unsigned l = 0; l < a->levels; l++)
        for (unsigned m = 0; m < b->levels; m++) {
            const sparse_level *const v = &a->level[l], *const w = &b->level[m];
            if (v->map != w->map || v->dim != w->dim) continue;
            if (v->map == SPARSE_MAP_FLOORDIV) same = same && v->c == w->c;
            if (v->map == SPARSE_MAP_MINUS) same = same && v[1].dim == w[1].dim;
        }
    return same;
}

/* True if e stores entries in the order of its levels. In the levels of the last run, coordinates may repeat. */
SPARSE_P_COLD bool sparse_p_is_ordered(const sparse_encoding *e)
{
    const unsigned run = sparse_p_last_run(e);
    bool ordered = sparse_p_find_map(e, SPARSE_MAP_COUNT) == e->levels;
    for (unsigned l = 0; l < e->levels; l++)
        ordered = ordered && !(e->level[l].properties & (SPARSE_NONORDERED | (l < run ? SPARSE_NONUNIQUE : 0)));
    return ordered;
}

/* True if sparse_p_is_ordered holds and no coordinates repeat. */
SPARSE_P_COLD bool sparse_p_is_ascending(const sparse_encoding *e)
{
    return sparse_p_is_ordered(e) && !(e->level[e->levels - 1].properties & SPARSE_NONUNIQUE);
}

/* True if the last run of levels of e accepts entries in any order. It does not if a level above the last one is unique. */
static inline bool sparse_p_takes_all(const sparse_encoding *e)
{
    return sparse_p_first_unique(e, sparse_p_last_run(e)) + 1u >= e->levels;
}

/* True if entries of s can be appended to e in their order. */
SPARSE_P_COLD bool sparse_p_is_appended(const sparse_encoding *e, const sparse_encoding *s)
{
    unsigned traits = 0;
    for (unsigned l = 0; l < e->levels; l++) traits |= sparse_p_traits(e->level[l].type);
    return sparse_p_is_ascending(s) && sparse_p_same_cuts(e, s) && sparse_p_same_order(e, s, 0) &&
           !(traits & SPARSE_TRAIT_COUNTS) && !sparse_p_batch_levels(e) && sparse_p_takes_all(e);
}

/* The most counters or marks that are worth their cost for this number of entries. */
static inline size_t sparse_p_most_counters(size_t entries) { return 4 * sparse_p_min(entries, SIZE_MAX / 8) + 256; }

/* The first level of e whose positions belong to one entry each, if it counts entries below parents; else the number of
   levels, and positions follow from coordinates. */
static inline unsigned sparse_p_counted_level(const sparse_encoding *e)
{
    const unsigned run = sparse_p_last_run(e);
    return sparse_p_has_pos(&e->level[run]) ? run : e->levels;
}

/* True if the positions of the entries of src in dst can be found by marking and counting. `entries` of them move. */
SPARSE_P_COLD bool sparse_p_is_scattered_to(const sparse_tensor *dst, const sparse_tensor *src, size_t entries)
{
    const sparse_encoding *const e = dst->encoding, *const s = src->encoding;
    const unsigned counted = sparse_p_counted_level(e), count = sparse_p_find_map(e, SPARSE_MAP_COUNT);
    const size_t most = sparse_p_most_counters(entries);
    size_t parents = 1;
    if (!sparse_p_is_ascending(s) || !sparse_p_same_cuts(e, s) || sparse_p_batch_levels(e)) return false;
    if (sparse_p_above(entries, UINT32_MAX - 1) || !sparse_p_takes_all(e)) return false;
    for (unsigned l = 0; l < counted; l++) {
        const sparse_level *const v = &e->level[l];
        const unsigned traits = sparse_p_traits(v->type);
        const bool marked = traits & SPARSE_TRAIT_POS;
        if (!marked && !(traits & SPARSE_TRAIT_LINEAR)) return false;
        if (marked && (v->properties || dst->lvl[l] > most || !sparse_p_leads_order(s, e, l))) return false;
        if (!sparse_p_mul(&parents, parents, dst->lvl[l])) return false;
        if (marked) parents = sparse_p_min(parents, entries);
    }
    if (counted < e->levels && (parents > most || !sparse_p_same_order(s, e, sparse_p_fixed_parts(e, counted))))
        return false;
    const uint32_t rows = count < e->levels ? UINT32_C(15) << 4 * e->level[count].dim : 0;
    return count == e->levels || (dst->dim[e->level[count].dim] <= most && sparse_p_same_order(s, e, rows));
}

/* A conversion that writes each entry to its position. A level above `counted` is either linear, so that the position
   follows from the coordinate, or marked: slot[l][c] is the position of coordinate c below parent of[l]. Level `counted`,
   if there is one, has one position for each entry, the next free one below its parent. */
typedef struct sparse_p_places {
    sparse_packer to; /* its writers, and its chunk, which is the chunk of the stream */
    sparse_p_stream from;
    const size_t *coordinate; /* coordinates of the chunk in the current level */
    unsigned counted;
    sparse_buffer slot[SPARSE_MAX_LEVELS]; /* uint32_t: for each coordinate of the level, see above */
    size_t of[SPARSE_MAX_LEVELS];
    /* uint32_t: for each parent of level `counted`: the number of entries, later the next free position */
    sparse_buffer next;
    sparse_buffer place;   /* uint32_t: for each entry, its parent in level `counted` */
    sparse_buffer counts;  /* uint32_t: for each coordinate by which entries are counted (ELL), how many came before */
    sparse_p_records mark; /* the coordinates below the current parent, in a level that is being marked */
} sparse_p_places;

/* Returns to the first entry; coordinates in the levels [first, end) will be needed. */
SPARSE_P_COLD void sparse_p_places_rewind(sparse_p_places *x, unsigned first, unsigned end)
{
    const sparse_level *const v = x->to.t->encoding->level;
    unsigned wanted = 0;
    for (unsigned l = first; l < end; l++)
        wanted |= 1u << v[l].dim | (v[l].map == SPARSE_MAP_MINUS ? 1u << v[l + 1].dim : 0);
    sparse_p_rewind(&x->from, wanted);
    if (x->counts.length > 0) memset(x->counts.at, 0, x->counts.length * sizeof(uint32_t));
    for (unsigned l = 0; l < SPARSE_MAX_LEVELS; l++) x->of[l] = SIZE_MAX;
}

/* Computes the coordinates of the chunk in level l. E_FULL if COUNT exceeds the size of the level. */
SPARSE_P_OUTLINE sparse_result sparse_p_places_in_level(sparse_p_places *x, unsigned l)
{
    sparse_tensor *const t = x->to.t;
    const sparse_level *const v = &t->encoding->level[l];
    x->coordinate = sparse_p_chunk_in_level(&x->from, t, l, x->to.coordinate);
    if (v->map != SPARSE_MAP_COUNT) return SPARSE_OK;
    uint32_t *const counts = (uint32_t *)x->counts.at;
    const size_t *const dim = x->from.dim[v->dim], count = x->to.count;
    size_t largest = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t before = (size_t)counts[dim[k]]++;
        x->to.coordinate[k] = before;
        largest = sparse_p_max(largest, before);
    }
    return largest >= v->c ? SPARSE_E_FULL : SPARSE_OK;
}

/* at[k] = the position of entry k in the marked level l. Before, at[k] is the position in the level above. */
static inline void sparse_p_find_slots(sparse_p_places *x, unsigned l)
{
    const sparse_level_iterator i = sparse_level_open(x->to.t->encoding, x->to.t, l);
    uint32_t *const slot = (uint32_t *)x->slot[l].at;
    for (size_t k = 0; k < x->to.count; k++) {
        if (x->to.at[k] != x->of[l]) {
            sparse_level_iterator below = i;
            x->of[l] = x->to.at[k];
            sparse_p_enter_verb(&below, x->of[l], x->of[l] + 1);
            for (size_t p = below.position; p < below.end; p++) slot[sparse_p_coordinate(&below, p)] = (uint32_t)p;
        }
        x->to.at[k] = (size_t)slot[x->coordinate[k]];
    }
}

/* at[k] = the position of entry k in level l, which follows from its coordinate. E_FULL if the level has none. */
SPARSE_P_OUTLINE sparse_result sparse_p_find_linear(sparse_writer *writer, size_t *at, const size_t *coordinate,
                                                    size_t count)
{
    sparse_writer w = *writer; /* a copy, which is kept in registers */
    size_t largest = 0;
    #define SPARSE_P_LEVEL_ROW(NAME, name, traits)                                                                          \
    case NAME:                                                                                                              \
        for (size_t k = 0; (traits)&SPARSE_TRAIT_LINEAR && k < count; k++) {                                                \
            at[k] = sparse_##name##_append(&w, at[k], coordinate[k]);                                                       \
            largest = sparse_p_max(largest, at[k]);                                                                         \
        }                                                                                                                   \
        return largest == SIZE_MAX ? SPARSE_E_FULL : SPARSE_OK;
    SPARSE_P_LEVEL_CASES(SPARSE_P_LEVEL_ROW, w.t->encoding->level[w.level].type, SPARSE_E_ARGUMENT)
    #undef SPARSE_P_LEVEL_ROW
}

/* Passes the next chunk through the levels above `end`. Returns false at the end of the entries and after an error. */
static inline bool sparse_p_places_of_chunk(sparse_p_places *x, unsigned end, sparse_result *result)
{
    if (!sparse_p_next_chunk(&x->from)) return false;
    x->to.count = x->from.count;
    memset(x->to.at, 0, x->to.count * sizeof *x->to.at);
    for (unsigned l = 0; !*result && l < end; l++) {
        *result = sparse_p_places_in_level(x, l);
        if (*result) return false;
        if (sparse_p_has_pos(&x->to.t->encoding->level[l]))
            sparse_p_find_slots(x, l);
        else
            *result = sparse_p_find_linear(&x->to.level[l], x->to.at, x->coordinate, x->to.count);
    }
    return !*result;
}

/* Appends the sorted coordinates to a marked level, below `parent`. */
SPARSE_P_OUTLINE void sparse_p_append_sorted(sparse_writer *w, size_t parent, const sparse_p_records *r)
{
    const size_t count = r->buffer.length;
    #define SPARSE_P_LEVEL_ROW(NAME, name, traits)                                                                          \
    case NAME:                                                                                                              \
        for (size_t k = 0; (traits)&SPARSE_TRAIT_POS && k < count; k++)                                                     \
            sparse_##name##_append(w, parent, sparse_p_get(sparse_p_lane_of(r, k, 0), 0));                                  \
        return;
    SPARSE_P_LEVEL_CASES(SPARSE_P_LEVEL_ROW, w->t->encoding->level[w->level].type, )
    #undef SPARSE_P_LEVEL_ROW
}

/* Appends the marked coordinates to level l, below `parent`. */
static inline sparse_result sparse_p_append_marked(sparse_p_places *x, unsigned l, size_t parent)
{
    sparse_writer *const w = &x->to.level[l];
    SPARSE_P_TRY(sparse_p_sort(&x->mark));
    SPARSE_P_TRY(sparse_p_reserve_writer(w, w->parents, w->next + x->mark.buffer.length));
    sparse_p_append_sorted(w, parent, &x->mark);
    x->mark.buffer.length = 0; /* sorting may have exchanged the array for a shorter one */
    return sparse_p_enlarge(x->mark.hooks, &x->mark.buffer, w->size, (x->mark.words + 1) * sizeof(uint64_t));
}

/* Finds the coordinates that level l has below each parent. Parents ascend in the order of the entries, so marks are
   needed for one parent at a time: slot[l][c] is the last parent for which c was marked, counted from 1. */
SPARSE_P_OUTLINE sparse_result sparse_p_mark_level(sparse_p_places *x, unsigned l)
{
    uint32_t *const marked = (uint32_t *)x->slot[l].at, mark = 0;
    size_t parent = SIZE_MAX;
    sparse_result result = SPARSE_OK;
    for (size_t c = 0; c < x->slot[l].length; c++) marked[c] = 0;
    while (sparse_p_places_of_chunk(x, l, &result)) {
        SPARSE_P_TRY(sparse_p_places_in_level(x, l));
        for (size_t k = 0; k < x->to.count; k++) {
            const size_t c = x->coordinate[k];
            if (x->to.at[k] != parent) {
                if (parent != SIZE_MAX) SPARSE_P_TRY(sparse_p_append_marked(x, l, parent));
                parent = x->to.at[k];
                mark++;
            }
            if (marked[c] == mark) continue;
            marked[c] = mark;
            sparse_p_add_record(&x->mark, &c, &parent);
        }
    }
    return result ? result : sparse_p_append_marked(x, l, parent);
}

/* Fills the arrays of the marked level l below `parents` positions. */
SPARSE_P_COLD sparse_result sparse_p_put_marked_level(sparse_p_places *x, unsigned l, size_t parents)
{
    sparse_tensor *const t = x->to.t;
    sparse_writer *const w = &x->to.level[l];
    *w = sparse_p_open_writer(t, l, 0, 0);
    SPARSE_P_TRY(sparse_p_reserve_writer(w, parents, 0));
    SPARSE_P_TRY(sparse_p_allocate(t->hooks, &x->slot[l], t->lvl[l], sizeof(uint32_t)));
    sparse_p_places_rewind(x, 0, l + 1);
    sparse_result result = sparse_p_records_open(&x->mark, t->hooks, 1, &t->lvl[l], sizeof(size_t), t->lvl[l]);
    if (!result) result = sparse_p_mark_level(x, l);
    sparse_p_records_close(&x->mark);
    if (result) return result;
    return sparse_p_finish_writer(w, parents);
}

/* Fills the arrays of level l, whose positions follow from coordinates. */
SPARSE_P_COLD sparse_result sparse_p_put_linear_level(sparse_p_places *x, unsigned l, size_t parents)
{
    sparse_writer *const w = &x->to.level[l];
    *w = sparse_p_open_writer(x->to.t, l, 0, 0);
    SPARSE_P_TRY(sparse_p_extend_level(w, parents, 0));
    return sparse_p_finish_writer(w, parents); /* nothing to store yet */
}

/* Opens the ranges below all parents. next[p] is the number of entries below parent p, and becomes the first position of
   its range. */
SPARSE_P_INLINE void sparse_p_put_ranges_of(sparse_writer *writer, uint32_t *next, size_t parents, bool narrow,
                                            size_t (*verb)(sparse_writer *, size_t, size_t))
{
    sparse_writer w = *writer; /* a copy, which is kept in registers */
    if (narrow) w.pos_bits = w.crd_bits = 32;
    for (size_t p = 0; p < parents; p++) {
        const size_t count = (size_t)next[p], begin = w.next;
        next[p] = (uint32_t)begin;
        if (count == 0) continue;
        verb(&w, p, 0); /* opens the range; its coordinates are written later */
        w.next = begin + count;
    }
    *writer = w;
}
SPARSE_P_OUTLINE void sparse_p_put_ranges(sparse_writer *w, uint32_t *next, size_t parents)
{
    const bool narrow = w->pos_bits == 32 && w->crd_bits == 32;
    #define SPARSE_P_LEVEL_ROW(NAME, name, traits)                                                                          \
    case NAME:                                                                                                              \
        if (!((traits)&SPARSE_TRAIT_POS)) return;                                                                           \
        if (narrow)                                                                                                         \
            sparse_p_put_ranges_of(w, next, parents, true, sparse_##name##_append);                                         \
        else                                                                                                                \
            sparse_p_put_ranges_of(w, next, parents, false, sparse_##name##_append);                                        \
        return;
    SPARSE_P_LEVEL_CASES(SPARSE_P_LEVEL_ROW, w->t->encoding->level[w->level].type, )
    #undef SPARSE_P_LEVEL_ROW
}

/* place[k] = the parent of entry k in level `counted`; next[p] += the number of entries below parent p; *positions = the
   number of entries. */
SPARSE_P_OUTLINE sparse_result sparse_p_count_places(sparse_p_places *x, uint32_t *next, uint32_t *place, size_t *positions)
{
    sparse_result result = SPARSE_OK;
    *positions = 0;
    while (sparse_p_places_of_chunk(x, x->counted, &result)) {
        const size_t count = x->to.count;
        for (size_t k = 0; k < count; k++) {
            next[x->to.at[k]]++;
            place[k] = (uint32_t)x->to.at[k];
        }
        place += count;
        *positions += count;
    }
    return result;
}

/* Counts the entries below each parent of level `counted`, and opens the ranges of their positions. On entry, *positions
   is the most that there can be; on return, their number. E_POSITION_WIDTH. */
SPARSE_P_COLD sparse_result sparse_p_put_counted_levels(sparse_p_places *x, size_t parents, size_t *positions)
{
    sparse_tensor *const t = x->to.t;
    const unsigned levels = t->encoding->levels;
    sparse_result result = sparse_p_allocate(t->hooks, &x->next, parents, sizeof(uint32_t));
    if (!result) result = sparse_p_allocate(t->hooks, &x->place, *positions, sizeof(uint32_t));
    if (result) return result;
    uint32_t *const next = (uint32_t *)x->next.at;
    sparse_p_clear_counts(next, parents);
    sparse_p_places_rewind(x, 0, x->counted);
    result = sparse_p_count_places(x, next, (uint32_t *)x->place.at, positions);
    if (!result && *positions > sparse_p_largest(sparse_pos_bits(t->encoding))) result = SPARSE_E_POSITION_WIDTH;
    for (unsigned l = x->counted; !result && l < levels; l++) {
        x->to.level[l] = sparse_p_open_writer(t, l, 0, 0);
        result = sparse_p_extend_level(&x->to.level[l], l > x->counted ? *positions : parents, *positions);
    }
    for (unsigned l = x->counted; !result && l < levels; l++) {
        if (l == x->counted) sparse_p_put_ranges(&x->to.level[l], next, parents);
        result = sparse_p_finish_writer(&x->to.level[l], l > x->counted ? *positions : parents);
    }
    return result;
}

/* Writes all entries to their positions. It must not call COLD functions, because gcc would then optimise its loops for
   size. */
SPARSE_P_OUTLINE sparse_result sparse_p_put_in_places(sparse_p_places *x)
{
    sparse_tensor *const t = x->to.t;
    /* if there is no counted level, positions are known */
    const unsigned levels = t->encoding->levels, first = x->counted < levels ? levels : 0;
    uint32_t *const next = (uint32_t *)x->next.at, *place = (uint32_t *)x->place.at;
    sparse_result result = SPARSE_OK;
    while (sparse_p_places_of_chunk(x, levels - first, &result)) {
        const size_t count = x->to.count;
        for (size_t k = 0; next && k < count; k++) x->to.at[k] = (size_t)next[place[k]]++;
        if (next) place += count;
        for (unsigned l = x->counted; l < t->encoding->levels; l++) {
            SPARSE_P_TRY(sparse_p_places_in_level(x, l));
            const sparse_writer *const w = &x->to.level[l];
            SPARSE_P_BY_WIDTH(w->crd_bits, sparse_p_scatter_to, w->crd, w->stride, x->to.at, x->coordinate, x->to.count);
        }
        sparse_p_move_values(t, x->to.at, x->from.t, x->from.at, x->to.count);
    }
    return result;
}

/* dst = src by the route SCATTERED; at most `moving` entries move. x has its stream, and is empty otherwise. */
SPARSE_P_COLD sparse_result sparse_p_fill_places(sparse_p_places *x, size_t moving)
{
    sparse_tensor *const t = x->to.t;
    const sparse_encoding *const e = t->encoding;
    const unsigned count = sparse_p_find_map(e, SPARSE_MAP_COUNT);
    size_t parents = 1;
    if (count < e->levels)
        SPARSE_P_TRY(sparse_p_allocate(t->hooks, &x->counts, t->dim[e->level[count].dim], sizeof(uint32_t)));
    for (unsigned l = 0; l < x->counted; l++) {
        SPARSE_P_TRY(sparse_p_has_pos(&e->level[l]) ? sparse_p_put_marked_level(x, l, parents)
                                                    : sparse_p_put_linear_level(x, l, parents));
        parents = x->to.level[l].next;
    }
    if (x->counted < e->levels) {
        SPARSE_P_TRY(sparse_p_put_counted_levels(x, parents, &moving));
        parents = moving;
    }
    SPARSE_P_TRY(sparse_p_allocate(t->hooks, &t->val, parents, e->value_size));
    if (sparse_p_traits(e->level[e->levels - 1].type) & SPARSE_TRAIT_PADS) sparse_p_put_fill(e, t->val.at, parents);
    sparse_p_places_rewind(x, x->counted < e->levels ? x->counted : 0, e->levels);
    return sparse_p_put_in_places(x);
}

SPARSE_P_OUTLINE sparse_result sparse_p_convert_scattered(sparse_tensor *dst, const sparse_tensor *src, size_t moving)
{
    const sparse_hooks *const hooks = dst->hooks;
    sparse_p_places x;
    memset(&x, 0, sizeof x);
    x.to.t = dst;
    x.counted = sparse_p_counted_level(dst->encoding);
    sparse_result result = sparse_p_open_stream(&x.from, src, hooks);
    if (!result) result = sparse_p_fill_places(&x, moving);
    sparse_p_close_stream(&x.from);
    for (unsigned l = 0; l < SPARSE_MAX_LEVELS; l++) sparse_p_release(hooks, &x.slot[l], sizeof(uint32_t));
    sparse_p_release(hooks, &x.next, sizeof(uint32_t));
    sparse_p_release(hooks, &x.place, sizeof(uint32_t));
    sparse_p_release(hooks, &x.counts, sizeof(uint32_t));
    return result;
}

/* Makes the entries of the stream's chunk the chunk of the packer. differs[k] = the first level above `head` in which
   entry k differs from the entry before; `head` if there is none. last[] holds the coordinates of the entry before the
   chunk, and is updated. */
SPARSE_P_OUTLINE void sparse_p_compare_chunk(sparse_packer *p, const sparse_p_stream *s, unsigned head, size_t *last)
{
    p->count = s->count;
    memset(p->differs, 0, sizeof p->differs);
    for (unsigned l = 0; l < head; l++) {
        const size_t *const x = sparse_p_chunk_in_level(s, p->t, l, p->coordinate);
        size_t before = last[l];
        for (size_t k = 0; k < p->count; k++) {
            p->differs[k] = (uint8_t)(p->differs[k] + ((x[k] == before) & (p->differs[k] == l)));
            before = x[k];
        }
        last[l] = before;
    }
}

/* E_OVERFLOW if size_t cannot hold the bytes of an array of t whose length does not depend on the entries. */
SPARSE_P_COLD sparse_result sparse_p_check_lengths(const sparse_tensor *t)
{
    const sparse_encoding *const e = t->encoding;
    sparse_extent x;
    for (size_t l = 0, parents = 1, bytes; l < e->levels; parents = x.positions, l++) {
        if (!sparse_p_extent_of(t, (unsigned)l, parents, 0, &x)) return SPARSE_E_OVERFLOW;
        if (!sparse_p_mul(&bytes, x.pos, sparse_pos_bits(e) / 8u)) return SPARSE_E_OVERFLOW;
        if (sparse_p_has_pos(&e->level[l])) break;
    }
    return SPARSE_OK;
}

/* dst = src by the route APPENDED. Levels from `head` on have a position for each entry. */
SPARSE_P_COLD sparse_result sparse_p_append_entries(sparse_packer *p, sparse_p_stream *s, unsigned head, size_t moving)
{
    sparse_tensor *const t = p->t;
    const unsigned levels = t->encoding->levels;
    size_t last[SPARSE_MAX_LEVELS];
    for (unsigned l = 0; l < levels; l++) {
        last[l] = SIZE_MAX;
        p->level[l] = sparse_p_open_writer(t, l, 0, 0);
    }
    while (sparse_p_next_chunk(s)) {
        sparse_p_compare_chunk(p, s, head, last);
        memset(p->at, 0, sizeof p->at);
        for (unsigned l = 0; l < levels; l++) {
            const size_t *const x = sparse_p_chunk_in_level(s, t, l, p->coordinate);
            SPARSE_P_TRY(sparse_p_reserve_chunk(p, l, l < head ? 0 : moving));
            SPARSE_P_TRY(sparse_p_append_chunk_to(p, l, x));
        }
        SPARSE_P_TRY(sparse_p_reserve_values(p));
        sparse_p_move_values(t, p->at, s->t, s->at, p->count);
    }
    return sparse_p_finish_packer(p);
}

SPARSE_P_OUTLINE sparse_result sparse_p_convert_appended(sparse_tensor *dst, const sparse_tensor *src, size_t moving,
                                                         sparse_p_policy policy)
{
    sparse_packer p;
    sparse_p_stream s;
    memset(&p, 0, sizeof p);
    p.t = dst;
    p.policy = &policy;
    sparse_p_set_fresh(&p);
    sparse_result result = sparse_p_open_stream(&s, src, dst->hooks);
    if (!result) result = sparse_p_check_lengths(dst);
    if (!result) result = sparse_p_append_entries(&p, &s, sparse_p_last_run(dst->encoding), moving);
    sparse_p_close_stream(&s);
    return result;
}

/* Records the known order of records for e that come from s: r->first is the first field f such that records which agree
   in the fields before f are in order. */
SPARSE_P_COLD void sparse_p_predict_order(sparse_p_records *r, const sparse_encoding *e, const sparse_encoding *s)
{
    r->known = sparse_p_is_ordered(s) && sparse_p_find_map(e, SPARSE_MAP_COUNT) == e->levels && sparse_p_same_cuts(e, s);
    r->first = e->levels;
    while (r->first > 0 && sparse_p_same_order(e, s, sparse_p_fixed_parts(e, r->first - 1))) r->first--;
}

/* dst = src by the route SORTED. Uses the known order of the entries. */
SPARSE_P_OUTLINE sparse_result sparse_p_convert_sorted(sparse_tensor *dst, const sparse_tensor *src, size_t moving,
                                                       sparse_p_policy policy)
{
    sparse_p_records r;
    sparse_p_stream s;
    SPARSE_P_TRY(sparse_p_start(dst, src->dim, moving, &r));
    sparse_p_predict_order(&r, dst->encoding, src->encoding);
    const sparse_result result = sparse_p_open_stream(&s, src, dst->hooks);
    while (!result && sparse_p_next_chunk(&s)) sparse_p_append_records(&r, &s, dst);
    sparse_p_close_stream(&s);
    if (!result) return sparse_p_build(dst, &r, policy);
    sparse_p_records_close(&r);
    return result;
}

    #if SPARSE_P_ROW_LOOPS
/* dst = src through a tensor of encoding `rows`. */
SPARSE_P_COLD sparse_result sparse_p_convert_by_rows(sparse_tensor *dst, const sparse_tensor *src,
                                                     const sparse_encoding *rows)
{
    sparse_tensor middle = sparse_p_empty(rows, dst->hooks);
    sparse_result result = sparse_convert(&middle, src);
    const size_t entries = middle.val.length; /* fewer than `moving` if some are outside of the dimensions */
    if (!result && sparse_p_way_of_rows(dst, rows, entries))
        result = sparse_p_convert_rows(dst, &middle);
    else if (!result)
        result = sparse_p_convert_sorted(dst, &middle, entries, sparse_p_convert_policy(dst->encoding));
    sparse_free(&middle);
    return result;
}

/* list = all entries of s, in their order. `list` is a coordinate list with room for them. */
SPARSE_P_OUTLINE void sparse_p_list_entries(sparse_tensor *list, sparse_p_stream *s)
{
    const sparse_encoding *const e = list->encoding;
    const unsigned pos_bits = sparse_pos_bits(e), crd_bits = sparse_crd_bits(e);
    size_t n = 0;
    while (sparse_p_next_chunk(s)) {
        for (unsigned l = 0; l < e->levels; l++)
            sparse_p_copy_share((char *)list->crd[l].at + n * (crd_bits / 8u), crd_bits, 1, s->dim[e->level[l].dim],
                                8 * sizeof **s->dim, 1, s->count);
        sparse_p_gather_values((char *)list->val.at + n * e->value_size, s->t, s->at, s->count);
        n += s->count;
    }
    list->crd[0].length = list->crd[1].length = list->val.length = n;
    sparse_p_put_number(list->pos[0].at, pos_bits, 0, 0);
    sparse_p_put_number(list->pos[0].at, pos_bits, 1, n);
}

/* dst = src by the route LISTED; at most `moving` entries move. */
SPARSE_P_COLD sparse_result sparse_p_convert_listed(sparse_tensor *dst, const sparse_tensor *src, size_t moving)
{
    const sparse_encoding listed = sparse_p_as_rows(src->encoding, src->dim, 0, true);
    const size_t positions[] = {1, moving, moving};
    const uint32_t row = (uint32_t)SPARSE_P_BOTH_PARTS << 4 * dst->encoding->level[0].dim;
    const bool in_order =
        /* in order within each row */
        sparse_p_is_ascending(src->encoding) && sparse_p_same_order(src->encoding, dst->encoding, row);
    const sparse_p_policy policy = sparse_p_convert_policy(dst->encoding);
    sparse_tensor list = sparse_p_empty(&listed, dst->hooks);
    sparse_p_stream s;
    sparse_result result = sparse_p_open_stream(&s, src, dst->hooks);
    if (!result) result = sparse_p_renew(&list, src->dim);
    if (!result) result = sparse_p_allocate_arrays(&list, positions);
    s.walk.across =
        s.tail.each > SPARSE_P_CHUNK && sparse_p_parts_of(&src->encoding->level[src->encoding->levels - 1]) == row;
    if (!result) sparse_p_list_entries(&list, &s);
    sparse_p_close_stream(&s);
    if (!result) result = sparse_p_rows_exchange(dst, &list, in_order ? NULL : &policy);
    sparse_free(&list);
    return result;
}

/* Finds compressed rows, or columns, from which there is a route to the blocks of dst. Returns false if there are none. */
SPARSE_P_COLD bool sparse_p_find_rows(const sparse_tensor *dst, const sparse_tensor *src, size_t moving,
                                      sparse_encoding *rows)
{
    for (uint8_t dim = 0; dim < 2 && dst->encoding->rank == 2; dim++) {
        *rows = sparse_p_as_rows(src->encoding, src->dim, dim, false);
        if (sparse_p_is_blocks(dst->encoding, rows))
            return src->dim[dim] <= sparse_p_most_counters(moving) && sparse_p_way_of_rows(dst, rows, moving);
    }
    return false;
}

/* Returns the route through rows, and their encoding; SORTED if there is none. */
SPARSE_P_COLD sparse_p_route sparse_p_route_by_rows(const sparse_tensor *dst, const sparse_tensor *src, size_t moving,
                                                    sparse_encoding *rows)
{
    if (sparse_p_way_of_rows(dst, src->encoding, src->val.length)) return SPARSE_P_ROUTE_DIRECT;
    if (sparse_p_find_rows(dst, src, moving, rows)) return SPARSE_P_ROUTE_ROWS;
    if (dst->encoding->rank != 2 || !sparse_p_is_rows(dst->encoding) || sparse_p_is_rows(src->encoding))
        return SPARSE_P_ROUTE_SORTED;
    *rows = sparse_p_as_rows(src->encoding, src->dim, 0, true);
    return sparse_p_way_of_rows(dst, rows, moving) ? SPARSE_P_ROUTE_LISTED : SPARSE_P_ROUTE_SORTED;
}
static inline sparse_result sparse_p_take_route_by_rows(sparse_tensor *dst, const sparse_tensor *src, size_t moving,
                                                        sparse_p_route route, const sparse_encoding *rows)
{
    if (route == SPARSE_P_ROUTE_LISTED) return sparse_p_convert_listed(dst, src, moving);
    return route == SPARSE_P_ROUTE_ROWS ? sparse_p_convert_by_rows(dst, src, rows) : sparse_p_convert_rows(dst, src);
}
    #else
SPARSE_P_COLD sparse_p_route sparse_p_route_by_rows(const sparse_tensor *dst, const sparse_tensor *src, size_t moving,
                                                    sparse_encoding *rows)
{
    (void)dst, (void)src, (void)moving, (void)rows;
    return SPARSE_P_ROUTE_SORTED;
}
static inline sparse_result sparse_p_take_route_by_rows(sparse_tensor *dst, const sparse_tensor *src, size_t moving,
                                                        sparse_p_route route, const sparse_encoding *rows)
{
    (void)dst, (void)src, (void)moving, (void)route, (void)rows;
    return SPARSE_E_ENCODING;
}
    #endif

/* Chooses the route from src to dst; `moving` entries move. If it is ROWS, sets `rows`. */
SPARSE_P_COLD sparse_p_route sparse_p_route_of(const sparse_tensor *dst, const sparse_tensor *src, size_t moving,
                                               sparse_encoding *rows)
{
    const sparse_encoding *const e = dst->encoding, *const s = src->encoding;
    bool counts = false;
    for (unsigned l = 0; l < e->levels; l++) {
        if (sparse_p_traits(e->level[l].type) & SPARSE_TRAIT_FORWARD) return SPARSE_P_ROUTE_SORTED;
        counts = counts || sparse_p_has_pos(&e->level[l]);
    }
    const sparse_p_route by_rows = sparse_p_route_by_rows(dst, src, moving, rows);
    /* such small machines have no room for the code of other routes */
    if (SIZE_MAX < UINT32_MAX) return SPARSE_P_ROUTE_SORTED;
    if (by_rows == SPARSE_P_ROUTE_DIRECT) return by_rows;
    const bool scattered = sparse_p_is_scattered_to(dst, src, moving);
    if (scattered && !counts) return SPARSE_P_ROUTE_SCATTERED; /* without counters, this is always the best */
    if (sparse_p_is_appended(e, s)) return SPARSE_P_ROUTE_APPENDED;
    if (by_rows != SPARSE_P_ROUTE_SORTED) return by_rows;
    return scattered ? SPARSE_P_ROUTE_SCATTERED : SPARSE_P_ROUTE_SORTED;
}

/* dst = src by the route that sparse_p_route_of chooses. Neither type has a constant value. */
SPARSE_P_COLD sparse_result sparse_p_take_route(sparse_tensor *dst, const sparse_tensor *src)
{
    const size_t moving = sparse_p_moving(src);
    const sparse_p_policy policy = sparse_p_convert_policy(dst->encoding);
    sparse_encoding rows;
    const sparse_p_route route = sparse_p_route_of(dst, src, moving, &rows);
    switch (route) {
    case SPARSE_P_ROUTE_APPENDED:
        return sparse_p_convert_appended(dst, src, moving, policy);
    case SPARSE_P_ROUTE_SCATTERED:
        return sparse_p_convert_scattered(dst, src, moving);
    case SPARSE_P_ROUTE_SORTED:
        return sparse_p_convert_sorted(dst, src, moving, policy);
    default:
        return sparse_p_take_route_by_rows(dst, src, moving, route, &rows);
    }
}

/* sparse_p_take_route if dst or src has a constant value: uses tensors with arrays of values. */
SPARSE_P_COLD sparse_result sparse_p_convert_constants(sparse_tensor *dst, const sparse_tensor *src)
{
    const sparse_encoding *e = dst->encoding, *s = src->encoding, to = sparse_p_plain(e), from = sparse_p_plain(s);
    sparse_tensor view = *src;
    sparse_result result = SPARSE_OK;
    view.encoding = &from;
    if (s->constant) {
        memset(&view.val, 0, sizeof view.val);
        result = sparse_p_allocate(dst->hooks, &view.val, src->val.length, s->value_size);
        if (!result) sparse_p_fill(view.val.at, src->val.length, s->constant, s->value_size);
    }
    sparse_free(dst);
    dst->encoding = &to;
    if (!result) result = sparse_convert(dst, &view);
    if (s->constant) sparse_p_release(dst->hooks, &view.val, s->value_size);
    if (!result && e->constant) return sparse_p_drop_values(dst, e);
    dst->encoding = e;
    return result;
}

SPARSE_API sparse_result sparse_convert(sparse_tensor *dst, const sparse_tensor *src)
{
    if (!dst || dst == src) return dst ? SPARSE_E_ALIAS : SPARSE_E_NULL;
    sparse_result result = sparse_encoding_check(dst->encoding);
    if (result) return result;
    const sparse_encoding *e = dst->encoding;
    result = sparse_p_check_source(src);
    if (!result && sparse_p_lends(dst, src)) return SPARSE_E_ALIAS;
    if (!result && src->encoding->rank != e->rank) result = SPARSE_E_DIMENSIONS;
    if (!result && !sparse_p_same_values(e, src->encoding)) result = SPARSE_E_VALUE_TYPE;
    if (!result && sparse_same_encoding(e, src->encoding)) return sparse_copy(dst, src);
    if (!result && (e->constant || src->encoding->constant)) return sparse_p_convert_constants(dst, src);
    if (!result) result = sparse_p_renew(dst, src->dim);
    if (!result) result = sparse_p_take_route(dst, src);
    if (result) sparse_free(dst);
    return result;
}

/* An encoding with one compressed level for each dimension, and the values of e. */
static inline sparse_encoding sparse_p_sorted(const sparse_encoding *e)
{
    sparse_encoding s;
    memset(&s, 0, sizeof s);
    s.name = "sorted";
    s.rank = s.levels = e->rank;
    s.pos_bits = s.crd_bits = 64;
    s.kind = e->kind;
    s.fill = e->fill;
    s.value_size = e->value_size;
    for (unsigned d = 0; d < e->rank; d++) s.level[d] = sparse_p_level_of(false, d);
    return s;
}

SPARSE_API sparse_result sparse_unpack_dense_untyped(const sparse_tensor *t, void *values)
{
    size_t bytes, volume = 0;
    sparse_result result = sparse_p_check_source(t);
    if (!result) result = sparse_p_volume(t->encoding->rank, t->dim, &volume);
    if (result) return result;
    const sparse_encoding *e = t->encoding;
    if (!sparse_p_mul(&bytes, volume, e->value_size)) return SPARSE_E_OVERFLOW;
    if (bytes == 0) return SPARSE_OK;
    if (!values) return SPARSE_E_NULL;
    sparse_buffer taken = {NULL, 0, 0}; /* a bit for each element, set once it has a value, if coordinates can repeat */
    unsigned last = sparse_p_run_end(e, 0) - 1;
    while (last + 1 < e->levels && !(e->level[last].properties & SPARSE_NONUNIQUE)) last = sparse_p_run_end(e, last + 1) - 1;
    if (e->level[last].properties & SPARSE_NONUNIQUE && e->kind != SPARSE_OPAQUE) {
        result = sparse_p_allocate(t->hooks, &taken, volume / 8 + 1, 1);
        if (result) return result;
        if (taken.at) memset(taken.at, 0, taken.length); /* the test is for static analysers */
    }
    sparse_p_put_fill(e, values, volume);
    SPARSE_FOREACH(c, t)
    {
        size_t k = 0;
        for (unsigned d = 0; d < e->rank; d++) k = k * t->dim[d] + c.dim[d];
        char *const at = (char *)values + k * e->value_size;
        uint8_t *const byte = taken.at ? (uint8_t *)taken.at + k / 8 : NULL;
        if (byte && *byte >> k % 8 & 1)
            sparse_p_sum(at, c.value, (void *)e);
        else
            memcpy(at, c.value, e->value_size);
        if (byte) *byte = (uint8_t)(*byte | 1u << k % 8);
    }
    sparse_p_release(t->hooks, &taken, 1);
    return SPARSE_OK;
}

/* True if two tensors of that encoding are equal everywhere. */
SPARSE_P_OUTLINE bool sparse_p_is_equal(const sparse_tensor *x, const sparse_tensor *y, double tolerance)
{
    const sparse_encoding *e = x->encoding;
    sparse_cursor a = sparse_begin(x), b = sparse_begin(y);
    while (sparse_valid(&a) || sparse_valid(&b)) {
        unsigned d = 0;
        while (d + 1u < e->rank && a.dim[d] == b.dim[d]) d++;
        const bool in_a = sparse_valid(&a) && (!sparse_valid(&b) || a.dim[d] <= b.dim[d]);
        const bool in_b = sparse_valid(&b) && (!sparse_valid(&a) || b.dim[d] <= a.dim[d]);
        if (!sparse_p_is_close(e, in_a ? a.value : b.value, in_a && in_b ? b.value : NULL, tolerance)) return false;
        if (in_a) sparse_next(&a);
        if (in_b) sparse_next(&b);
    }
    return true;
}

SPARSE_API sparse_result sparse_equal(const sparse_tensor *a, const sparse_tensor *b, double tolerance, bool *equal)
{
    if (!equal) return SPARSE_E_NULL;
    *equal = false;
    sparse_result result = sparse_p_check_source(a);
    if (!result) result = sparse_p_check_source(b);
    if (result) return result;
    const sparse_encoding *u = a->encoding, *v = b->encoding;
    if (u->rank != v->rank || u->kind != v->kind || u->value_size != v->value_size ||
        memcmp(a->dim, b->dim, u->rank * sizeof *a->dim) != 0)
        return SPARSE_OK;
    const sparse_encoding e = sparse_p_sorted(u);
    sparse_tensor x = sparse_p_empty(&e, a->hooks), y = x;
    result = sparse_convert(&x, a);
    if (!result) result = sparse_convert(&y, b);
    if (!result) *equal = sparse_p_is_equal(&x, &y, tolerance);
    sparse_free(&x);
    sparse_free(&y);
    return result;
}

/* >>validation, defined */

SPARSE_P_COLD sparse_result sparse_p_report(sparse_report *where, sparse_result result, const char *array, unsigned level,
                                            size_t position)
{
    where->array = array;
    where->level = level;
    where->position = position;
    return result;
}

/* The alignment in bytes of unsigned integers of `bits` bits. */
static inline size_t sparse_p_alignment(unsigned bits)
{
    switch (bits) {
    case 8:
        return SPARSE_P_ALIGNOF(uint8_t);
    case 16:
        return SPARSE_P_ALIGNOF(uint16_t);
    case 32:
        return SPARSE_P_ALIGNOF(uint32_t);
    default:
        return SPARSE_P_ALIGNOF(uint64_t);
    }
}

/* True if b is an array of `length` numbers of `bits` bits, as far as can be checked. */
static inline bool sparse_p_is_array(const sparse_buffer *b, size_t length, unsigned bits)
{
    if (b->length != length || (b->capacity > 0 && b->capacity < length)) return false;
    return length == 0 || (b->at && (uintptr_t)b->at % sparse_p_alignment(bits) == 0);
}

/* Checks that the ranges of loose level l are disjoint, in any order. */
SPARSE_P_DETACHED sparse_result sparse_p_check_disjoint(const sparse_tensor *t, unsigned l, size_t parents, size_t positions,
                                                        sparse_report *where)
{
    sparse_p_records r;
    const void *const pos = t->pos[l].at;
    const unsigned bits = sparse_pos_bits(t->encoding);
    sparse_result result = sparse_p_records_open(&r, t->hooks, 1, &positions, sizeof(uint64_t), parents);
    if (result) return result;
    for (uint64_t p = 0; p < parents; p++) {
        const size_t begin = sparse_load(pos, bits, (size_t)p * 2);
        if (begin < sparse_load(pos, bits, (size_t)p * 2 + 1)) sparse_p_add_record(&r, &begin, &p);
    }
    result = sparse_p_sort(&r);
    for (size_t k = 0, end = 0; !result && k < r.buffer.length; k++) {
        const size_t p = sparse_p_origin(&r, k);
        if (sparse_load(pos, bits, 2 * p) < end) result = sparse_p_report(where, SPARSE_E_POSITIONS, "pos", l, 2 * p);
        end = sparse_load(pos, bits, 2 * p + 1);
    }
    sparse_p_records_close(&r);
    return result;
}

/* Checks the coordinates at position p in the levels [l, end), which share their positions: they must be in range and, if
   position p - 1 has the same parent, in the required order. */
static inline sparse_result sparse_p_check_position(const sparse_tensor *t, const sparse_level_iterator *i,
                                                    const sparse_p_column *column, unsigned l, unsigned end, bool first,
                                                    sparse_report *where)
{
    const size_t p = i->position;
    bool tied = !first; /* true while the coordinates equal those of p - 1 */
    for (unsigned k = l; k < end; k++) {
        const bool packed = k == l && i->packed_bits;
        const sparse_p_column c = column[k];
        const uint64_t at = packed ? sparse_p_packed_at(i, p) : sparse_p_load(c.at, i->crd_bits, p * c.stride);
        if (at >= t->lvl[k]) return sparse_p_report(where, SPARSE_E_COORDINATE, "crd", k, p);
        if (!tied) continue;
        const uint64_t before = packed ? sparse_p_packed_at(i, p - 1) : sparse_p_load(c.at, i->crd_bits, (p - 1) * c.stride);
        const unsigned properties = t->encoding->level[k].properties;
        if ((before == at && !(properties & SPARSE_NONUNIQUE)) || (before > at && !(properties & SPARSE_NONORDERED)))
            return sparse_p_report(where, SPARSE_E_ORDER, "crd", k, p);
        tied = before == at;
    }
    return SPARSE_OK;
}

/* Checks that unique levels [l, end) that are not ordered repeat no coordinates, by sorting the coordinates below each
   parent. */
SPARSE_P_DETACHED sparse_result sparse_p_check_unique(const sparse_tensor *t, unsigned l, unsigned end, size_t parents,
                                                      size_t positions, sparse_report *where)
{
    sparse_p_records r;
    size_t size[SPARSE_MAX_LEVELS + 1], at[SPARSE_MAX_LEVELS + 1];
    const unsigned fields = 1 + end - l;
    sparse_level_iterator i = sparse_level_open(t->encoding, t, l);
    size[0] = parents;
    memcpy(size + 1, t->lvl + l, (end - l) * sizeof *size);
    sparse_result result = sparse_p_records_open(&r, t->hooks, fields, size, sizeof(uint64_t), positions);
    if (result) return result;
    for (at[0] = 0; at[0] < parents; at[0]++)
        for (sparse_p_enter_verb(&i, at[0], at[0] + 1); sparse_level_valid(&i); sparse_level_next(&i)) {
            const uint64_t p = i.position;
            at[1] = sparse_p_coordinate(&i, i.position);
            for (unsigned k = l + 1; k < end; k++) {
                const sparse_p_column c = sparse_p_column_of(t, k);
                at[1 + k - l] = sparse_load(c.at, i.crd_bits, i.position * c.stride);
            }
            sparse_p_add_record(&r, at, &p);
        }
    result = sparse_p_sort(&r);
    for (size_t k = 1; !result && k < r.buffer.length; k++)
        if (sparse_p_difference(&r, k) == fields)
            result = sparse_p_report(where, SPARSE_E_ORDER, "crd", end - 1, sparse_p_origin(&r, k));
    sparse_p_records_close(&r);
    return result;
}

/* Checks the coordinates of level l, whose positions are valid, and of the singletons after it. Not inlined, because gcc -O1
   would then have to inline `enter` as well, and reports that it cannot. */
SPARSE_P_OUTLINE sparse_result sparse_p_check_coordinates(const sparse_tensor *t, unsigned l, size_t parents,
                                                          size_t positions, sparse_p_entering enter, sparse_report *where)
{
    const sparse_encoding *e = t->encoding;
    const unsigned end = sparse_p_run_end(e, l);
    sparse_p_column column[SPARSE_MAX_LEVELS];
    if (positions == 0) return SPARSE_OK;
    for (unsigned k = l; k < end && k < SPARSE_MAX_LEVELS; k++) column[k] = sparse_p_column_of(t, k);
    sparse_level_iterator i = sparse_level_open(e, t, l);
    for (size_t parent = 0; parent < parents; parent++) {
        bool first = true;
        for (enter(&i, parent, parent + 1); i.position < i.end; i.position++) {
            sparse_result result = sparse_p_check_position(t, &i, column, l, end, first, where);
            if (result) return result;
            first = false;
        }
    }
    return SPARSE_OK;
}

/* The coordinates of some levels must be unique below a parent but are not ordered, so that a repeated coordinate can be
   anywhere. Returns the end of these levels from l on; l if there are none. */
static inline unsigned sparse_p_end_of_unordered(const sparse_encoding *e, unsigned l)
{
    const unsigned end = sparse_p_run_end(e, l), unique = sparse_p_first_unique(e, l);
    bool ordered = true; /* for levels l to `unique` */
    for (unsigned k = l; k <= unique && k < end; k++) ordered = ordered && !(e->level[k].properties & SPARSE_NONORDERED);
    return ordered || unique >= end ? l : unique + 1;
}

/* The number of positions of level l that its arrays state, if it does not follow from its parents. */
static inline size_t sparse_p_stated_positions(const sparse_tensor *t, unsigned l)
{
    const sparse_buffer *const pos = &t->pos[l];
    if (!(sparse_p_traits(t->encoding->level[l].type) & SPARSE_TRAIT_FORWARD))
        return t->crd[l].length / sparse_p_column_of(t, l).stride;
    const unsigned bits = sparse_pos_bits(t->encoding);
    return pos->length > 0 && sparse_p_is_array(pos, pos->length, bits) ? sparse_load(pos->at, bits, pos->length - 1) : 0;
}

/* Checks the lengths of the arrays of level l below *positions parents, and sets *positions to the positions of level l. */
static inline sparse_result sparse_p_check_arrays(const sparse_tensor *t, unsigned l, size_t *positions,
                                                  sparse_p_extending extent, sparse_report *where)
{
    const sparse_encoding *e = t->encoding;
    sparse_extent x = {*positions, sparse_p_stated_positions(t, l), 0, 0, sparse_crd_bits(e)};
    const bool fits = extent(&e->level[l], t->lvl[l], &x) && sparse_p_mul(&x.crd, x.crd, sparse_p_column_of(t, l).stride);
    if (!fits) return sparse_p_report(where, SPARSE_E_OVERFLOW, "lvl", l, t->lvl[l]);
    if (x.pos > 0 && !t->pos[l].at) return SPARSE_E_EMPTY;
    if (!sparse_p_is_array(&t->pos[l], x.pos, sparse_pos_bits(e)))
        return sparse_p_report(where, SPARSE_E_LENGTH, "pos", l, t->pos[l].length);
    if (!sparse_p_is_array(&t->crd[l], x.crd, sparse_crd_bits(e)))
        return sparse_p_report(where, SPARSE_E_LENGTH, "crd", l, t->crd[l].length);
    *positions = x.positions;
    return SPARSE_OK;
}

/* Checks the arrays of t, which has a sound encoding and sizes, and no batches. Level l is checked by check[l * step].
   Does not check that unordered coordinates are unique. Sets positions[l] to the number of positions above level l. */
static inline sparse_result sparse_p_check_storage_by(const sparse_tensor *t, const sparse_p_level_check *const *check,
                                                      unsigned step, size_t *positions, sparse_report *where)
{
    const sparse_encoding *e = t->encoding;
    const unsigned levels = e->levels, part = (unsigned)sparse_p_kind_size(sparse_p_component(e->kind));
    sparse_result result = SPARSE_OK;
    positions[0] = 1;
    for (unsigned l = 0; !result && l < levels; l++) {
        positions[l + 1] = positions[l];
        result = sparse_p_check_arrays(t, l, &positions[l + 1], check[l * step]->extent, where);
    }
    const bool fits = e->constant ? t->val.length == positions[levels] && !t->val.at
                                  : sparse_p_is_array(&t->val, positions[levels], part ? 8 * part : 8);
    if (!result && !fits) result = sparse_p_report(where, SPARSE_E_LENGTH, "val", levels, t->val.length);
    for (unsigned l = 0; !result && l < levels; l++)
        result = check[l * step]->validate(t, l, positions[l], positions[l + 1], where);
    return result;
}

/* sparse_p_check_storage_by for all level types. Also checks that unordered coordinates are unique. */
static inline sparse_result sparse_p_check_storage(const sparse_tensor *t, sparse_report *where)
{
    static const sparse_p_level_check any = {sparse_p_extent_verb, sparse_p_validate_verb}, *const all = &any;
    const sparse_encoding *const e = t->encoding;
    size_t positions[SPARSE_MAX_LEVELS + 1];
    sparse_result result = sparse_p_check_storage_by(t, &all, 0, positions, where);
    for (unsigned l = 0; !result && l < e->levels; l++) {
        const unsigned end = sparse_p_end_of_unordered(e, l);
        if (end > l && positions[l + 1] > 0 && !(sparse_p_traits(e->level[l].type) & SPARSE_TRAIT_SHARED))
            result = sparse_p_check_unique(t, l, end, positions[l], positions[l + 1], where);
    }
    return result;
}

/* *part = the part of array b that belongs to one batch. Returns false if b cannot be divided into `batches` parts. */
SPARSE_P_COLD bool sparse_p_take_part(sparse_buffer *part, const sparse_buffer *b, size_t batch, size_t batches, size_t size)
{
    if (b->length % batches != 0 || (b->length > 0 && !b->at && size > 0) || (b->capacity > 0 && b->capacity < b->length))
        return false;
    part->length = b->length / batches;
    part->capacity = 0;
    part->at = part->length > 0 && b->at ? (char *)b->at + batch * part->length * size : NULL;
    return true;
}

/* Shortens the arrays of s, one batch, to the used part, because only the fullest batch uses all. */
SPARSE_P_COLD void sparse_p_trim(sparse_tensor *s)
{
    const sparse_encoding *e = s->encoding;
    const unsigned bits = sparse_pos_bits(e);
    size_t positions = 1;
    sparse_extent x;
    for (unsigned l = 0; l < e->levels; l++) {
        size_t used = 0; /* the end of the last range in memory, which may belong to any parent */
        if (!sparse_p_extent_of(s, l, positions, 0, &x) || x.pos > s->pos[l].length) return;
        if (x.pos > 0 && (uintptr_t)s->pos[l].at % sparse_p_alignment(bits)) return;
        s->pos[l].length = x.pos;
        for (size_t p = 0; p < x.pos; p++) {
            const size_t end = sparse_load(s->pos[l].at, bits, p);
            if (end > used) used = end;
        }
        if (!sparse_p_extent_of(s, l, positions, used, &x)) return;
        if (s->crd[l].length > x.crd) s->crd[l].length = x.crd;
        positions = x.positions;
    }
    if (s->val.length > positions) s->val.length = positions;
}

/* Checks the arrays of t batch by batch. */
SPARSE_P_DETACHED sparse_result sparse_p_check_batches(const sparse_tensor *t, sparse_report *where)
{
    const sparse_encoding *e = t->encoding, below = sparse_p_below_batches(e);
    const unsigned skip = (unsigned)(e->levels - below.levels);
    sparse_tensor s = sparse_p_empty(&below, t->hooks);
    size_t batches = 1;
    for (unsigned l = 0; l < skip; l++)
        if (!sparse_p_mul(&batches, batches, t->lvl[l]))
            return sparse_p_report(where, SPARSE_E_OVERFLOW, "lvl", l, t->lvl[l]);
    memcpy(s.dim, t->lvl + skip, below.levels * sizeof *s.dim);
    memcpy(s.lvl, t->lvl + skip, below.levels * sizeof *s.lvl);
    size_t elements = t->val.length;
    for (unsigned l = 0; l < e->levels; l++) elements += t->pos[l].length + t->crd[l].length;
    if (elements == 0 && batches > 1) batches = 1; /* without elements, all batches are equal */
    for (size_t b = 0; b < batches; b++) {
        for (unsigned l = 0; l < below.levels; l++) {
            if (!sparse_p_take_part(&s.pos[l], &t->pos[skip + l], b, batches, sparse_pos_bits(e) / 8u))
                return sparse_p_report(where, SPARSE_E_LENGTH, "pos", skip + l, t->pos[skip + l].length);
            if (!sparse_p_take_part(&s.crd[l], &t->crd[skip + l], b, batches, sparse_crd_bits(e) / 8u))
                return sparse_p_report(where, SPARSE_E_LENGTH, "crd", skip + l, t->crd[skip + l].length);
        }
        if (!sparse_p_take_part(&s.val, &t->val, b, batches, sparse_p_stored_size(e)))
            return sparse_p_report(where, SPARSE_E_LENGTH, "val", e->levels, t->val.length);
        sparse_p_trim(&s);
        const sparse_result result = sparse_p_check_storage(&s, where);
        if (result) return sparse_p_report(where, result, where->array, skip + where->level, where->position);
    }
    return SPARSE_OK;
}

/* Checks that no entry of t occurs in two slices. All other checks were successful. */
SPARSE_P_DETACHED sparse_result sparse_p_check_dealt(const sparse_tensor *t, sparse_report *where)
{
    const sparse_encoding *e = t->encoding;
    const unsigned last = e->levels - 1u;
    sparse_p_records r;
    sparse_result result = sparse_p_records_open(&r, t->hooks, e->levels, t->lvl, sizeof(uint64_t), t->val.length);
    if (result) return result;
    SPARSE_FOREACH(c, t)
    {
        const uint64_t p = c.position;
        sparse_p_append_at(&r, t, c.dim, &p);
    }
    result = sparse_p_sort(&r);
    for (size_t k = 1; !result && k < r.buffer.length; k++)
        if (sparse_p_difference(&r, k) == e->levels)
            result = sparse_p_report(where, SPARSE_E_ORDER, "crd", last, sparse_p_origin(&r, k));
    sparse_p_records_close(&r);
    return result;
}

SPARSE_API sparse_result sparse_validate(const sparse_tensor *t, sparse_report *where)
{
    sparse_report unused;
    size_t lvl[SPARSE_MAX_LEVELS];
    if (!where) where = &unused;
    where->array = "lvl";
    where->level = 0;
    where->position = 0;
    sparse_result result = t ? sparse_encoding_check(t->encoding) : SPARSE_E_NULL;
    if (!result && sparse_p_is_empty(t)) result = SPARSE_E_EMPTY;
    if (!result) result = sparse_level_sizes(t->encoding, t->dim, lvl);
    if (result) return result;
    const unsigned levels = t->encoding->levels, batch = sparse_p_batch_levels(t->encoding);
    const unsigned l = sparse_p_level_of_another_size(t);
    if (l < levels) return sparse_p_report(where, SPARSE_E_SHAPE, "lvl", l, l);
    if (batch > 0 && batch < levels) return sparse_p_check_batches(t, where);
    result = sparse_p_check_storage(t, where);
    const bool unique = !(t->encoding->level[levels - 1].properties & SPARSE_NONUNIQUE);
    return !result && unique && sparse_p_find_map(t->encoding, SPARSE_MAP_COUNT) < levels ? sparse_p_check_dealt(t, where)
                                                                                          : result;
}

/* >>assembly, defined */

/* The array as a buffer that borrows it. */
static inline sparse_buffer sparse_p_borrowed(sparse_array a)
{
    const sparse_buffer b = {(void *)a.at, a.length, 0};
    return b;
}

/* Gives b, which borrows an array, a copy of its own, and subtracts `base` from each number. */
SPARSE_P_OUTLINE sparse_result sparse_p_own_buffer(const sparse_hooks *hooks, sparse_buffer *b, size_t size, size_t base)
{
    const sparse_buffer from = *b;
    if (!b->at || size == 0) return SPARSE_OK;
    memset(b, 0, sizeof *b);
    SPARSE_P_TRY(sparse_p_allocate_first(hooks, b, from.length, size));
    if (from.length > 0 && base == 0) memcpy(b->at, from.at, from.length * size);
    for (size_t k = 0; base > 0 && k < from.length; k++)
        sparse_store(b->at, (unsigned)size * 8, k, sparse_load(from.at, (unsigned)size * 8, k) - base);
    return SPARSE_OK;
}

/* True if the elements of array a are integers of `bits` bits. */
static inline bool sparse_p_holds_numbers(const sparse_array *a, unsigned bits)
{
    return !a->at || (a->kind <= SPARSE_U64 && a->size * 8 == bits);
}

/* True if the elements of array a are values of the encoding. */
static inline bool sparse_p_holds_values(const sparse_array *a, const sparse_encoding *e)
{
    return !a->at || e->constant || (a->kind == e->kind && a->size == e->value_size);
}

/* Records for sparse_explain in which array of t sparse_assemble found an error. */
SPARSE_P_COLD sparse_result sparse_p_explain_array(const sparse_encoding *e, sparse_result result,
                                                   const sparse_report *where, const char *has, const char *wanted)
{
    sparse_p_problem p;
    memset(&p, 0, sizeof p);
    p.result = result, p.subject = e->name, p.array = where->array, p.level = where->level, p.position = where->position;
    p.encoding = has, p.wanted = wanted;
    return sparse_p_found(&p);
}

/* The name of an element type of `size` bytes. */
SPARSE_P_COLD const char *sparse_p_element_name(sparse_kind kind, size_t size)
{
    static const char *const of[] = {"int8_t",        "int16_t",        "int32_t",    "int64_t",    "uint8_t",
                                     "uint16_t",      "uint32_t",       "uint64_t",   "float",      "double",
                                     "complex float", "complex double", "sparse_f16", "sparse_bf16"};
    return size == 0                        ? "unknown type: use SPARSE_ARRAY"
           : (unsigned)kind < SPARSE_OPAQUE ? of[kind]
                                            : "a type of the program";
}

/* E_ELEMENT for array a of level l. */
SPARSE_P_COLD sparse_result sparse_p_refuse_element(const sparse_encoding *e, const sparse_array *a, const char *array,
                                                    unsigned l, unsigned bits, sparse_report *where)
{
    const char *const numbers = bits == 8 ? "int8_t" : bits == 16 ? "int16_t" : bits == 32 ? "int32_t" : "int64_t";
    (void)sparse_p_report(where, SPARSE_E_ELEMENT, array, l, 0);
    return sparse_p_explain_array(e, SPARSE_E_ELEMENT, where, sparse_p_element_name(a->kind, a->size),
                                  bits ? numbers : sparse_p_element_name(e->kind, e->value_size));
}

/* SPARSE_OK if the elements of all arrays have the types that the encoding demands; otherwise E_ELEMENT, with *where. */
SPARSE_P_COLD sparse_result sparse_p_check_elements(const sparse_encoding *e, const sparse_arrays *arrays,
                                                    sparse_report *where)
{
    for (unsigned l = 0; l < e->levels; l++) {
        if (!sparse_p_holds_numbers(&arrays->pos[l], sparse_pos_bits(e)))
            return sparse_p_refuse_element(e, &arrays->pos[l], "pos", l, sparse_pos_bits(e), where);
        if (!sparse_p_holds_numbers(&arrays->crd[l], sparse_crd_bits(e)))
            return sparse_p_refuse_element(e, &arrays->crd[l], "crd", l, sparse_crd_bits(e), where);
    }
    return sparse_p_holds_values(&arrays->val, e) ? SPARSE_OK : sparse_p_refuse_element(e, &arrays->val, "val", 0, 0, where);
}

/* Gives t, whose encoding is sound, its sizes, and lets it borrow the arrays. E_ALIAS if t owns one of them; E_ELEMENT
   if their elements have the wrong types. */
static inline sparse_result sparse_p_take_arrays(sparse_tensor *t, const size_t *dim, const sparse_arrays *arrays,
                                                 sparse_report *where)
{
    const sparse_encoding *const e = t->encoding;
    bool own = sparse_p_owns(t, arrays->val.at);
    for (unsigned l = 0; l < SPARSE_MAX_LEVELS && !own; l++)
        own = sparse_p_owns(t, arrays->pos[l].at) || sparse_p_owns(t, arrays->crd[l].at);
    if (own) return SPARSE_E_ALIAS;
    SPARSE_P_TRY(sparse_p_renew_sound(t, dim));
    sparse_p_release_all(t);
    SPARSE_P_TRY(sparse_p_check_elements(e, arrays, where));
    for (unsigned l = 0; l < SPARSE_MAX_LEVELS; l++) {
        t->pos[l] = sparse_p_borrowed(arrays->pos[l]);
        t->crd[l] = sparse_p_borrowed(arrays->crd[l]);
    }
    t->val = sparse_p_borrowed(arrays->val);
    if (e->constant) t->val.at = NULL;
    return SPARSE_OK;
}

/* Replaces borrowed arrays of t by copies: all of them, or only arrays that do not count from 0. */
static inline sparse_result sparse_p_own_arrays(sparse_tensor *t, const sparse_arrays *arrays, bool all)
{
    for (unsigned n = 0; n < SPARSE_P_BUFFERS; n++) {
        sparse_buffer *const b = sparse_p_buffer(t, n);
        const size_t base = n == 0 ? 0 : n % 2 ? arrays->pos_base : arrays->crd_base;
        if (b->capacity == 0 && (all || base > 0))
            SPARSE_P_TRY(sparse_p_own_buffer(t->hooks, b, sparse_p_buffer_size(t->encoding, n), all ? 0 : base));
    }
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_assemble(sparse_tensor *t, const size_t *dim, const sparse_arrays *arrays,
                                         sparse_ownership ownership, sparse_report *where)
{
    sparse_report place;
    if (!t || !dim || !arrays) return SPARSE_E_NULL;
    if ((unsigned)ownership > SPARSE_BORROW) return SPARSE_E_ARGUMENT;
    if (!where) where = &place;
    sparse_result result = sparse_encoding_check(t->encoding);
    if (!result) result = sparse_p_take_arrays(t, dim, arrays, where);
    if (result) return result;
    result = sparse_p_own_arrays(t, arrays, false);
    if (!result) {
        memset(where, 0, sizeof *where);
        result = sparse_validate(t, where);
        if (result && where->array) (void)sparse_p_explain_array(t->encoding, result, where, NULL, NULL);
    }
    if (!result && ownership == SPARSE_COPY) result = sparse_p_own_arrays(t, arrays, true);
    if (result) sparse_free(t);
    return result;
}

SPARSE_API sparse_result sparse_p_borrow_arrays(sparse_tensor *t, const sparse_encoding *e, const size_t *dim,
                                                const sparse_arrays *arrays, sparse_report *where,
                                                const sparse_p_level_check *const *check)
{
    sparse_report place;
    size_t positions[SPARSE_MAX_LEVELS + 1];
    if (!t || !dim || !arrays) return SPARSE_E_NULL;
    if (arrays->pos_base > 0 || arrays->crd_base > 0) return SPARSE_E_ARGUMENT;
    if (!sparse_same_encoding(t->encoding, e)) return t->encoding ? SPARSE_E_ENCODING : SPARSE_E_NO_ENCODING;
    if (!where) where = &place;
    memset(where, 0, sizeof *where);
    sparse_result result = sparse_p_take_arrays(t, dim, arrays, where);
    if (result) return result;
    result = sparse_p_check_storage_by(t, check, 1, positions, where);
    if (result && where->array) (void)sparse_p_explain_array(e, result, where, NULL, NULL);
    if (result) sparse_free(t);
    return result;
}

    #define SPARSE_P_LEVEL_ROW(NAME, name, traits)                                                                          \
        SPARSE_API const sparse_p_level_check *sparse_p_check_of_##name(void)                                               \
        {                                                                                                                   \
            static const sparse_p_level_check check = {sparse_##name##_extent, sparse_##name##_validate};                   \
            return &check;                                                                                                  \
        }
SPARSE_LEVELS(SPARSE_P_LEVEL_ROW)
    #undef SPARSE_P_LEVEL_ROW

SPARSE_API sparse_result sparse_borrow_untyped(sparse_tensor *t, const size_t *dim, const void *values)
{
    if (!t || !values) return SPARSE_E_NULL;
    if (sparse_p_owns(t, values)) return SPARSE_E_ALIAS;
    const sparse_result result = sparse_resize_dims(t, dim);
    if (result) return result;
    const sparse_encoding *const e = t->encoding;
    if (!sparse_p_is_dense(e) || e->constant) return SPARSE_E_ENCODING;
    t->val.at = (void *)values, t->val.length = 1, t->val.capacity = 0;
    for (unsigned l = 0; l < e->levels; l++) t->val.length *= t->lvl[l];
    return SPARSE_OK;
}

/* Array b as an array of unsigned integers of `bits` bits. */
static inline sparse_array sparse_p_numbers_of(const sparse_buffer *b, unsigned bits)
{
    const sparse_kind kind = bits == 8 ? SPARSE_U8 : bits == 16 ? SPARSE_U16 : bits == 32 ? SPARSE_U32 : SPARSE_U64;
    const sparse_array a = {b->at, b->length, bits / 8, kind};
    return a;
}

SPARSE_API sparse_arrays sparse_arrays_of(const sparse_tensor *t)
{
    sparse_arrays arrays;
    memset(&arrays, 0, sizeof arrays);
    if (!t) return arrays;
    if (!t->encoding) return arrays;
    const sparse_encoding *const e = t->encoding;
    for (unsigned l = 0; l < e->levels; l++) {
        arrays.pos[l] = sparse_p_numbers_of(&t->pos[l], sparse_pos_bits(e));
        arrays.crd[l] = sparse_p_numbers_of(&t->crd[l], sparse_crd_bits(e));
    }
    arrays.val.at = t->val.at, arrays.val.length = t->val.length;
    arrays.val.size = e->value_size, arrays.val.kind = e->kind;
    return arrays;
}

/* Copies the elements of src to out if out has room; sets out->length in any case. */
static inline bool sparse_p_copy_out(sparse_buffer *out, const sparse_buffer *src, size_t size)
{
    out->length = src->length;
    if (size == 0) return true;
    if (src->length > out->capacity || (src->length > 0 && !out->at)) return false;
    if (src->length > 0) memcpy(out->at, src->at, src->length * size);
    return true;
}

SPARSE_API sparse_result sparse_disassemble(const sparse_tensor *t, sparse_room *room)
{
    sparse_result result = room ? sparse_p_check_source(t) : SPARSE_E_NULL;
    if (result) return result;
    const sparse_encoding *e = t->encoding;
    bool fits = sparse_p_copy_out(&room->val, &t->val, sparse_p_stored_size(e));
    for (unsigned l = 0; l < e->levels; l++) {
        fits &= sparse_p_copy_out(&room->pos[l], &t->pos[l], sparse_pos_bits(e) / 8u);
        fits &= sparse_p_copy_out(&room->crd[l], &t->crd[l], sparse_crd_bits(e) / 8u);
    }
    return fits ? SPARSE_OK : SPARSE_E_CAPACITY;
}

/* >>operations, defined */

SPARSE_API sparse_view sparse_positions(const sparse_tensor *t, unsigned l)
{
    sparse_view v = {NULL, 0, 1, t && t->encoding ? sparse_pos_bits(t->encoding) : 0u};
    if (!t || !t->encoding || l >= t->encoding->levels) return v;
    v.at = t->pos[l].at;
    v.length = t->pos[l].length;
    return v;
}

SPARSE_API sparse_view sparse_coordinates(const sparse_tensor *t, unsigned l)
{
    sparse_view v = {NULL, 0, 1, t && t->encoding ? sparse_crd_bits(t->encoding) : 0u};
    if (!t || !t->encoding || l >= t->encoding->levels) return v;
    const sparse_p_column c = sparse_p_column_of(t, l);
    v.at = c.at;
    v.stride = c.stride;
    v.length = t->crd[sparse_p_head(t->encoding, l)].length / c.stride;
    return v;
}

SPARSE_API sparse_view sparse_coordinates_buffer(const sparse_tensor *t)
{
    sparse_view v = {NULL, 0, 1, t && t->encoding ? sparse_crd_bits(t->encoding) : 0u};
    if (!t || !t->encoding || !sparse_p_is_aos(t->encoding, t->encoding->levels - 1u)) return v;
    const sparse_buffer *const crd = &t->crd[sparse_p_head(t->encoding, t->encoding->levels - 1u)];
    v.at = crd->at;
    v.length = crd->length;
    return v;
}

SPARSE_API sparse_view sparse_values(const sparse_tensor *t)
{
    sparse_view v = {NULL, 0, 1, 0};
    if (!t) return v;
    v.at = t->val.at;
    v.length = t->val.length;
    if (t->encoding && t->encoding->constant) v.at = t->encoding->constant, v.stride = 0;
    return v;
}

SPARSE_API size_t sparse_storage_specifier(const sparse_tensor *t, sparse_specifier what, unsigned l)
{
    if (!t) return 0;
    if (what == SPARSE_VAL_MEM_SZ) return t->encoding && t->encoding->constant ? 0 : t->val.length;
    if (l >= SPARSE_MAX_LEVELS) return 0;
    return what == SPARSE_LVL_SZ ? t->lvl[l] : what == SPARSE_POS_MEM_SZ ? t->pos[l].length : t->crd[l].length;
}

SPARSE_API sparse_result sparse_crd_translate(const sparse_encoding *e, sparse_direction direction, const size_t *from,
                                              size_t count, size_t *to)
{
    const sparse_result result = sparse_encoding_check(e);
    if (result) return result;
    if (!from || !to) return SPARSE_E_NULL;
    if ((unsigned)direction > SPARSE_LVL_TO_DIM) return SPARSE_E_ARGUMENT;
    if (count != (direction == SPARSE_DIM_TO_LVL ? e->rank : e->levels)) return SPARSE_E_RANK;
    if (direction == SPARSE_DIM_TO_LVL)
        sparse_dim_to_lvl(e, from, to);
    else
        sparse_lvl_to_dim(e, from, to);
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_reinterpret_map(sparse_tensor *view, const sparse_tensor *src)
{
    size_t dim[SPARSE_MAX_RANK] = {0}, lvl[SPARSE_MAX_LEVELS];
    if (!view) return SPARSE_E_NULL;
    if (view == src) return SPARSE_E_ALIAS;
    sparse_result result = sparse_p_check_source(src);
    if (!result) result = sparse_encoding_check(view->encoding);
    if (!result && sparse_p_lends(view, src)) result = SPARSE_E_ALIAS;
    if (result) return result;
    const sparse_encoding *e = view->encoding;
    sparse_encoding mapped = *src->encoding; /* with the map of the view */
    if (e->levels != mapped.levels) return SPARSE_E_ENCODING;
    mapped.rank = e->rank;
    for (unsigned l = 0; l < e->levels; l++) {
        sparse_level *v = &mapped.level[l];
        v->map = e->level[l].map;
        v->dim = e->level[l].dim;
        v->c = e->level[l].c;
        dim[v->dim] = src->lvl[l];
    }
    if (!sparse_same_encoding(e, &mapped)) return SPARSE_E_ENCODING;
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].map == SPARSE_MAP_FLOORDIV &&
            !sparse_p_mul(&dim[e->level[l].dim], src->lvl[l], (size_t)e->level[l].c))
            return SPARSE_E_OVERFLOW;
    for (unsigned l = 0; l < e->levels; l++) /* equal blocks: the last one is cut off in both */
        for (unsigned m = l + 1; m < e->levels; m++) {
            const sparse_level *v = &e->level[l], *from = src->encoding->level;
            if (v->map == SPARSE_MAP_FLOORDIV && e->level[m].map == SPARSE_MAP_MOD && e->level[m].dim == v->dim &&
                from[l].map == SPARSE_MAP_FLOORDIV && from[m].map == SPARSE_MAP_MOD && from[m].dim == from[l].dim)
                dim[v->dim] = src->dim[from[l].dim];
        }
    for (unsigned l = 0; l < e->levels; l++) { /* the number of diagonals does not determine the two sizes */
        const sparse_level *v = &e->level[l], *from = &src->encoding->level[l];
        if (v->map != SPARSE_MAP_MINUS || from->map != SPARSE_MAP_MINUS) continue;
        dim[v->dim] = src->dim[from->dim];
        dim[v[1].dim] = src->dim[from[1].dim];
    }
    result = sparse_level_sizes(e, dim, lvl);
    if (!result && memcmp(lvl, src->lvl, e->levels * sizeof *lvl) != 0) result = SPARSE_E_SHAPE;
    if (result) return result;
    sparse_free(view);
    memcpy(view->dim, dim, sizeof dim);
    memcpy(view->lvl, lvl, e->levels * sizeof *lvl);
    memcpy(view->pos, src->pos, sizeof view->pos);
    memcpy(view->crd, src->crd, sizeof view->crd);
    view->val = src->val;
    for (unsigned l = 0; l < SPARSE_MAX_LEVELS; l++) view->pos[l].capacity = view->crd[l].capacity = 0;
    view->val.capacity = 0;
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_transpose(sparse_tensor *dst, const sparse_tensor *src, const unsigned *order)
{
    unsigned seen = 0, place[SPARSE_MAX_RANK] = {0};
    if (!dst || !order) return SPARSE_E_NULL;
    if (dst == src) return SPARSE_E_ALIAS;
    sparse_result result = sparse_p_check_source(src);
    if (result) return result;
    sparse_encoding e = *src->encoding;
    sparse_tensor view = *src;
    e.inverse = NULL; /* the inverse follows from the levels, whose dimensions change */
    for (unsigned d = 0; d < e.rank; d++) {
        if (order[d] >= e.rank || (seen >> order[d] & 1)) return SPARSE_E_ARGUMENT;
        seen |= 1u << order[d];
        place[order[d]] = d;
        view.dim[d] = src->dim[order[d]];
    }
    for (unsigned l = 0; l < e.levels; l++) e.level[l].dim = (uint8_t)place[e.level[l].dim];
    view.encoding = &e;
    return sparse_convert(dst, &view);
}

/* Checks that dst can be built from the entries of src: it has an encoding, and values of the same type. */
static inline sparse_result sparse_p_check_pair(const sparse_tensor *dst, const sparse_tensor *src)
{
    if (!dst || dst == src) return dst ? SPARSE_E_ALIAS : SPARSE_E_NULL;
    sparse_result result = sparse_encoding_check(dst->encoding);
    if (!result) result = sparse_p_check_source(src);
    if (!result && sparse_p_lends(dst, src)) result = SPARSE_E_ALIAS;
    if (result) return result;
    return sparse_p_same_values(dst->encoding, src->encoding) ? SPARSE_OK : SPARSE_E_VALUE_TYPE;
}

SPARSE_API sparse_result sparse_concatenate(sparse_tensor *dst, unsigned d, const sparse_tensor *const *input, size_t count)
{
    size_t dim[SPARSE_MAX_RANK] = {0}, entries = 0, at[SPARSE_MAX_RANK], start = 0;
    sparse_p_records r;
    sparse_result result = dst && input ? sparse_encoding_check(dst->encoding) : SPARSE_E_NULL;
    if (!result && (count < 2 || d >= dst->encoding->rank)) result = SPARSE_E_ARGUMENT;
    for (size_t k = 0; !result && k < count; k++) {
        const unsigned rank = dst->encoding->rank;
        result = sparse_p_check_pair(dst, input[k]);
        if (!result && input[k]->encoding->rank != rank) result = SPARSE_E_DIMENSIONS;
        for (unsigned i = 0; !result && i < rank; i++) {
            if (k == 0 && i != d) dim[i] = input[k]->dim[i];
            if (i != d && dim[i] != input[k]->dim[i]) result = SPARSE_E_SHAPE;
        }
        if (!result &&
            !(sparse_p_add(&dim[d], dim[d], input[k]->dim[d]) && sparse_p_add(&entries, entries, sparse_p_moving(input[k]))))
            result = SPARSE_E_OVERFLOW;
    }
    if (!result) result = sparse_p_start(dst, dim, entries, &r);
    if (result) return result;
    for (size_t k = 0; k < count; start += input[k++]->dim[d]) {
        const bool nonzeros = sparse_p_pads(input[k]->encoding);
        SPARSE_FOREACH(c, input[k])
        {
            if (nonzeros && sparse_p_is_fill(dst->encoding, c.value)) continue;
            memcpy(at, c.dim, sizeof at);
            at[d] += start;
            sparse_p_append_at(&r, dst, at, c.value);
        }
    }
    return sparse_p_build(dst, &r, sparse_p_convert_policy(dst->encoding));
}

/* Checks that dst can be the Kronecker product of a and b. Sets *entries to its number of entries, dim to its sizes. */
static inline sparse_result sparse_p_check_kron(const sparse_tensor *dst, const sparse_tensor *a, const sparse_tensor *b,
                                                size_t *dim, size_t *entries)
{
    sparse_result result = sparse_p_check_pair(dst, a);
    if (!result) result = sparse_p_check_pair(dst, b);
    if (result) return result;
    const sparse_encoding *const e = dst->encoding;
    if (e->rank != a->encoding->rank || e->rank != b->encoding->rank) return SPARSE_E_DIMENSIONS;
    if (e->kind == SPARSE_OPAQUE || (e->fill && !sparse_p_is_zero(e, e->fill))) return SPARSE_E_VALUE_TYPE;
    bool fits = sparse_p_mul(entries, sparse_p_moving(a), sparse_p_moving(b));
    for (unsigned d = 0; d < e->rank; d++) fits = fits && sparse_p_mul(&dim[d], a->dim[d], b->dim[d]);
    return fits ? SPARSE_OK : SPARSE_E_OVERFLOW;
}

SPARSE_API sparse_result sparse_kron(sparse_tensor *dst, const sparse_tensor *a, const sparse_tensor *b)
{
    size_t dim[SPARSE_MAX_RANK] = {0}, entries = 0, at[SPARSE_MAX_RANK];
    sparse_p_records r;
    sparse_result result = sparse_p_check_kron(dst, a, b, dim, &entries);
    if (!result) result = sparse_p_start(dst, dim, entries, &r);
    if (result) return result;
    const sparse_encoding *const e = dst->encoding;
    const size_t size = e->value_size;
    const bool nonzeros_a = sparse_p_pads(a->encoding), nonzeros_b = sparse_p_pads(b->encoding);
    sparse_buffer products = {NULL, 0, 0}; /* a record of a value of more than 8 bytes holds its address */
    result = sparse_p_allocate(dst->hooks, &products, entries, size);
    if (result) {
        sparse_p_records_close(&r);
        sparse_free(dst);
        return result;
    }
    SPARSE_FOREACH(x, a)
    {
        if (nonzeros_a && sparse_p_is_fill(e, x.value)) continue;
        SPARSE_FOREACH(y, b)
        {
            if (nonzeros_b && sparse_p_is_fill(e, y.value)) continue;
            for (unsigned d = 0; d < e->rank; d++) at[d] = x.dim[d] * b->dim[d] + y.dim[d];
            void *const product = (char *)products.at + r.buffer.length * size;
            sparse_p_multiply_values(e, product, x.value, y.value);
            sparse_p_append_at(&r, dst, at, product);
        }
    }
    result = sparse_p_build(dst, &r, sparse_p_convert_policy(e));
    sparse_p_release(dst->hooks, &products, size);
    return result;
}

SPARSE_API sparse_result sparse_reshape(sparse_tensor *dst, const size_t *dim, const sparse_tensor *src)
{
    size_t before = 0, after = 0, at[SPARSE_MAX_RANK];
    sparse_p_records r;
    sparse_result result = dim ? sparse_p_check_pair(dst, src) : SPARSE_E_NULL;
    if (!result) result = sparse_p_volume(src->encoding->rank, src->dim, &before);
    if (!result) result = sparse_p_volume(dst->encoding->rank, dim, &after);
    if (!result && before != after) result = SPARSE_E_SHAPE;
    if (!result) result = sparse_p_start(dst, dim, sparse_p_moving(src), &r);
    if (result) return result;
    const bool nonzeros = sparse_p_pads(src->encoding);
    SPARSE_FOREACH(c, src)
    {
        size_t place = 0;
        if (nonzeros && sparse_p_is_fill(dst->encoding, c.value)) continue;
        for (unsigned d = 0; d < src->encoding->rank; d++) place = place * src->dim[d] + c.dim[d];
        for (unsigned d = dst->encoding->rank; d-- > 0; place /= dst->dim[d]) at[d] = place % dst->dim[d];
        sparse_p_append_at(&r, dst, at, c.value);
    }
    return sparse_p_build(dst, &r, sparse_p_convert_policy(dst->encoding));
}

SPARSE_API sparse_result sparse_convert_slice(sparse_tensor *dst, const sparse_tensor *src, const sparse_slice *slice)
{
    size_t dim[SPARSE_MAX_RANK] = {0}, entries = 0;
    sparse_p_records r;
    sparse_result result = slice ? sparse_p_check_pair(dst, src) : SPARSE_E_NULL;
    if (!result && dst->encoding->rank != src->encoding->rank) result = SPARSE_E_DIMENSIONS;
    if (!result) result = sparse_check_slices(src, slice);
    if (result) return result;
    for (unsigned d = 0; d < src->encoding->rank; d++) dim[d] = slice[d].size;
    const bool nonzeros = sparse_p_pads(src->encoding);
    SPARSE_FOREACH_SLICE(c, src, slice) entries += !nonzeros || !sparse_p_is_fill(dst->encoding, c.value);
    result = sparse_p_start(dst, dim, entries, &r);
    if (result) return result;
    SPARSE_FOREACH_SLICE(c, src, slice)
    if (!nonzeros || !sparse_p_is_fill(dst->encoding, c.value)) sparse_p_append_at(&r, dst, c.dim, c.value);
    return sparse_p_build(dst, &r, sparse_p_convert_policy(dst->encoding));
}

SPARSE_API sparse_result sparse_push_back_untyped(const sparse_hooks *hooks, sparse_buffer *b, size_t size,
                                                  const void *value, size_t n)
{
    size_t wanted;
    if (!b || !value) return SPARSE_E_NULL;
    if (n == 0 || size == 0 || (b->at && b->capacity == 0)) return SPARSE_E_ARGUMENT;
    if (!sparse_p_add(&wanted, b->length, n)) return SPARSE_E_OVERFLOW;
    const bool own = sparse_p_buffer_owns(b, size, value); /* the value is an element of b, and moves with it */
    const size_t before = own ? (size_t)((const char *)value - (const char *)b->at) : 0;
    const sparse_result result = sparse_p_grow(hooks, b, wanted, size);
    if (result) return result;
    if (own) value = (const char *)b->at + before;
    for (; b->length < wanted; b->length++) memcpy((char *)b->at + b->length * size, value, size);
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_insert_begin(sparse_insertion *s, const size_t *dim)
{
    static const size_t none[SPARSE_MAX_RANK] = {0};
    if (!s) return SPARSE_E_NULL;
    const sparse_result result = sparse_resize_dims(s->tensor, dim ? dim : none);
    if (result) return result;
    s->begun = true, s->grows = !dim;
    memcpy(s->dim, s->tensor->dim, sizeof s->dim);
    return SPARSE_OK;
}

/* Makes room for `entries` entries in all. */
static inline sparse_result sparse_p_insert_room(sparse_insertion *s, size_t entries)
{
    const sparse_tensor *t = s->tensor;
    const sparse_result result = sparse_p_grow(t->hooks, &s->values, entries, t->encoding->value_size);
    return result ? result : sparse_p_grow(t->hooks, &s->coordinates, entries, t->encoding->rank * sizeof(size_t));
}

SPARSE_API sparse_result sparse_p_insert_typed(sparse_insertion *s, const size_t *at, const void *value,
                                               const sparse_encoding *e)
{
    if (s && s->begun && (s->tensor->encoding->kind != e->kind || s->tensor->encoding->value_size != e->value_size))
        return SPARSE_E_ELEMENT;
    return sparse_insert_untyped(s, at, value);
}

SPARSE_API sparse_result sparse_insert_untyped(sparse_insertion *s, const size_t *at, const void *value)
{
    if (!s || !at || !value) return SPARSE_E_NULL;
    if (!s->begun) return SPARSE_E_BEGIN;
    const size_t rank = s->tensor->encoding->rank, size = s->tensor->encoding->value_size, n = s->values.length;
    for (unsigned d = 0; d < rank; d++)
        if (at[d] >= s->dim[d] && (!s->grows || at[d] == SIZE_MAX))
            return s->grows ? SPARSE_E_OVERFLOW : SPARSE_E_COORDINATE;
    const sparse_result result = sparse_p_insert_room(s, n + 1);
    if (result) return result;
    for (unsigned d = 0; d < rank; d++) {
        ((size_t *)s->coordinates.at)[n * rank + d] = at[d];
        if (at[d] >= s->dim[d]) s->dim[d] = at[d] + 1;
    }
    sparse_p_move((char *)s->values.at + n * size, value, size);
    s->values.length = s->coordinates.length = n + 1;
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_insert_part(sparse_insertion *part, const sparse_insertion *s)
{
    const sparse_buffer empty = {NULL, 0, 0};
    if (!part || !s) return SPARSE_E_NULL;
    if (!s->begun) return SPARSE_E_BEGIN;
    *part = *s;
    part->coordinates = part->values = empty;
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_insert_join(sparse_insertion *s, sparse_insertion *part, size_t count)
{
    if (!s || (count > 0 && !part)) return SPARSE_E_NULL;
    if (!s->begun) return SPARSE_E_BEGIN;
    const size_t rank = s->tensor->encoding->rank, size = s->tensor->encoding->value_size;
    size_t entries = s->values.length;
    for (size_t k = 0; k < count; k++) {
        if (part[k].tensor != s->tensor || &part[k] == s) return SPARSE_E_ARGUMENT;
        if (!sparse_p_add(&entries, entries, part[k].values.length)) return SPARSE_E_OVERFLOW;
    }
    const sparse_result result = sparse_p_insert_room(s, entries);
    if (result) return result;
    for (size_t k = 0; k < count; k++) {
        const size_t n = s->values.length, more = part[k].values.length;
        if (more > 0) {
            memcpy((size_t *)s->coordinates.at + n * rank, part[k].coordinates.at, more * rank * sizeof(size_t));
            memcpy((char *)s->values.at + n * size, part[k].values.at, more * size);
        }
        s->values.length = s->coordinates.length = n + more;
        for (unsigned d = 0; d < rank; d++)
            if (part[k].dim[d] > s->dim[d]) s->dim[d] = part[k].dim[d];
        sparse_insert_cancel(&part[k]);
    }
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_insert_end(sparse_insertion *s, sparse_duplicates how)
{
    if (!s) return SPARSE_E_NULL;
    if (!s->begun) return SPARSE_E_BEGIN;
    const sparse_result result =
        sparse_pack_untyped(s->tensor, s->dim, s->values.length, (const size_t *)s->coordinates.at, s->values.at, how);
    sparse_insert_cancel(s);
    return result;
}

SPARSE_API void sparse_insert_cancel(sparse_insertion *s)
{
    if (!s || !s->tensor || !s->tensor->encoding) return; /* nothing was inserted */
    const sparse_encoding *e = s->tensor->encoding;
    sparse_p_release(s->tensor->hooks, &s->coordinates, e->rank * sizeof(size_t));
    sparse_p_release(s->tensor->hooks, &s->values, e->value_size);
    s->begun = false;
}

/* >>sorting, defined */

/* True if tuple i comes before tuple j. */
static inline bool sparse_p_sorts_before(const sparse_sorting *s, size_t i, size_t j)
{
    const size_t width = (size_t)s->keys + s->others;
    for (unsigned k = 0; k < s->keys; k++) {
        const unsigned key = s->order ? s->order[k] : k;
        const uint64_t x = sparse_p_load(s->xy, s->bits, i * width + key);
        const uint64_t y = sparse_p_load(s->xy, s->bits, j * width + key);
        if (x != y) return x < y;
    }
    return false;
}

static inline void sparse_p_swap_bytes(void *array, size_t size, size_t i, size_t j)
{
    char *x = (char *)array + i * size, *y = (char *)array + j * size;
    for (size_t b = 0; b < size; b++) {
        const char hold = x[b];
        x[b] = y[b];
        y[b] = hold;
    }
}

static inline void sparse_p_swap(const sparse_sorting *s, size_t i, size_t j)
{
    if (i == j) return;
    sparse_p_swap_bytes(s->xy, ((size_t)s->keys + s->others) * (s->bits / 8), i, j);
    for (size_t k = 0; k < s->arrays; k++) sparse_p_swap_bytes(s->ys[k].at, s->ys[k].length, i, j);
}

static inline void sparse_p_insertion_sort(const sparse_sorting *s, size_t begin, size_t end)
{
    for (size_t k = begin; k < end; k++)
        for (size_t j = k; j > begin && sparse_p_sorts_before(s, j, j - 1); j--) sparse_p_swap(s, j, j - 1);
}

/* Restores the order of the heap [begin, begin + count) below `root`, whose tuple may be too small. */
static inline void sparse_p_sift(const sparse_sorting *s, size_t begin, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && sparse_p_sorts_before(s, begin + child, begin + child + 1)) child++;
        if (!sparse_p_sorts_before(s, begin + root, begin + child)) return;
        sparse_p_swap(s, begin + root, begin + child);
    }
}

static inline void sparse_p_heap_sort(const sparse_sorting *s, size_t begin, size_t end)
{
    const size_t count = end - begin;
    for (size_t root = count / 2; root-- > 0;) sparse_p_sift(s, begin, root, count);
    for (size_t last = count; last-- > 1;) {
        sparse_p_swap(s, begin, begin + last);
        sparse_p_sift(s, begin, 0, last);
    }
}

/* Moves the median of three to its final position, smaller tuples before it and the others after it. Returns the
   position. */
static inline size_t sparse_p_partition(const sparse_sorting *s, size_t begin, size_t end)
{
    const size_t middle = begin + (end - begin) / 2, last = end - 1;
    if (sparse_p_sorts_before(s, middle, begin)) sparse_p_swap(s, middle, begin);
    if (sparse_p_sorts_before(s, last, begin)) sparse_p_swap(s, last, begin);
    if (sparse_p_sorts_before(s, last, middle)) sparse_p_swap(s, last, middle);
    sparse_p_swap(s, begin, middle); /* the pivot is now at `begin`; no tuple after `last` is less */
    size_t i = begin, j = end;
    for (;;) {
        do i++;
        while (i < last && sparse_p_sorts_before(s, i, begin));
        do j--;
        while (sparse_p_sorts_before(s, begin, j));
        if (i >= j) break;
        sparse_p_swap(s, i, j);
    }
    sparse_p_swap(s, begin, j);
    return j;
}

/* Quicksort; leaves ranges of at most `few` tuples to insertion sort. Heapsort takes over if pivots are so bad that too
   many tuples are compared, or too many ranges wait. */
static inline void sparse_p_quick_sort(const sparse_sorting *s, size_t n, size_t few)
{
    size_t waits[CHAR_BIT * sizeof(size_t)]; /* the ends of waiting ranges */
    size_t waiting = 0;
    uint64_t limit = (uint64_t)n * 4 * sparse_p_width(n);
    for (size_t begin = 0, end = n;; end = waits[--waiting]) {
        while (end - begin > few && end - begin <= limit && waiting < sizeof waits / sizeof *waits) {
            limit -= end - begin;
            waits[waiting++] = end;
            end = sparse_p_partition(s, begin, end);
        }
        if (end - begin > few) sparse_p_heap_sort(s, begin, end);
        if (waiting == 0) break;
        begin = end + 1;
    }
    sparse_p_insertion_sort(s, 0, n);
}

SPARSE_API sparse_result sparse_sort(const sparse_sorting *s, size_t n, sparse_sort_kind kind)
{
    size_t numbers;
    unsigned seen = 0;
    if (!s || (n > 0 && !s->xy) || (s->arrays > 0 && !s->ys)) return SPARSE_E_NULL;
    if (!sparse_p_is_width(s->bits)) return SPARSE_E_WIDTH;
    if (s->keys < 1 || s->keys > SPARSE_MAX_LEVELS || (unsigned)kind > SPARSE_HEAP_SORT) return SPARSE_E_ARGUMENT;
    for (unsigned k = 0; s->order && k < s->keys; k++) {
        if (s->order[k] >= s->keys || (seen >> s->order[k] & 1)) return SPARSE_E_ARGUMENT;
        seen |= 1u << s->order[k];
    }
    if (!sparse_p_mul(&numbers, n, (size_t)s->keys + s->others)) return SPARSE_E_OVERFLOW;
    if (s->capacity < numbers) return SPARSE_E_CAPACITY;
    for (size_t k = 0; k < s->arrays; k++) {
        if (s->ys[k].capacity < n) return SPARSE_E_CAPACITY;
        if (n > 0 && !s->ys[k].at) return SPARSE_E_NULL;
    }
    if (kind == SPARSE_INSERTION_SORT_STABLE)
        sparse_p_insertion_sort(s, 0, n);
    else if (kind == SPARSE_HEAP_SORT)
        sparse_p_heap_sort(s, 0, n);
    else
        sparse_p_quick_sort(s, n, kind == SPARSE_QUICK_SORT ? 1 : SPARSE_P_SHORT_RUN);
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_reorder_coo(sparse_tensor *dst, const sparse_tensor *src, sparse_sort_kind kind)
{
    sparse_result result = sparse_p_check_pair(dst, src);
    if (result) return result;
    const sparse_encoding *e = dst->encoding;
    sparse_encoding like = *src->encoding;
    if (sparse_p_run_end(e, 0) != e->levels || e->levels < 2) return SPARSE_E_ENCODING;
    if ((unsigned)kind > SPARSE_HEAP_SORT) return SPARSE_E_ARGUMENT;
    for (unsigned l = 0; l < e->levels; l++) like.level[l].properties = e->level[l].properties;
    if (!sparse_same_encoding(e, &like)) return SPARSE_E_ENCODING;
    const bool adds =
        src->encoding->level[e->levels - 1].properties & ~e->level[e->levels - 1].properties & SPARSE_NONUNIQUE;
    if (adds || !sparse_p_is_aos(e, 1) || !sparse_p_is_aos(src->encoding, 1)) return sparse_convert(dst, src);
    sparse_tensor view = *src;
    view.encoding = e;
    result = sparse_copy(dst, &view);
    if (result) return result;
    const sparse_buffer values = {dst->val.at, e->value_size, dst->val.length};
    const sparse_sorting s = {dst->crd[0].at, dst->crd[0].length, sparse_crd_bits(e), e->levels, 0, NULL,
                              &values,        !e->constant};
    return sparse_sort(&s, dst->val.length, kind);
}

/* >>statistics, defined */

/* Computes the statistics of the rows of s, a sorted tensor (sparse_p_sorted). */
static inline void sparse_p_summarise_rows(const sparse_tensor *s, sparse_summary *summary)
{
    const size_t rows = s->crd[0].length;
    summary->entries = s->val.length;
    summary->empty_rows = s->dim[0] - rows;
    for (size_t n = 0; n < rows; n++) {
        size_t lo = n, hi = n + 1;
        for (unsigned l = 1; l < s->encoding->levels; l++) {
            const uint64_t *const pos = (const uint64_t *)s->pos[l].at;
            lo = (size_t)pos[lo];
            hi = (size_t)pos[hi];
        }
        summary->longest_row = sparse_p_max(summary->longest_row, hi - lo);
    }
    SPARSE_FOREACH(c, s) summary->zeros += sparse_p_is_fill(s->encoding, c.value);
}

/* Computes the bandwidth and the diagonal of a sorted matrix s. */
static inline void sparse_p_summarise_diagonals(const sparse_tensor *s, sparse_summary *summary)
{
    SPARSE_FOREACH(c, s)
    {
        const size_t i = c.dim[0], j = c.dim[1];
        summary->diagonal += i == j;
        if (i > j) summary->lower = sparse_p_max(summary->lower, i - j);
        if (j > i) summary->upper = sparse_p_max(summary->upper, j - i);
    }
}

/* Counts the blocks of `side` columns in which any of the rows [first, end) of matrix s, at most 8, has an entry. Merges
   the rows. */
static inline size_t sparse_p_blocks_of_rows(const sparse_tensor *s, size_t first, size_t end, uint64_t side)
{
    const uint64_t *const pos = (const uint64_t *)s->pos[1].at, *const j = (const uint64_t *)s->crd[1].at;
    size_t next[8], blocks = 0;
    for (size_t n = first; n < end; n++) next[n - first] = (size_t)pos[n];
    for (uint64_t block;; blocks++) {
        block = UINT64_MAX;
        for (size_t n = first; n < end; n++)
            if (next[n - first] < pos[n + 1] && j[next[n - first]] / side < block) block = j[next[n - first]] / side;
        if (block == UINT64_MAX) return blocks;
        for (size_t n = first; n < end; n++)
            while (next[n - first] < pos[n + 1] && j[next[n - first]] / side == block) next[n - first]++;
    }
}

/* Counts the blocks of side x side elements in which the sorted matrix s has an entry. */
static inline size_t sparse_p_blocks_of(const sparse_tensor *s, uint64_t side)
{
    const uint64_t *const i = (const uint64_t *)s->crd[0].at;
    size_t blocks = 0;
    for (size_t first = 0, end; first < s->crd[0].length; first = end) {
        for (end = first + 1; end < s->crd[0].length && i[end] / side == i[first] / side; end++) continue;
        blocks += sparse_p_blocks_of_rows(s, first, end, side);
    }
    return blocks;
}

static inline bool sparse_p_same_bytes(const sparse_buffer *a, const sparse_buffer *b, size_t size)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->at, b->at, a->length * size) == 0);
}

/* Compares the sorted square matrix s with its transpose, sorted too. If it is symmetric, the arrays are equal. */
static inline sparse_result sparse_p_summarise_symmetry(const sparse_tensor *s, sparse_summary *summary)
{
    sparse_tensor turned = sparse_p_empty(s->encoding, s->hooks);
    const unsigned order[2] = {1, 0};
    const sparse_result result = sparse_transpose(&turned, s, order);
    if (result) return result;
    summary->symmetric_pattern = sparse_p_same_bytes(&s->crd[0], &turned.crd[0], sizeof(uint64_t)) &&
                                 sparse_p_same_bytes(&s->pos[1], &turned.pos[1], sizeof(uint64_t)) &&
                                 sparse_p_same_bytes(&s->crd[1], &turned.crd[1], sizeof(uint64_t));
    summary->symmetric = summary->symmetric_pattern && sparse_p_same_bytes(&s->val, &turned.val, s->encoding->value_size);
    sparse_free(&turned);
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_statistics(const sparse_tensor *t, sparse_summary *summary)
{
    sparse_result result = summary ? sparse_p_check_source(t) : SPARSE_E_NULL;
    if (result) return result;
    const sparse_encoding e = sparse_p_sorted(t->encoding);
    sparse_tensor s = sparse_p_empty(&e, t->hooks);
    memset(summary, 0, sizeof *summary);
    result = sparse_convert(&s, t);
    if (result) return result;
    summary->stored = t->val.length;
    sparse_p_summarise_rows(&s, summary);
    if (e.rank == 2) {
        sparse_p_summarise_diagonals(&s, summary);
        for (unsigned n = 0; n < 3; n++) summary->blocks[n] = sparse_p_blocks_of(&s, (uint64_t)2 << n);
        if (s.dim[0] == s.dim[1]) result = sparse_p_summarise_symmetry(&s, summary);
    }
    sparse_free(&s);
    return result;
}

SPARSE_API sparse_result sparse_drop_zeros(sparse_tensor *t)
{
    sparse_p_records r;
    sparse_result result = sparse_p_check_source(t);
    if (result) return result;
    size_t zeros = 0, others = 0;
    SPARSE_FOREACH(c, t) * (sparse_p_is_fill(t->encoding, c.value) ? &zeros : &others) += 1;
    if (zeros == 0) return SPARSE_OK;
    sparse_tensor fresh = sparse_p_empty(t->encoding, t->hooks);
    result = sparse_p_start(&fresh, t->dim, others, &r);
    if (result) return result;
    SPARSE_FOREACH(c, t)
    if (!sparse_p_is_fill(t->encoding, c.value)) sparse_p_append_at(&r, &fresh, c.dim, c.value);
    result = sparse_p_build(&fresh, &r, sparse_p_convert_policy(t->encoding));
    if (result) return result;
    sparse_free(t);
    *t = fresh;
    return SPARSE_OK;
}

/* >>binding, defined */

/* True if operand o has sizes already. */
SPARSE_P_COLD bool sparse_p_is_sized(const sparse_p_operand *o)
{
    const bool dense = o->access == SPARSE_WRITES || o->access == SPARSE_CURRENT;
    return o->encoding && !(dense && sparse_p_is_blank((const sparse_tensor *)o->tensor));
}

/* True if operand o is a dense output without memory: blank, or only sized by sparse_resize_dims. */
SPARSE_P_COLD bool sparse_p_is_unallocated(const sparse_p_operand *o)
{
    const bool dense = o->access == SPARSE_WRITES || o->access == SPARSE_CURRENT;
    const sparse_tensor *const t = (const sparse_tensor *)o->tensor;
    return o->encoding && dense && t->val.at == NULL && t->val.length == 0;
}

/* Uses sparse_p_crd, so that a program without conversions does not need sparse_p_column_of. */
SPARSE_API size_t sparse_p_part(const sparse_tensor *t, unsigned l)
{
    const size_t batches = sparse_p_batches(t);
    return batches > 0 ? t->crd[l].length / sparse_p_crd(t->encoding, t, l).stride / batches : 0;
}

/* SPARSE_OK if the arrays of t have a part for each batch, and their lengths agree: positions for as many parents as the
   level above has room for, and values for as many positions. */
SPARSE_P_COLD sparse_result sparse_p_has_parts(const sparse_tensor *t)
{
    const sparse_encoding *e = t->encoding;
    const size_t batches = sparse_p_batches(t);
    size_t positions = 1, length;
    for (unsigned l = sparse_p_batch_levels(e); l < e->levels; l++) {
        const sparse_level *v = &e->level[l];
        if (sparse_p_is_dense_level(v) && !sparse_p_mul(&positions, positions, t->lvl[l])) return SPARSE_E_LENGTH;
        if (!sparse_p_has_pos(v)) continue;
        if (!sparse_p_pos_length(v, positions, &length) || !sparse_p_mul(&length, length, batches) ||
            t->pos[l].length != length)
            return SPARSE_E_LENGTH;
        positions = sparse_p_part(t, l);
    }
    return sparse_p_mul(&length, positions, batches) && t->val.length == length ? SPARSE_OK : SPARSE_E_LENGTH;
}

/* SPARSE_OK if every array that the encoding requires exists. */
SPARSE_P_COLD sparse_result sparse_p_has_storage(const sparse_tensor *t)
{
    bool full = true; /* true while all levels are dense and not empty */
    if (sparse_p_batch_levels(t->encoding) > 0) {
        if (sparse_p_batches(t) == 0) return SPARSE_OK;
        const sparse_result result = sparse_p_has_parts(t);
        if (result != SPARSE_OK) return result;
    }
    for (unsigned l = 0; l < t->encoding->levels; l++) {
        const sparse_level *const v = &t->encoding->level[l];
        /* the least length of pos: 2 for the top level, with one parent; 1 below, where there may be no parents */
        size_t least = 0;
        full = full && t->lvl[l] > 0;
        if (sparse_p_is_dense_level(v) || sparse_p_is_batch_level(v)) continue;
        full = false;
        if (sparse_p_has_pos(v) && t->pos[l].at == NULL &&
            (!sparse_p_pos_length(v, l == 0, &least) || least > 0 || t->pos[l].length > 0))
            return SPARSE_E_EMPTY;
        if (t->crd[l].at == NULL && t->crd[l].length) return SPARSE_E_NULL;
    }
    if (t->encoding->constant || t->val.at) return SPARSE_OK;
    if (t->val.length) return SPARSE_E_NULL;
    return full ? SPARSE_E_EMPTY : SPARSE_OK;
}

/* True if the values of a and b overlap in memory. */
static inline bool sparse_p_overlap(const sparse_tensor *a, const sparse_tensor *b)
{
    const char *p = (const char *)a->val.at, *q = (const char *)b->val.at;
    return p && q && a->encoding && b->encoding && p < q + b->val.length * b->encoding->value_size &&
           q < p + a->val.length * a->encoding->value_size;
}

/* SPARSE_OK if operand o is not null, has the encoding for which the kernel was compiled, and has all arrays, unless the
   kernel rebuilds it (`anew`). */
SPARSE_P_COLD sparse_result sparse_p_check_operand(const sparse_p_operand *o, bool anew)
{
    const sparse_tensor *t = (const sparse_tensor *)o->tensor;
    if (!t) return SPARSE_E_NULL;
    if (!o->encoding) return SPARSE_OK; /* a scalar has no encoding */
    anew = anew || sparse_p_is_unallocated(o);
    if (!t->encoding) return anew ? SPARSE_OK : SPARSE_E_NO_ENCODING;
    if (!sparse_same_encoding(t->encoding, o->encoding)) return SPARSE_E_ENCODING;
    return anew ? SPARSE_OK : sparse_p_has_storage(t);
}

/* True if an output shares memory with an operand: values or, if the output is rebuilt, any of its arrays. */
static inline bool sparse_p_are_aliases(const sparse_p_operand *output, const sparse_p_operand *o)
{
    const sparse_tensor *t = (const sparse_tensor *)output->tensor, *u = (const sparse_tensor *)o->tensor;
    const bool anew = output->access == SPARSE_ASSEMBLES || output->access == SPARSE_COPIES;
    return t == u || sparse_p_overlap(t, u) || (anew && sparse_p_lends(t, u));
}

/* Does the kernel write to this operand? */
static inline bool sparse_p_is_output(const sparse_p_operand *o)
{
    return o->encoding && o->access != SPARSE_READS && o->access != SPARSE_SLICES && o->access != SPARSE_CURRENT;
}

/* True if `output` is an output and shares memory with o, another operand. */
static inline bool sparse_p_may_not_share(const sparse_p_operand *output, const sparse_p_operand *o)
{
    return output != o && sparse_p_is_output(output) && o->encoding && o->access != SPARSE_CURRENT &&
           sparse_p_are_aliases(output, o);
}

/* SPARSE_OK if no output shares memory with another operand. */
SPARSE_P_COLD sparse_result sparse_p_check_aliases(const sparse_p_operand *operand, size_t count)
{
    for (size_t n = 0; n < count; n++)
        for (size_t m = 0; m < count && sparse_p_is_output(&operand[n]); m++)
            if (sparse_p_may_not_share(&operand[n], &operand[m])) return SPARSE_E_ALIAS;
    return SPARSE_OK;
}

/* The size of dimension d of an operand, or of the slice that the kernel reads; for a loop range(i, size), the size. */
static inline size_t sparse_p_dim_read(const sparse_p_operand *o, unsigned d)
{
    if (o->access == SPARSE_RANGES) return *(const size_t *)o->tensor;
    return o->access == SPARSE_SLICES ? ((const sparse_slice *)o[1].tensor)[d].size
                                      : ((const sparse_tensor *)o->tensor)->dim[d];
}

/* Enters the sizes of the dimensions of operand o into size[], one for each loop. Unknown sizes are SIZE_MAX, so no index
   of a kernel can have that size: SPARSE_E_OVERFLOW. SPARSE_E_SHAPE if two operands disagree. */
SPARSE_P_COLD sparse_result sparse_p_bind_sizes(const char *loops, size_t *size, const sparse_p_operand *o)
{
    for (unsigned d = 0; o->index[d]; d++) {
        unsigned l = 0;
        if (o->index[d] == '+') continue;
        const size_t its = sparse_p_dim_read(o, d);
        while (loops[l] != o->index[d]) l++;
        if (SPARSE_CHECKS >= 1 && its == SIZE_MAX) return SPARSE_E_OVERFLOW;
        if (SPARSE_CHECKS >= 1 && size[l] != SIZE_MAX && size[l] != its)
            return o->encoding && sparse_p_is_blank((const sparse_tensor *)o->tensor) ? SPARSE_E_EMPTY : SPARSE_E_SHAPE;
        size[l] = its;
    }
    return SPARSE_OK;
}

/* The largest value of a sum for indices of given sizes: the constant, if it is positive, plus each coefficient times the
   last value of its index. *unknown is the number of the only index of unknown size, if there is one. If an index has
   size 0, the sum has no values. */
typedef struct sparse_p_sum_reach {
    size_t most;                 /* SIZE_MAX: the sum exceeds size_t */
    size_t unknown, coefficient; /* SIZE_MAX: all sizes are known */
    bool empty, several, sound;
} sparse_p_sum_reach;
SPARSE_P_OUTLINE sparse_p_sum_reach sparse_p_reach_of(const char *loops, const size_t *size, const ptrdiff_t *sum)
{
    const size_t terms = (size_t)sum[1];
    const ptrdiff_t constant = sum[2 + 2 * terms];
    sparse_p_sum_reach r = {constant > 0 ? (size_t)constant : 0, SIZE_MAX, 0, false, false, sum[0] || constant >= 0};
    for (size_t k = 0; k < terms; k++) {
        size_t l = 0, most = 0;
        while (loops[l] != (char)sum[2 + 2 * k]) l++;
        r.sound = r.sound && sum[3 + 2 * k] > 0;
        if (size[l] == SIZE_MAX) {
            r.several = r.unknown != SIZE_MAX;
            r.unknown = l;
            r.coefficient = (size_t)sum[3 + 2 * k];
        } else if (size[l] == 0) {
            r.empty = true;
        } else if (!sparse_p_mul(&most, (size_t)sum[3 + 2 * k], size[l] - 1) || most > SIZE_MAX - r.most) {
            r.most = SIZE_MAX;
        } else {
            r.most += most;
        }
    }
    return r;
}

/* The sums of an operand; null if there are none. */
static inline const sparse_p_sums *sparse_p_sums_of(const sparse_p_operand *o)
{
    const char *i = o->index;
    while (*i && *i != '+') i++;
    return *i ? (const sparse_p_sums *)o[o->access == SPARSE_SLICES ? 2 : 1].tensor : NULL;
}

/* The sum in dimension d of an operand, which must be one. */
static inline const ptrdiff_t *sparse_p_sum_of(const sparse_p_operand *o, unsigned d)
{
    const ptrdiff_t *sum = sparse_p_sums_of(o)->number;
    for (unsigned k = 0; k < d; k++)
        if (o->index[k] == '+') sum += 3 + 2 * sum[1];
    return sum;
}

/* The number of values for index *l that fit into the sum of dimension d of operand o, if *l is its only index of unknown
   size. Without such an index: SIZE_MAX. */
static inline size_t sparse_p_room_of(const char *loops, const size_t *size, const sparse_p_operand *o, unsigned d,
                                      size_t *l)
{
    if (o->index[d] != '+' || sparse_p_sum_of(o, d)[0]) return SIZE_MAX;
    const size_t dim = sparse_p_dim_read(o, d);
    const sparse_p_sum_reach r = sparse_p_reach_of(loops, size, sparse_p_sum_of(o, d));
    if (r.unknown == SIZE_MAX || r.several || !r.sound || (*l != SIZE_MAX && *l != r.unknown)) return SIZE_MAX;
    *l = r.unknown;
    return r.empty || r.most >= dim ? 0 : (dim - 1 - r.most) / r.coefficient + 1;
}

/* Sets the sizes of indices that occur only in sums, starting with operand n, to the largest that fit. Returns true if
   there was one. */
SPARSE_P_COLD bool sparse_p_bind_unknown(const char *loops, size_t *size, const sparse_p_operand *operand, size_t count,
                                         size_t n)
{
    bool found = false;
    for (unsigned d = 0; operand[n].index[d]; d++) {
        size_t l = SIZE_MAX, room = sparse_p_room_of(loops, size, &operand[n], d, &l);
        if (l == SIZE_MAX) continue;
        for (size_t other = 0; other < count; other++)
            for (unsigned e = 0; sparse_p_is_sized(&operand[other]) && operand[other].index[e]; e++)
                room = sparse_p_min(room, sparse_p_room_of(loops, size, &operand[other], e, &l));
        size[l] = room;
        found = true;
    }
    return found;
}

SPARSE_API sparse_result sparse_p_sum_fits(const char *loops, const size_t *size, const ptrdiff_t *sum, size_t dim)
{
    const sparse_p_sum_reach r = sparse_p_reach_of(loops, size, sum);
    if (!sum[0] && sum[2 + 2 * sum[1]] < 0) return SPARSE_E_SHAPE;
    if (!r.sound) return SPARSE_E_ARGUMENT;
    if (r.unknown != SIZE_MAX || (!sum[0] && !r.empty && r.most >= dim)) return SPARSE_E_SHAPE;
    return !r.empty && r.most == SIZE_MAX ? SPARSE_E_OVERFLOW : SPARSE_OK;
}

    #if SPARSE_EXPLAIN
/* Records why the sum of dimension d of operand o does not fit: an index of unknown size, or the number of elements that
   the sum needs. sparse_p_explain_bind adds the kernel. */
SPARSE_P_COLD void sparse_p_explain_sum(const char *loops, const size_t *size, const sparse_p_operand *o, unsigned d)
{
    const ptrdiff_t *const sum = sparse_p_sum_of(o, d);
    const sparse_p_sum_reach r = sparse_p_reach_of(loops, size, sum);
    const bool is_below = !sum[0] && sum[2 + 2 * sum[1]] < 0;
    sparse_p_problem p;
    memset(&p, 0, sizeof p);
    p.result = SPARSE_E_SHAPE, p.is_sum = true;
    p.operand = o->name, p.dimension = d, p.size = sparse_p_dim_read(o, d);
    if (r.unknown != SIZE_MAX)
        p.index = loops[r.unknown];
    else if (!is_below)
        p.other_size = r.most < SIZE_MAX ? r.most + 1 : SIZE_MAX;
    (void)sparse_p_found(&p);
}
    #endif

/* SPARSE_OK if the sums of operand o stay within its dimensions. Sums with padded edges are not checked. */
SPARSE_P_COLD sparse_result sparse_p_check_sums(const char *loops, const size_t *size, const sparse_p_operand *o)
{
    sparse_result result = SPARSE_OK;
    for (unsigned d = 0; o->index[d] && result == SPARSE_OK; d++)
        if (o->index[d] == '+') {
            result = sparse_p_sum_fits(loops, size, sparse_p_sum_of(o, d), sparse_p_dim_read(o, d));
    #if SPARSE_EXPLAIN
            if (result == SPARSE_E_SHAPE) sparse_p_explain_sum(loops, size, o, d);
    #endif
        }
    return result;
}

SPARSE_P_API_COLD sparse_result sparse_p_bind_sums(const char *loops, size_t *size, const sparse_p_operand *operand,
                                                   size_t count)
{
    sparse_result result = SPARSE_OK;
    for (bool more = true; more;) {
        more = false;
        for (size_t n = 0; n < count; n++)
            more = (sparse_p_is_sized(&operand[n]) && sparse_p_bind_unknown(loops, size, operand, count, n)) || more;
    }
    for (size_t n = 0; n < count && SPARSE_CHECKS >= 1 && result == SPARSE_OK; n++)
        if (sparse_p_is_sized(&operand[n])) result = sparse_p_check_sums(loops, size, &operand[n]);
    return result;
}

SPARSE_P_API_COLD sparse_result sparse_p_sum_sizes(const char *loops, const size_t *size, const sparse_p_operand *o,
                                                   size_t *dim)
{
    for (unsigned d = 0; o->index[d]; d++) {
        if (o->index[d] != '+') continue;
        const sparse_p_sum_reach r = sparse_p_reach_of(loops, size, sparse_p_sum_of(o, d));
        if (r.unknown != SIZE_MAX || r.most == SIZE_MAX) return SPARSE_E_UNSIZED;
        dim[d] = r.empty ? 0 : r.most + 1;
    }
    return SPARSE_OK;
}

/* Computes the sizes of output o from the sizes of its indices, which the other operands gave. */
static inline sparse_result sparse_p_output_dims(const char *loops, const size_t *size, const sparse_p_operand *o,
                                                 size_t *dim)
{
    for (unsigned d = 0; o->index[d]; d++) {
        unsigned l = 0;
        if (o->index[d] == '+') continue;
        while (loops[l] != o->index[d]) l++;
        if (size[l] == SIZE_MAX) return SPARSE_E_UNSIZED;
        dim[d] = size[l];
    }
    const sparse_p_sums *sums = sparse_p_sums_of(o);
    return sums ? sums->sizes(loops, size, o, dim) : SPARSE_OK;
}

/* Allocates the dense output of operand o. The compiler has checked its encoding, apart from what sparse_p_is_dense
   checks. */
SPARSE_P_COLD sparse_result sparse_p_bind_output(const char *loops, const size_t *size, const sparse_p_operand *o)
{
    sparse_tensor *t = (sparse_tensor *)o->tensor;
    size_t dim[SPARSE_MAX_RANK] = {0};
    sparse_result result = sparse_p_output_dims(loops, size, o, dim);
    if (result != SPARSE_OK) return result;
    t->encoding = o->encoding;
    return sparse_p_is_dense(t->encoding) ? sparse_p_allocate_values(t, dim) : SPARSE_E_ENCODING;
}

SPARSE_API bool sparse_p_slots_are_taken(const sparse_p_operand *operand, size_t count, const char *index)
{
    for (size_t n = 0; n < count; n++) {
        const sparse_encoding *e = operand[n].encoding;
        const unsigned counted = e ? sparse_p_find_map(e, SPARSE_MAP_COUNT) : 0;
        if (!e || counted == e->levels || operand[n].index[e->level[counted].dim] != *index) continue;
        if (operand[n].access == SPARSE_ASSEMBLES) continue;
        const sparse_tensor *t = (const sparse_tensor *)operand[n].tensor;
        const unsigned last = e->levels - 1u;
        bool slots = sparse_p_is_compressed_level(&e->level[last]) && e->level[last].properties == 0, over = false;
        for (unsigned l = 0; l < last; l++) {
            slots = slots && sparse_p_is_dense_level(&e->level[l]);
            over = over || (l > counted && e->level[l].dim == e->level[counted].dim);
        }
        return slots && over && t->pos[last].length == t->val.length + 1;
    }
    return false;
}

/* Checks operands that read an output, after it got its size. *at = the operand that fails. */
SPARSE_P_COLD sparse_result sparse_p_bind_current(const char *loops, size_t *size, const sparse_p_operand *operand,
                                                  size_t count, size_t *at)
{
    for (*at = 0; *at < count; ++*at) {
        const sparse_p_operand *o = &operand[*at];
        if (o->access != SPARSE_CURRENT) continue;
        const sparse_result result = sparse_p_bind_sizes(loops, size, o);
        if (result != SPARSE_OK) return result;
    }
    return SPARSE_OK;
}

/* The checks of sparse_p_bind. *at = the operand that fails. */
SPARSE_P_OUTLINE sparse_result sparse_p_bind_operands(const char *loops, size_t *size, const sparse_p_operand *operand,
                                                      size_t count, size_t *at)
{
    sparse_result result = SPARSE_OK;
    const sparse_p_sums *sums = NULL;
    for (unsigned l = 0; loops[l]; l++) size[l] = SIZE_MAX;
    for (*at = 0; *at < count; ++*at) {
        const sparse_p_operand *o = &operand[*at];
        const bool anew = o->access == SPARSE_ASSEMBLES || o->access == SPARSE_COPIES, ranged = o->access == SPARSE_RANGES;
        if (o->access == SPARSE_SUMS) sums = (const sparse_p_sums *)o->tensor;
        if (SPARSE_CHECKS >= 2 && !ranged) result = sparse_p_check_operand(o, anew);
        if (!result && !anew && (ranged || sparse_p_is_sized(o))) {
            if (SPARSE_CHECKS >= 1 && o->access == SPARSE_SLICES)
                result = sparse_check_slices((const sparse_tensor *)o->tensor, (const sparse_slice *)o[1].tensor);
            if (!result) result = sparse_p_bind_sizes(loops, size, o);
        }
        if (result) return result;
    }
    if (sums) result = sums->bind(loops, size, operand, count);
    if (SPARSE_CHECKS >= 2 && !result) result = sparse_p_check_aliases(operand, count);
    for (size_t n = 0; n < count && result == SPARSE_OK; n++)
        if (operand[n].access == SPARSE_WRITES && sparse_p_is_unallocated(&operand[n]))
            result = sparse_p_bind_output(loops, size, &operand[n]);
    return result == SPARSE_OK ? sparse_p_bind_current(loops, size, operand, count, at) : result;
}

    #if SPARSE_EXPLAIN
/* Finds the operand before operand[n] that gave loop `letter` its size, and the dimension; returns count if there is
   none. */
static inline size_t sparse_p_who_sized(const sparse_p_operand *operand, size_t n, char letter, size_t size,
                                        unsigned *dimension)
{
    for (size_t m = 0; m < n; m++) {
        const bool sized = operand[m].access == SPARSE_RANGES || sparse_p_is_sized(&operand[m]);
        if (!sized || operand[m].access == SPARSE_ASSEMBLES || operand[m].access == SPARSE_COPIES) continue;
        for (unsigned d = 0; operand[m].index[d]; d++)
            if (operand[m].index[d] == letter && sparse_p_dim_read(&operand[m], d) == size) {
                *dimension = d;
                return m;
            }
    }
    return n;
}

/* Enters into p which size of operand[n] disagrees with which size of an earlier operand. If none does, p stays
   unchanged. */
SPARSE_P_COLD void sparse_p_find_sizes(sparse_p_problem *p, const char *loops, const size_t *size,
                                       const sparse_p_operand *operand, size_t n)
{
    for (unsigned d = 0; operand[n].index[d]; d++) {
        unsigned l = 0, another = 0;
        while (loops[l] && loops[l] != operand[n].index[d]) l++;
        if (!loops[l] || size[l] == SIZE_MAX || size[l] == sparse_p_dim_read(&operand[n], d)) continue;
        const size_t m = sparse_p_who_sized(operand, n, loops[l], size[l], &another);
        if (m == n) continue;
        p->other = operand[m].name, p->another = another, p->other_size = size[l];
        p->index = loops[l], p->dimension = d, p->size = sparse_p_dim_read(&operand[n], d);
        if (operand[n].access == SPARSE_RANGES) p->dimension = UINT_MAX;
        if (operand[m].access == SPARSE_RANGES) p->another = UINT_MAX;
        return;
    }
}

/* Records for sparse_explain why the operands of a kernel were refused. operand[at] failed the check; at == count: no single
   operand did. */
SPARSE_P_COLD void sparse_p_explain_bind(sparse_result result, const char *kernel, const char *loops, const size_t *size,
                                         const sparse_p_operand *operand, size_t count, size_t at)
{
    sparse_p_problem p;
    sparse_p_problem *const last = &sparse_p_last_explanation()->problem;
    /* details are from sparse_p_explain_sum */
    if (result == SPARSE_E_SHAPE && at == count && last->is_sum && !last->subject) {
        last->subject = kernel;
        return;
    }
    memset(&p, 0, sizeof p);
    p.result = result, p.subject = kernel;
    if (at < count) {
        const sparse_p_operand *const o = &operand[at];
        const sparse_tensor *const t = o->encoding ? (const sparse_tensor *)o->tensor : NULL;
        p.operand = o->name;
        if (result == SPARSE_E_SHAPE) sparse_p_find_sizes(&p, loops, size, operand, at);
        if (result == SPARSE_E_ENCODING && t) p.encoding = t->encoding->name, p.wanted = o->encoding->name;
    } else if (result == SPARSE_E_ALIAS) {
        for (size_t n = 0; n < count && !p.operand; n++)
            for (size_t m = 0; m < count && !p.operand; m++)
                if (sparse_p_may_not_share(&operand[n], &operand[m])) p.operand = operand[n].name, p.other = operand[m].name;
    } else if (result == SPARSE_E_UNSIZED) {
        for (size_t n = 0; n < count && !p.operand; n++)
            for (unsigned d = 0; operand[n].encoding && !sparse_p_is_sized(&operand[n]) && operand[n].index[d]; d++) {
                unsigned l = 0;
                while (loops[l] && loops[l] != operand[n].index[d]) l++;
                if (loops[l] && size[l] == SIZE_MAX) p.operand = operand[n].name, p.index = loops[l];
            }
    }
    (void)sparse_p_found(&p);
}
    #endif

SPARSE_API sparse_result sparse_p_bind(const char *kernel, const char *loops, size_t *size, const sparse_p_operand *operand,
                                       size_t count)
{
    size_t at;
    const sparse_result result = sparse_p_bind_operands(loops, size, operand, count, &at);
    #if SPARSE_EXPLAIN
    if (result) sparse_p_explain_bind(result, kernel, loops, size, operand, count, at);
    #else
    (void)kernel;
    #endif
    return result;
}

/* The hooks of an operand; null, the default, for a scalar. */
static inline const sparse_hooks *sparse_p_hooks_of(const sparse_p_operand *o)
{
    return o->encoding ? ((const sparse_tensor *)o->tensor)->hooks : NULL;
}

SPARSE_API sparse_result sparse_p_allocate_workspace(sparse_result so_far, sparse_buffer *work, size_t bytes,
                                                     const size_t *size, size_t rank, const sparse_p_operand *operand)
{
    size_t length = 1;
    memset(work, 0, sizeof *work);
    if (so_far != SPARSE_OK) return so_far;
    for (size_t d = 0; d < rank; d++)
        if (!sparse_p_mul(&length, length, size[d])) return SPARSE_E_MEMORY;
    return sparse_p_allocate_first(sparse_p_hooks_of(operand), work, length ? length : 1, bytes);
}

SPARSE_API void sparse_p_clear_workspace(sparse_buffer *work, size_t bytes)
{
    if (work->at) memset(work->at, 0, work->capacity * bytes);
}

SPARSE_API void sparse_p_end_workspace(sparse_buffer *work, size_t bytes, const sparse_p_operand *operand)
{
    sparse_p_release(sparse_p_hooks_of(operand), work, bytes);
}

SPARSE_API sparse_result sparse_p_copy_pattern(const sparse_p_operand *operand, const void *zero)
{
    sparse_tensor *t = (sparse_tensor *)operand[0].tensor;
    const sparse_tensor *pattern = (const sparse_tensor *)operand[1].tensor;
    const sparse_encoding *e = operand[0].encoding;
    sparse_result result = SPARSE_OK;
    t->encoding = e;
    sparse_p_clear(t);
    memcpy(t->dim, pattern->dim, sizeof t->dim);
    memcpy(t->lvl, pattern->lvl, sizeof t->lvl);
    for (unsigned l = 0; l < e->levels && result == SPARSE_OK; l++) {
        result = sparse_p_copy_buffer(t->hooks, &t->pos[l], &pattern->pos[l], e->pos_bits / 8u);
        if (result == SPARSE_OK) result = sparse_p_copy_buffer(t->hooks, &t->crd[l], &pattern->crd[l], e->crd_bits / 8u);
    }
    if (result == SPARSE_OK) result = sparse_p_allocate(t->hooks, &t->val, pattern->val.length, e->value_size);
    if (result == SPARSE_OK)
        sparse_p_fill(t->val.at, t->val.length, zero, e->value_size);
    else
        sparse_free(t);
    return result;
}

/* >>building, defined */

SPARSE_API void sparse_p_fill_values(void *tensor, const void *value, size_t size)
{
    sparse_tensor *const t = (sparse_tensor *)tensor;
    sparse_p_fill(t->val.at, t->val.length, value, size);
}
/* The number of parts of the output, if this builder makes one of them; 0 if it makes the whole output, as always without
   OpenMP. */
static inline size_t sparse_p_parts(const sparse_p_builder *to)
{
    #ifdef _OPENMP
    return to->part.of;
    #else
    return (void)to, (size_t)0;
    #endif
}

/* Stores the error. Returns false, which the caller returns. */
static inline bool sparse_p_give_up(sparse_p_builder *to, sparse_result result)
{
    to->result = result;
    return false;
}

SPARSE_API bool sparse_p_widen(sparse_p_builder *to, sparse_buffer *b, size_t length, size_t size)
{
    const sparse_result result = sparse_p_grow(to->t->hooks, b, length, size);
    return result == SPARSE_OK || sparse_p_give_up(to, result);
}

/* The number of dense levels at the top of the encoding; the number of their positions, which fits a size_t. */
static inline unsigned sparse_p_dense_levels(const sparse_encoding *e)
{
    unsigned l = 0;
    while (l < e->levels && sparse_p_is_dense_level(&e->level[l])) l++;
    return l;
}
static inline size_t sparse_p_dense_parents(const sparse_tensor *t)
{
    size_t parents = 1;
    for (unsigned l = 0; l < sparse_p_dense_levels(t->encoding); l++) parents *= t->lvl[l];
    return parents;
}

/* Below dense levels, the positions of a part have an element for every parent, but the part writes only those from its
   first parent on. An operating system that allocates memory by pages does not allocate the elements before. */
SPARSE_API bool sparse_p_more_rows(sparse_p_builder *to, unsigned level, size_t parent)
{
    sparse_buffer *const pos = &to->t->pos[level - 1];
    const size_t size = to->t->encoding->pos_bits / 8u;
    if (sparse_p_parts(to) == 0 || pos->capacity > 0 || level != sparse_p_dense_levels(to->t->encoding) + 1)
        return sparse_p_widen(to, pos, parent + 1, size);
    to->part.before = to->level[level - 1].rows = parent > 0 ? parent - 1 : 0;
    return sparse_p_widen(to, pos, sparse_p_dense_parents(to->t) + 1, size);
}

/* For compressed level `level`, which is not the last: the number of coordinates for which its crd and the pos of the
   level below have room. */
static inline size_t sparse_p_ahead(const sparse_tensor *t, unsigned level)
{
    const size_t here = t->crd[level - 1].capacity, below = t->pos[level].capacity;
    return !sparse_p_has_pos(&t->encoding->level[level]) ? here : below > 0 ? sparse_p_min(here, below - 1) : 0;
}

SPARSE_API bool sparse_p_more_parents(sparse_p_builder *to, unsigned level)
{
    const sparse_encoding *const e = to->t->encoding;
    sparse_buffer *const crd = &to->t->crd[level - 1], *const pos = &to->t->pos[level];
    const size_t entries = to->level[level - 1].entries + 1;
    if (!sparse_p_grow_output(to, crd, entries, e->crd_bits / 8u)) return false;
    if (sparse_p_has_pos(&e->level[level]) && !sparse_p_grow_output(to, pos, entries + 1, e->pos_bits / 8u)) return false;
    to->level[level - 1].ahead = sparse_p_ahead(to->t, level);
    return true;
}

/* sparse_p_close_rows for any width. */
SPARSE_P_OUTLINE bool sparse_p_rows_of(sparse_p_builder *to, unsigned level, size_t parent, size_t entries)
{
    return sparse_p_close_rows(to, level, parent, entries, to->t->encoding->pos_bits);
}

/* The number of levels that share the coordinate array of level l, counted from 0: more than 1 in COO, which has an array
   of structures; 0 if the coordinates are in the array of a level above. */
static inline size_t sparse_p_stride(const sparse_encoding *e, unsigned l)
{
    unsigned end = l + !sparse_p_is_aos(e, l);
    while (end > l && end < e->levels && sparse_p_is_aos(e, end)) end++;
    return end - l;
}

/* The number of entries for which an output gets room when it grows: twice as many as before. If its rows are below dense
   levels, the number of finished rows gives a better estimate: as many as it needs if the other rows are alike, at least
   1.5 and at most 16 times as many. A part has a share of the rows. */
static inline size_t sparse_p_room_ahead(const sparse_p_builder *to, size_t entries)
{
    const size_t parts = sparse_p_parts(to) > 0 ? sparse_p_parts(to) : 1, all = to->t->pos[to->head - 1].capacity;
    const size_t before = sparse_p_share(0, all, to->part.number, parts), rows = to->level[to->head - 1].rows;
    const size_t done = rows > before ? rows - before : 0,
                 length = sparse_p_share(0, all, to->part.number + 1, parts) - before;
    const size_t room = to->room.entries, half = room + room / 2, most = room < SIZE_MAX / 16 ? 16 * room : half;
    if (sparse_p_dense_levels(to->t->encoding) + 1 < to->head || done == 0 || done >= length) return room + room;
    size_t ahead = half;
    if (!sparse_p_mul(&ahead, entries + entries / 16, length)) return half;
    ahead /= done;
    return ahead < half ? half : ahead > most ? most : ahead;
}

/* Gives an output room for `room` entries. */
SPARSE_P_OUTLINE bool sparse_p_set_room(sparse_p_builder *to, size_t room)
{
    sparse_tensor *const t = to->t;
    const sparse_encoding *e = t->encoding;
    size_t length, values;
    if (!sparse_p_mul(&length, room, SPARSE_MAX_LEVELS) || !sparse_p_mul(&values, room, to->room.block))
        return sparse_p_give_up(to, SPARSE_E_MEMORY);
    sparse_result result = sparse_p_enlarge(t->hooks, &t->val, values, e->value_size);
    for (unsigned l = to->head - 1; l < to->last && result == SPARSE_OK; l++)
        result = sparse_p_enlarge(t->hooks, &t->crd[l], to->level[l].stride * room, e->crd_bits / 8u);
    to->room.entries = result == SPARSE_OK ? room : to->room.entries;
    return result == SPARSE_OK || sparse_p_give_up(to, result);
}

/* If there is not enough memory for all that is wanted, tries half of the surplus, then a quarter, and so on. */
SPARSE_API bool sparse_p_make_room(sparse_p_builder *to, size_t entries, size_t more)
{
    if (to->room.fixed) return true;
    if (more > SIZE_MAX - entries) return sparse_p_give_up(to, SPARSE_E_MEMORY);
    const size_t needed = entries + more;
    size_t room = sparse_p_room_ahead(to, entries);
    if (room < needed) room = needed;
    if (room < to->room.expected && room >= to->room.expected / SPARSE_P_EXPECT) room = to->room.expected;
    while (!sparse_p_set_room(to, room)) {
        if (room == needed) return false;
        room = needed + (room - needed) / 2;
        to->result = SPARSE_OK;
    }
    return true;
}

/* Gives b, an array of the workspace, at least `length` elements. Sets new ones to `initial`. */
SPARSE_P_OUTLINE bool sparse_p_extend(sparse_p_builder *to, sparse_buffer *b, size_t length, size_t size,
                                      const void *initial)
{
    const size_t old = b->capacity;
    if (length <= old) return true;
    if (!sparse_p_widen(to, b, length, size)) return false;
    sparse_p_fill((char *)b->at + old * size, b->capacity - old, initial, size);
    return true;
}

SPARSE_API size_t sparse_p_find(const sparse_p_builder *to, size_t key)
{
    const size_t slot = sparse_p_probe(to->work.vacant, to->work.key, to->work.mask, to->work.shift, key);
    to->work.key[slot] = key;
    return slot;
}

/* Allocates the arrays that the empty workspace needs for `how`: an array, a hash table or a list, with `slots` slots. A
   hash table has a power of two. */
SPARSE_P_OUTLINE bool sparse_p_use_slots(sparse_p_builder *to, unsigned how, size_t slots, const void *initial)
{
    const bool hashed = how == SPARSE_P_HASHED;
    const unsigned char vacant = 1;
    const size_t empty = 0, listed = to->work.list.capacity > 0 ? to->work.list.capacity - 1 : 0;
    sparse_buffer *const b = hashed ? to->work.table : to->work.array;
    size_t values;
    if (slots > SIZE_MAX - SPARSE_P_LINE || !sparse_p_mul(&values, slots, to->room.block))
        return sparse_p_give_up(to, SPARSE_E_MEMORY);
    if (!sparse_p_extend(to, &b[0], values, to->t->encoding->value_size, initial) ||
        !sparse_p_extend(to, &b[1], slots + SPARSE_P_LINE, 1, &vacant) ||
        (hashed && !sparse_p_extend(to, &b[2], slots, sizeof(size_t), &empty)))
        return false;
    to->work.how = how;
    to->work.values = b[0].at;
    to->work.vacant = (unsigned char *)b[1].at;
    to->work.key = (size_t *)to->work.table[2].at;
    to->work.mask = slots - 1;
    to->work.shift = 65 - sparse_p_width(slots);
    to->work.limit = sparse_p_min(hashed ? slots / 2 : slots, listed);
    if (how == SPARSE_P_ADDRESSED) to->work.limit = listed >= slots ? SIZE_MAX : listed;
    return true;
}

/* True if an array would be small, or at most as large as a hash table with that many slots. */
SPARSE_P_INLINE bool sparse_p_array_is_small(const sparse_p_builder *to, size_t slots)
{
    return to->work.keys <= SPARSE_P_AT_ONCE || to->work.keys / 2 <= slots;
}

/* Moves the first `count` entries from the hash table into a larger one, or into the array. */
SPARSE_P_COLD bool sparse_p_move_slots(sparse_p_builder *to, size_t count, size_t slots, const void *initial)
{
    const size_t size = to->room.block * to->t->encoding->value_size, mask = to->work.mask;
    const unsigned shift = to->work.shift;
    sparse_buffer old[3];
    memcpy(old, to->work.table, sizeof old);
    memset(to->work.table, 0, sizeof to->work.table);
    const bool array = sparse_p_array_is_small(to, slots);
    const bool done =
        sparse_p_use_slots(to, array ? SPARSE_P_ADDRESSED : SPARSE_P_HASHED, array ? to->work.keys : slots, initial);
    for (size_t n = 0; n < count && done; n++) {
        const size_t key = to->work.added[n], slot = sparse_p_slot(to, to->work.how, key);
        const size_t from = sparse_p_probe((unsigned char *)old[1].at, (size_t *)old[2].at, mask, shift, key);
        to->work.vacant[slot] = 0;
        memcpy((char *)to->work.values + slot * size, (char *)old[0].at + from * size, size);
    }
    sparse_p_release(to->t->hooks, &old[0], to->t->encoding->value_size);
    sparse_p_release(to->t->hooks, &old[1], 1);
    sparse_p_release(to->t->hooks, &old[2], sizeof(size_t));
    return done;
}

/* True if the keys ascend, as in a band. */
SPARSE_P_INLINE bool sparse_p_are_in_order(const size_t *key, size_t count)
{
    size_t n = 1;
    while (n < count && key[n - 1] < key[n]) n++;
    return n == count;
}

/* Ends the loops, so that they run again without a list. */
static inline bool sparse_p_run_again(sparse_p_builder *to)
{
    to->again = true;
    return sparse_p_give_up(to, SPARSE_E_ORDER);
}

/* Moves the entries of a list to the output, except the last `kept`, 1 or 0, to which values may still be added. If they
   are out of order, the loops must run again. */
SPARSE_P_OUTLINE bool sparse_p_empty_list(sparse_p_builder *to, size_t *count, size_t kept, const void *initial)
{
    sparse_p_workspace *const w = &to->work;
    const size_t size = to->room.block * to->t->encoding->value_size, gone = *count > kept ? *count - kept : 0;
    if (gone == 0) return true;
    if (!sparse_p_are_in_order(w->added, *count)) return sparse_p_run_again(to);
    if (to->plan.place != sparse_p_place_any && !sparse_p_reserve(to, to->level[to->last - 1].entries, gone)) return false;
    if (!to->plan.place(to, w->added, gone, w->added[0], w->added[gone - 1], initial)) return false;
    if (kept > 0) {
        w->added[0] = w->added[gone];
        memcpy(w->values, (char *)w->values + gone * size, size);
        sparse_p_fill((char *)w->values + gone * size, to->room.block, initial, to->t->encoding->value_size);
    }
    memset(w->vacant, 1, *count);
    if (kept > 0) w->vacant[0] = 0;
    w->emptied += gone;
    *count = kept;
    return true;
}

SPARSE_API bool sparse_p_grow_workspace(sparse_p_builder *to, size_t count, size_t more, const void *initial)
{
    const bool listed = to->work.how == SPARSE_P_SEQUENTIAL;
    /* more than an array can hold */
    if (listed && (more > to->work.keys || more > SIZE_MAX / 8)) return sparse_p_run_again(to);
    if (listed && !sparse_p_empty_list(to, &count, 1, initial)) return false;
    const size_t room = listed ? sparse_p_max(count + more, SPARSE_P_LIST) : to->work.keys;
    const size_t wanted = !listed && more < room - count ? count + more : room;
    size_t slots = to->work.mask + 1;
    if (wanted >= to->work.list.capacity && !sparse_p_widen(to, &to->work.list, wanted + 1, sizeof(size_t))) return false;
    to->work.added = (size_t *)to->work.list.at;
    if (to->work.how != SPARSE_P_HASHED)
        return sparse_p_use_slots(to, listed ? SPARSE_P_SEQUENTIAL : SPARSE_P_ADDRESSED, room, initial);
    if (wanted > SIZE_MAX / 8) return sparse_p_give_up(to, SPARSE_E_MEMORY);
    while (slots / 2 < wanted) slots *= 2;
    return slots == to->work.mask + 1 ? sparse_p_use_slots(to, SPARSE_P_HASHED, slots, initial)
                                      : sparse_p_move_slots(to, count, slots, initial);
}

/* Eight bytes as a number, with the first byte in the lowest bits. */
SPARSE_P_INLINE uint64_t sparse_p_eight(const void *at)
{
    uint64_t eight = 0;
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&eight, at, sizeof eight);
    #else
    for (unsigned b = 0; b < 8; b++) eight |= (uint64_t)((const unsigned char *)at)[b] << 8 * b;
    #endif
    return eight;
}

/* Converts eight bytes at `at`, each 0 or 1, to bits from bit `at` on. */
SPARSE_P_INLINE uint64_t sparse_p_eight_bits(const unsigned char *mark, unsigned at)
{
    return sparse_p_eight(mark + at) * 0x0102040810204080u >> 56 << at;
}

/* Returns which of 64 slots are occupied, with the first slot in the lowest bit, and makes all of them vacant. */
SPARSE_P_INLINE uint64_t sparse_p_take_line(unsigned char *vacant)
{
    const uint64_t bits = sparse_p_eight_bits(vacant, 0) | sparse_p_eight_bits(vacant, 8) | sparse_p_eight_bits(vacant, 16) |
                          sparse_p_eight_bits(vacant, 24) | sparse_p_eight_bits(vacant, 32) |
                          sparse_p_eight_bits(vacant, 40) | sparse_p_eight_bits(vacant, 48) |
                          sparse_p_eight_bits(vacant, 56);
    if (~bits) memset(vacant, 1, SPARSE_P_LINE);
    return ~bits;
}

/* Appends an entry at the coordinates of the builder, with a block of values, if there is room. */
static inline void sparse_p_place_here(sparse_p_builder *to, const void *values)
{
    sparse_tensor *t = to->t;
    const sparse_encoding *e = t->encoding;
    size_t *n = &to->level[to->last - 1].entries;
    if (++*n > to->room.entries) return;
    unsigned shared = to->head - 1;
    for (unsigned l = shared; l < to->last; l++) {
        if (to->level[l].stride > 0) shared = l;
        sparse_store(t->crd[shared].at, e->crd_bits, to->level[shared].stride * (*n - 1) + (l - shared),
                     to->level[l].coordinate);
    }
    memcpy((char *)t->val.at + (*n - 1) * to->room.block * e->value_size, values, to->room.block * e->value_size);
}

/* True if the positions above compressed level l, counted from 1, were appended, and are not those of dense levels. */
static inline bool sparse_p_is_below_entries(const sparse_encoding *e, unsigned l)
{
    return l > 1 && !sparse_p_is_dense_level(&e->level[l - 2]);
}

/* The number of coordinates that level l, counted from 1, has so far. */
static inline size_t sparse_p_entries_of(const sparse_p_builder *to, unsigned l)
{
    return to->level[(l >= to->head ? to->last : l) - 1].entries;
}

/* sparse_p_append for any width. Call it before the entries below the new coordinate: the existing entries are below the
   last one. */
static inline bool sparse_p_append_of(sparse_p_builder *to, unsigned level, size_t coordinate)
{
    const sparse_encoding *const e = to->t->encoding;
    const size_t p = to->level[level - 1].entries, below = sparse_p_entries_of(to, level + 1);
    const bool positions = sparse_p_has_pos(&e->level[level]);
    if (positions && p < to->t->pos[level].capacity) sparse_store(to->t->pos[level].at, e->pos_bits, p, below);
    return sparse_p_append(to, level, coordinate, e->crd_bits, below, positions ? e->pos_bits : 0);
}

/* Sets the coordinates of the levels from `first` on from a key of the workspace. Appends those that are new in levels
   above the last. */
static inline bool sparse_p_move_to(sparse_p_builder *to, size_t key)
{
    sparse_tensor *t = to->t;
    const sparse_encoding *e = t->encoding;
    size_t c[SPARSE_MAX_LEVELS], p = to->parent;
    for (unsigned l = to->last; l >= to->plan.first; l--) {
        c[l - 1] = key % t->lvl[l - 1];
        key /= t->lvl[l - 1];
    }
    for (unsigned l = to->plan.first; l <= to->last; l++) {
        to->fresh = to->fresh || c[l - 1] != to->level[l - 1].coordinate;
        to->level[l - 1].coordinate = c[l - 1];
        if (sparse_p_is_dense_level(&e->level[l - 1])) p = p * t->lvl[l - 1] + c[l - 1];
        if (!sparse_p_has_pos(&e->level[l - 1])) continue;
        if (!sparse_p_is_below_entries(e, l) && to->level[l - 1].rows < p &&
            !sparse_p_rows_of(to, l, p, sparse_p_entries_of(to, l)))
            return false;
        if (l < to->head) {
            if (to->fresh && !sparse_p_append_of(to, l, c[l - 1])) return false;
            p = to->level[l - 1].entries - 1;
        }
    }
    to->fresh = false;
    return true;
}

/* Sorts a few distinct keys: the position of a key is the number of smaller keys. */
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

/* The most buckets for sorting `count` keys. */
SPARSE_P_INLINE size_t sparse_p_most_buckets(size_t count) { return sparse_p_min(sparse_p_max(2 * count, 16), 2048); }

/* Sorts keys by digits, the lowest first, alternating between `key` and `other`; returns where they are. The number of
   bits in a digit minimises the time, estimated as 2/4 ns for each bucket and 10/4 ns for each key. The buckets are after
   the keys in `other`. */
SPARSE_P_OUTLINE size_t *sparse_p_sort_digits(size_t *key, size_t *other, size_t count, size_t least, unsigned width)
{
    size_t *const start = other + count, best = SIZE_MAX;
    unsigned digits = 1, bits = 0;
    for (unsigned d = 1; d <= (width + 3) / 4; d++) {
        const unsigned b = (width + d - 1) / d;
        const size_t buckets = b < 16 ? (size_t)1 << b : SIZE_MAX;
        const size_t time = buckets <= sparse_p_most_buckets(count) ? d * (count + buckets / 4) : SIZE_MAX;
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

/* Makes room to sort `count` keys. */
static inline bool sparse_p_room_to_sort(sparse_p_builder *to, size_t count)
{
    const size_t room = count + sparse_p_most_buckets(count);
    return room <= to->work.order.capacity || sparse_p_widen(to, &to->work.order, room, sizeof(size_t));
}

/* Returns the keys of the workspace in order. All are from `least` to `most`. sparse_p_room_to_sort must have made
   room. */
static inline size_t *sparse_p_in_order(sparse_p_builder *to, size_t count, size_t least, size_t most)
{
    size_t *const order = (size_t *)to->work.order.at;
    if (count > SPARSE_P_RANKED || sparse_p_above(most - least, INT32_MAX))
        return sparse_p_sort_digits(to->work.added, order, count, least, sparse_p_width(most - least));
    sparse_p_rank(to->work.added, order, count, least);
    return order;
}

/* Insertion sort of a few keys. */
SPARSE_P_INLINE void sparse_p_insert_keys(size_t *key, size_t count)
{
    for (size_t n = 1; n < count; n++) {
        const size_t here = key[n];
        size_t at = n;
        for (; at > 0 && key[at - 1] > here; at--) key[at] = key[at - 1];
        key[at] = here;
    }
}

/* Moves a value out of the workspace, and sets its slot to the initial value. */
SPARSE_P_INLINE void sparse_p_take_out(void *to, void *value, const void *initial, size_t size)
{
    memcpy(to, value, size);
    memcpy(value, initial, size);
}

/* The slot of key number n of those that were added. */
SPARSE_P_INLINE size_t sparse_p_slot_of(const sparse_p_workspace *w, size_t n, size_t key)
{
    if (w->how == SPARSE_P_HASHED) return sparse_p_probe(w->vacant, w->key, w->mask, w->shift, key);
    return w->how == SPARSE_P_SEQUENTIAL ? n : key;
}

/* Appends entries of a workspace with one value for each slot, in the order of keys `first` to `end` - 1, which belong to
   one row: the coordinate is key - row. There must be room. */
SPARSE_P_INLINE void sparse_p_append_keys(sparse_p_builder *to, const size_t *key, size_t first, size_t end, size_t row,
                                          const void *initial, size_t size, unsigned bits)
{
    const bool addressed = to->work.how < SPARSE_P_HASHED;
    unsigned char *const vacant = to->work.vacant;
    char *const values = (char *)to->work.values, *const val = (char *)to->t->val.at;
    void *const crd = to->t->crd[to->last - 1].at;
    size_t at = to->level[to->last - 1].entries;
    for (size_t n = first; n < end && addressed; n++, at++) {
        sparse_store(crd, bits, at, key[n] - row);
        sparse_p_take_out(val + at * size, values + key[n] * size, initial, size);
        vacant[key[n]] = 1;
    }
    for (size_t n = first; n < end && !addressed; n++, at++) {
        const size_t slot = sparse_p_slot_of(&to->work, n, key[n]);
        sparse_store(crd, bits, at, key[n] - row);
        sparse_p_take_out(val + at * size, values + slot * size, initial, size);
    }
    to->level[to->last - 1].entries = at;
}

/* sparse_p_append_keys for a workspace that is an array: visits the slots from `least` to `most` instead of sorted keys. */
SPARSE_P_INLINE void sparse_p_append_lines(sparse_p_builder *to, size_t least, size_t most, const void *initial, size_t size,
                                           unsigned bits)
{
    unsigned char *const vacant = to->work.vacant;
    char *const values = (char *)to->work.values, *const val = (char *)to->t->val.at;
    void *const crd = to->t->crd[to->last - 1].at;
    size_t at = to->level[to->last - 1].entries;
    for (size_t base = least / SPARSE_P_LINE * SPARSE_P_LINE; base <= most; base += SPARSE_P_LINE)
        for (uint64_t slots = sparse_p_take_line(vacant + base); slots; slots &= slots - 1, at++) {
            const size_t slot = base + sparse_p_first_bit(slots);
            sparse_store(crd, bits, at, slot);
            sparse_p_take_out(val + at * size, values + slot * size, initial, size);
        }
    to->level[to->last - 1].entries = at;
}

/* Counts entries for which the caller's arrays have no room. */
SPARSE_P_INLINE void sparse_p_count_keys(sparse_p_builder *to, const size_t *key, size_t first, size_t end,
                                         const void *initial, size_t size)
{
    const bool hashed = to->work.how == SPARSE_P_HASHED;
    unsigned char *const vacant = to->work.vacant;
    char *const values = (char *)to->work.values;
    for (size_t n = first; n < end; n++) {
        const size_t slot = sparse_p_slot_of(&to->work, n, key[n]);
        memcpy(values + slot * size, initial, size);
        if (!hashed) vacant[slot] = 1;
    }
    to->level[to->last - 1].entries += end - first;
}

/* Appends entries like sparse_p_append_keys as long as there is room, and counts the others. */
SPARSE_P_INLINE void sparse_p_append_row(sparse_p_builder *to, const size_t *key, size_t first, size_t end, size_t row,
                                         const void *initial, size_t size, unsigned bits)
{
    const size_t at = to->level[to->last - 1].entries, left = at < to->room.entries ? to->room.entries - at : 0;
    const size_t full = end - first < left ? end : first + left;
    sparse_p_append_keys(to, key, first, full, row, initial, size, bits);
    if (full < end) sparse_p_count_keys(to, key, full, end, initial, size);
}

/* Appends the entries of a workspace over the last level. */
SPARSE_P_INLINE void sparse_p_append_level(sparse_p_builder *to, const size_t *key, size_t count, size_t least, size_t most,
                                           const void *initial, size_t size, unsigned bits)
{
    if (key)
        sparse_p_append_row(to, key, 0, count, 0, initial, size, bits);
    else
        sparse_p_append_lines(to, least, most, initial, size, bits);
}

SPARSE_API bool sparse_p_place_common(sparse_p_builder *to, const size_t *key, size_t count, size_t least, size_t most,
                                      const void *initial)
{
    sparse_p_append_level(to, key, count, least, most, initial, 8, 32);
    return true;
}

/* In COO, each entry also stores the coordinates of the levels above, which are those of the loops around. */
SPARSE_API bool sparse_p_place_plain(sparse_p_builder *to, const size_t *key, size_t count, size_t least, size_t most,
                                     const void *initial)
{
    const sparse_encoding *e = to->t->encoding;
    const size_t at = to->level[to->last - 1].entries;
    for (unsigned l = to->head; l < to->last; l++)
        for (size_t n = at; n < at + count && n < to->room.entries; n++)
            sparse_store(to->t->crd[l - 1].at, e->crd_bits, n, to->level[l - 1].coordinate);
    sparse_p_append_level(to, key, count, least, most, initial, e->value_size, e->crd_bits);
    return true;
}

/* Moves the entry of a slot, which may be a block or an element of COO, from the workspace to the output. */
SPARSE_P_INLINE void sparse_p_place_block(sparse_p_builder *to, size_t slot, const void *initial, size_t size)
{
    char *const values = (char *)to->work.values + slot * to->room.block * size;
    sparse_p_place_here(to, values);
    sparse_p_fill(values, to->room.block, initial, size);
    if (to->work.how != SPARSE_P_HASHED) to->work.vacant[slot] = 1;
}

/* Moves the entries of `count` sorted keys from the workspace to the output, row by row. A row consists of the keys from
   *row on, as many as the size of the last level. `alone`: each entry has one value, and one coordinate that it shares
   with no other entry. */
SPARSE_P_INLINE bool sparse_p_place_keys(sparse_p_builder *to, const size_t *key, size_t count, size_t *row,
                                         const void *initial, size_t size, unsigned bits, bool alone)
{
    const size_t length = to->t->lvl[to->last - 1];
    for (size_t n = 0, end; n < count; n = end) {
        if (to->fresh || key[n] - *row >= length) {
            if (!sparse_p_move_to(to, key[n])) return false;
            *row = key[n] - to->level[to->last - 1].coordinate;
        }
        for (end = n; end < count && key[end] - *row < length; end++) {
            to->level[to->last - 1].coordinate = key[end] - *row;
            if (!alone) sparse_p_place_block(to, sparse_p_slot_of(&to->work, end, key[end]), initial, size);
        }
        if (alone) sparse_p_append_row(to, key, n, end, *row, initial, size, bits);
    }
    return true;
}

/* Moves the entries of the sorted keys from the workspace to the output. If `key` is null, scans the slots from `least`
   to `most` instead, a line at a time. */
SPARSE_P_INLINE bool sparse_p_place_all(sparse_p_builder *to, const size_t *key, size_t count, size_t least, size_t most,
                                        const void *initial, size_t size, unsigned bits, bool alone)
{
    size_t row = 0, line[SPARSE_P_LINE];
    for (size_t base = least / SPARSE_P_LINE * SPARSE_P_LINE; key || base <= most; base += SPARSE_P_LINE) {
        size_t n = 0;
        for (uint64_t slots = key ? 0 : sparse_p_take_line(to->work.vacant + base); slots; slots &= slots - 1)
            line[n++] = base + sparse_p_first_bit(slots);
        const bool placed = sparse_p_place_keys(to, key ? key : line, key ? count : n, &row, initial, size, bits, alone);
        if (!placed || key) return placed;
    }
    return true;
}

SPARSE_API bool sparse_p_place_any(sparse_p_builder *to, const size_t *key, size_t count, size_t least, size_t most,
                                   const void *initial)
{
    const sparse_encoding *const e = to->t->encoding;
    if (!sparse_p_reserve(to, to->level[to->last - 1].entries, count)) return false;
    return !SPARSE_FREESTANDING && e->value_size == 8 && e->crd_bits == 32 && to->room.block == 1 && to->head == to->last
               ? sparse_p_place_all(to, key, count, least, most, initial, 8, 32, true)
               : sparse_p_place_all(to, key, count, least, most, initial, e->value_size, e->crd_bits, false);
}

/* Prepares the workspace for the next row. The last row had `count` entries, with keys from `least` to `most`. */
SPARSE_P_INLINE bool sparse_p_next_row(sparse_p_builder *to, size_t count, size_t least, size_t most, const void *initial)
{
    const size_t spread = most - least, up = least - to->work.recent.least, apart = sparse_p_min(up, 0 - up) / 2;
    const size_t now = sparse_p_max(spread, apart), before = to->work.recent.reach - to->work.recent.reach / 8;
    const bool dense = count > SPARSE_P_FEW_INSERTED && spread / SPARSE_P_SCAN < count;
    to->work.recent.reach = sparse_p_max(now, before);
    const bool near = !sparse_p_above(to->work.recent.reach, SPARSE_P_NEAR) || dense || sparse_p_array_is_small(to, count);
    const unsigned array = to->work.recent.insertions / SPARSE_P_REPEATED >= count ? SPARSE_P_STEADY : SPARSE_P_ADDRESSED;
    size_t slots = SPARSE_P_FEWEST;
    to->work.recent.inserted += to->work.recent.insertions;
    to->work.recent.insertions = 0;
    to->work.recent.least = least;
    if (to->work.how != SPARSE_P_HASHED && near) {
        to->work.how = array;
        return true;
    }
    if (near && to->work.recent.inserted >= to->work.keys / SPARSE_P_PAYS)
        return sparse_p_use_slots(to, SPARSE_P_ADDRESSED, to->work.keys, initial);
    while (slots / 3 < count) slots *= 2;
    return (to->work.how == SPARSE_P_HASHED && to->work.mask + 1 == slots) ||
           sparse_p_use_slots(to, SPARSE_P_HASHED, slots, initial);
}

/* Finds the least and the greatest of some keys. */
SPARSE_P_INLINE void sparse_p_spread(const size_t *key, size_t count, size_t *least, size_t *most)
{
    size_t low = key[0], high = key[0];
    for (size_t n = 1; n < count; n++) {
        low = key[n] < low ? key[n] : low;
        high = key[n] > high ? key[n] : high;
    }
    *least = low, *most = high;
}

/* Sorts the keys of a workspace, and sets *least and *most to bounds of them. *key becomes the sorted keys; or null if
   visiting the slots of the array takes no longer, which `may` allows. If `counts`, the entries are only counted: the
   keys stay unsorted, but the memory for sorting is allocated, so that name_needs() counts it. Returns false if memory
   runs out. */
SPARSE_P_OUTLINE bool sparse_p_arrange(sparse_p_builder *to, size_t **key, size_t count, bool may, bool counts,
                                       size_t *least, size_t *most)
{
    const bool array = to->work.how != SPARSE_P_HASHED;
    *least = 0, *most = to->work.keys - 1;
    if (!(array && to->work.keys / 16 <= count)) sparse_p_spread(to->work.added, count, least, most);
    const bool runs = may && array && (*most - *least) / SPARSE_P_SCAN < count;
    if (!runs && !sparse_p_room_to_sort(to, count)) return false;
    if (!counts) *key = runs ? NULL : sparse_p_in_order(to, count, *least, *most);
    return true;
}

SPARSE_API bool sparse_p_compress(sparse_p_builder *to, size_t count, const void *initial)
{
    const bool plain = to->plan.place != sparse_p_place_any;
    const size_t *const entries = &to->level[to->last - 1].entries;
    size_t *key = to->work.added, least, most;
    if (count == 0) return true;
    if (to->work.how == SPARSE_P_SEQUENTIAL) return sparse_p_empty_list(to, &count, 0, initial);
    if (plain && !sparse_p_reserve(to, *entries, count)) return false;
    const bool fits = plain && *entries <= to->room.entries && count <= to->room.entries - *entries;
    const bool counts = plain && *entries >= to->room.entries; /* entries may be appended in any order */
    if (count <= SPARSE_P_FEW_INSERTED)
        sparse_p_insert_keys(key, count), least = key[0], most = key[count - 1];
    else if (sparse_p_are_in_order(key, count))
        least = key[0], most = key[count - 1];
    else if (!sparse_p_arrange(to, &key, count, fits || counts || !plain, counts, &least, &most))
        return false;
    if (!to->plan.place(to, key, count, least, most, initial)) return false;
    to->fresh = true;
    if (to->work.how == SPARSE_P_HASHED) memset(to->work.vacant, 1, to->work.mask + 1);
    return sparse_p_next_row(to, count, least, most, initial);
}

/* Gives every compressed level its first position, 0. If its parents are the root or positions of dense levels, also
   makes room for one position more than there are parents. */
static inline sparse_result sparse_p_begin_rows(sparse_p_builder *to)
{
    const sparse_encoding *e = to->t->encoding;
    size_t parents = 1;
    for (unsigned l = 0; l < e->levels; l++) {
        if (sparse_p_has_pos(&e->level[l])) {
            if (parents == SIZE_MAX) return SPARSE_E_OVERFLOW;
            if (sparse_p_parts(to) > 0 && l == sparse_p_dense_levels(e)) {
                parents = 1;
                continue;
            }
            if (!sparse_p_grow_output(to, &to->t->pos[l], parents + 1, e->pos_bits / 8u)) return to->result;
            if (to->t->pos[l].capacity > 0) sparse_p_put_number(to->t->pos[l].at, e->pos_bits, 0, 0);
            parents = 1;
        } else if (sparse_p_is_dense_level(&e->level[l]) && l < to->last) {
            if (!sparse_p_mul(&parents, parents, to->t->lvl[l])) return SPARSE_E_OVERFLOW;
        }
    }
    return SPARSE_OK;
}

static inline bool sparse_p_is_among(const char *indices, char i)
{
    while (*indices && *indices != i) indices++;
    return *indices != 0;
}

/* An upper bound for the number of different coordinates that an operand stores in these indices; it must have all of
   them. If its first levels are over these indices, their positions count, else its values. */
static inline size_t sparse_p_coordinates(const char *indices, const sparse_p_operand *o)
{
    const sparse_tensor *t = (const sparse_tensor *)o->tensor;
    const sparse_level *v = o->encoding->level;
    size_t positions = 1;
    for (unsigned l = 0; indices[l]; l++) {
        const bool plain = l < o->encoding->levels && v[l].map == SPARSE_MAP_DIM && !v[l].properties;
        if (!plain || !sparse_p_is_among(indices, o->index[v[l].dim])) return t->val.length;
        if (sparse_p_is_compressed_level(&v[l]))
            positions = t->crd[l].length;
        else if (!sparse_p_is_dense_level(&v[l]) || !sparse_p_mul(&positions, positions, t->lvl[l]))
            return t->val.length;
    }
    return positions < t->val.length ? positions : t->val.length;
}

/* The least such bound over all operands that have these indices. Dense operands do not count, because they store
   everything. */
static inline size_t sparse_p_expected(const char *indices, const sparse_p_operand *operand, size_t count)
{
    size_t expected = 0;
    for (size_t n = 0; n < count; n++) {
        bool sparse = false, all = operand[n].encoding && operand[n].access == SPARSE_READS;
        for (const char *i = indices; *i && all; i++) all = sparse_p_is_among(operand[n].index, *i);
        for (unsigned l = 0; all && l < operand[n].encoding->levels; l++)
            sparse = sparse || !sparse_p_is_dense_level(&operand[n].encoding->level[l]);
        const size_t stored = sparse ? sparse_p_coordinates(indices, &operand[n]) : 0;
        if (stored <= SIZE_MAX - expected) expected += stored;
    }
    return expected;
}

/* The expected number of entries in the last sparse level of an output: as many as the operands store in the indices down
   to that level. For blocks, as many blocks as these entries fill. At most the number of coordinates. */
static inline size_t sparse_p_expected_entries(const sparse_p_builder *to, const char *index, const size_t *lvl,
                                               const sparse_p_operand *operand, size_t count)
{
    const sparse_encoding *e = to->t->encoding;
    char indices[SPARSE_MAX_RANK + 1] = {0};
    size_t inside = 1, most = 1;
    bool fits = true;
    for (unsigned l = 0, n = 0; l < e->levels; l++) {
        const char i = index[e->level[l].dim];
        const bool known = sparse_p_is_among(indices, i);
        if (!known && l < to->last) indices[n++] = i;
        if (known && l >= to->last) inside *= lvl[l];
        fits = fits && (l >= to->last || sparse_p_mul(&most, most, lvl[l]));
    }
    if (inside == 0) return 0;
    const size_t expected = sparse_p_expected(indices, operand, count) / inside;
    return fits ? sparse_p_min(expected, most) : expected;
}

/* Gives a part the empty workspace of a part that has ended, if there is one. */
static inline bool sparse_p_take_workspace(sparse_p_builder *to)
{
    sparse_p_builder *const all = to - to->part.number;
    bool found = false;
    #ifdef _OPENMP
        #pragma omp critical(sparse_p_places)
    #endif
    for (size_t n = 0; n < sparse_p_parts(to) && !found; n++) {
        sparse_p_builder *const from = &all[n];
        found = from->part.ended && from->result == SPARSE_OK && from->work.values;
        if (!found) continue;
        to->work = from->work;
        memset(&from->work, 0, sizeof from->work);
    }
    return found;
}

/* Makes a workspace over the levels from `first` to the last sparse one. Chooses array, hash table or list for the first
   row; sparse_p_next_row chooses again for each row, and sparse_p_grow_workspace when the slots are full. */
static inline sparse_result sparse_p_begin_workspace(sparse_p_builder *to, const void *initial)
{
    to->work.keys = 1;
    for (unsigned l = to->plan.first; l <= to->last; l++)
        if (!sparse_p_mul(&to->work.keys, to->work.keys, to->t->lvl[l - 1])) return SPARSE_E_OVERFLOW;
    to->fresh = true;
    /* a workspace over all levels is filled only once */
    const bool pays = to->plan.first == 1 && to->room.expected >= to->work.keys / SPARSE_P_PAYS;
    const bool array = pays || sparse_p_array_is_small(to, 0);
    if (sparse_p_parts(to) > 0 && sparse_p_take_workspace(to)) return SPARSE_OK;
    const unsigned how = array ? SPARSE_P_ADDRESSED : to->listed ? SPARSE_P_SEQUENTIAL : SPARSE_P_HASHED;
    return sparse_p_use_slots(to, how, array ? to->work.keys : (size_t)SPARSE_P_FEWEST, initial) ? SPARSE_OK : to->result;
}

/* True if the kernel changes nothing but this output, so that its loops may run a second time. */
static inline bool sparse_p_is_alone(const sparse_p_operand *output, const sparse_p_operand *operand, size_t count)
{
    bool alone = true;
    for (size_t n = 0; n < count; n++) {
        const sparse_p_access how = operand[n].access;
        const bool reads = how == SPARSE_READS || how == SPARSE_SLICES || how == SPARSE_SUMS || how == SPARSE_RANGES;
        alone = alone && (reads || &operand[n] == output);
    }
    return alone;
}

/* Gives the output its sizes, and room in its arrays. `fixed`: the arrays are borrowed from the caller and cannot grow. */
static inline void sparse_p_begin_output(sparse_p_builder *to, const size_t *dim, const size_t *lvl)
{
    sparse_tensor *t = to->t;
    size_t room = SIZE_MAX;
    for (unsigned b = 0; b < SPARSE_P_BUFFERS && to->room.fixed; b++)
        sparse_p_buffer(t, b)->capacity = sparse_p_buffer(t, b)->length;
    if (!to->room.fixed) sparse_p_clear(t);
    memcpy(t->dim, dim, sizeof t->dim);
    memcpy(t->lvl, lvl, sizeof t->lvl);
    for (unsigned l = 0; l < to->last; l++)
        if (l + 1 >= to->head && to->level[l].stride > 0)
            room = sparse_p_min(room, t->crd[l].capacity / to->level[l].stride);
        else if (sparse_p_has_pos(&t->encoding->level[l]))
            to->level[l].ahead = sparse_p_ahead(t, l + 1);
    to->room.entries = to->room.block > 0 ? sparse_p_min(room, t->val.capacity / to->room.block) : room;
}

/* Returns the encoding in which an output of encoding e is assembled if it cannot be e itself. It has the levels of e,
   with compressed ones in place of all that are not dense. For blocks, slots and diagonals, it has a compressed level for
   each dimension. Its integers have the largest width, because the widths of e are for other numbers. */
static inline const sparse_encoding *sparse_p_appended_encoding(sparse_encoding *for_appending, const sparse_encoding *e)
{
    /* if the last level is dense, conversion drops rows of zeros, although the statement may have stored them */
    bool mapped = sparse_p_is_dense_level(&e->level[e->levels - 1]);
    for (unsigned l = 0; l < e->levels; l++) mapped = mapped || e->level[l].map != SPARSE_MAP_DIM;
    *for_appending = *e;
    memset(for_appending->level, 0, sizeof for_appending->level);
    for_appending->levels = e->rank;
    for_appending->pos_bits = for_appending->crd_bits = SIZE_MAX > 0xffffffff ? 64 : 32;
    for_appending->inverse = NULL;
    for (unsigned l = 0; l < e->rank; l++)
        for_appending->level[l] =
            mapped ? sparse_p_level_of(false, l) : sparse_p_level_of(sparse_p_is_dense_level(&e->level[l]), e->level[l].dim);
    return for_appending;
}

/* Assembles the output in a separate tensor. If `stored`, it is converted at the end. Returns false if there is no
   memory. */
static inline bool sparse_p_put_aside(sparse_p_builder *to, bool stored)
{
    sparse_p_aside *const aside = (sparse_p_aside *)sparse_p_resize(to->t->hooks, NULL, 0, sizeof *aside);
    if (!aside) return false;
    const sparse_encoding *const e = to->t->encoding;
    aside->made = sparse_p_empty(stored ? sparse_p_appended_encoding(&aside->appended, e) : e, to->t->hooks);
    to->target.aside = aside;
    to->target.borrows = to->room.fixed;
    to->room.fixed = false;
    to->t = &aside->made;
    return true;
}

/* Frees the separate tensor, whose arrays are freed already. */
static inline void sparse_p_free_aside(sparse_p_builder *to)
{
    if (to->target.aside) sparse_p_resize(to->t->hooks, to->target.aside, sizeof *to->target.aside, 0);
    to->target.aside = NULL;
}

/* Empties the output, unless other parts use it too, and returns the error. */
static inline sparse_result sparse_p_begin_failed(sparse_p_builder *to, sparse_result result)
{
    if (sparse_p_parts(to) == 0) sparse_free(to->t);
    to->t = NULL;
    return result;
}

SPARSE_API sparse_result sparse_p_builder_begin(sparse_p_builder *to, const char *loops, const size_t *size,
                                                const void *output, const sparse_p_operand *operand, size_t count,
                                                sparse_p_output_plan plan, bool fixed, const void *initial)
{
    const sparse_p_operand *o = operand;
    while (o->tensor != output) o++;
    const size_t parts = sparse_p_parts(to), number = parts > 0 ? to->part.number : 0;
    size_t dim[SPARSE_MAX_RANK] = {0}, lvl[SPARSE_MAX_LEVELS] = {0};
    const bool listed = parts == 0 && to->listed && plan.first == 1 && sparse_p_is_alone(o, operand, count);
    bool refused = false; /* some arrays are not borrowed from the caller; they stay */
    memset(to, 0, sizeof *to);
    to->part.of = parts;
    to->part.number = number;
    to->listed = listed;
    to->plan = plan;
    to->room.fixed = fixed;
    to->room.block = 1;
    to->t = (sparse_tensor *)o->tensor;
    for (unsigned b = 0; b < SPARSE_P_BUFFERS && fixed; b++) refused = refused || sparse_p_buffer(to->t, b)->capacity > 0;
    if (refused) {
        to->t = NULL;
        return SPARSE_E_ARGUMENT;
    }
    if (parts == 0) to->t->encoding = o->encoding; /* the parts share t: sparse_p_divide has set its encoding */
    to->target.into = parts == 0 && plan.store ? to->t : NULL;
    if ((parts > 0 || plan.store) && !sparse_p_put_aside(to, plan.store)) return sparse_p_begin_failed(to, SPARSE_E_MEMORY);
    const sparse_encoding *const e = to->t->encoding;
    sparse_result result = sparse_encoding_check(o->encoding);
    if (result == SPARSE_OK) result = sparse_p_output_dims(loops, size, o, dim);
    if (result == SPARSE_OK) result = sparse_level_sizes(e, dim, lvl);
    if (result != SPARSE_OK) return result;
    for (unsigned l = 0; l < e->levels; l++) {
        to->level[l].stride = sparse_p_stride(e, l);
        if (sparse_p_has_pos(&e->level[l])) to->head = l + 1;
        if (!sparse_p_is_dense_level(&e->level[l])) to->last = l + 1;
    }
    for (unsigned l = to->last; l < e->levels; l++)
        if (!sparse_p_mul(&to->room.block, to->room.block, lvl[l])) return SPARSE_E_OVERFLOW;
    to->room.expected = sparse_p_expected_entries(to, o->index, lvl, operand, count) / (parts > 0 ? parts : 1);
    /* blocks, which the kernel accumulates in the output itself */
    if (to->room.fixed && plan.first == 0 && to->last < e->levels) {
        to->target.into = to->t;
        if (!sparse_p_put_aside(to, false)) return sparse_p_begin_failed(to, SPARSE_E_MEMORY);
    }
    sparse_p_begin_output(to, dim, lvl);
    result = sparse_p_begin_rows(to);
    if (result == SPARSE_OK && plan.first > 0) result = sparse_p_begin_workspace(to, initial);
    return result;
}

/* Sets the length of b; E_CAPACITY if it exceeds the capacity. Frees unused memory, except in a part, whose array is
   freed soon. */
SPARSE_P_OUTLINE sparse_result sparse_p_end_buffer(const sparse_p_builder *to, sparse_buffer *b, size_t length, size_t size,
                                                   sparse_result result)
{
    b->length = length;
    if (!to->room.fixed && sparse_p_parts(to) == 0 && length < b->capacity - b->capacity / 2) {
        void *const at = sparse_p_resize(to->t->hooks, b->at, b->capacity * size, length * size);
        if (at || length == 0) b->at = at, b->capacity = length;
    }
    if (!to->room.fixed) return result;
    if (result == SPARSE_OK && length > b->capacity) result = SPARSE_E_CAPACITY;
    b->capacity = 0; /* still borrowed from the caller */
    return result;
}

/* Copies b to an array of the caller if it fits; reports its length in any case. */
SPARSE_P_COLD sparse_result sparse_p_deliver_buffer(sparse_buffer *into, const sparse_buffer *b, size_t size,
                                                    sparse_result result)
{
    if (b->length > into->length)
        result = SPARSE_E_CAPACITY;
    else if (b->length > 0)
        memcpy(into->at, b->at, b->length * size);
    into->length = b->length;
    return result;
}

/* Copies *t to the arrays of the caller, and frees *t. */
SPARSE_P_COLD sparse_result sparse_p_deliver(sparse_tensor *into, sparse_tensor *t, sparse_result result)
{
    const sparse_encoding *e = t->encoding;
    for (unsigned l = 0; l < e->levels && result == SPARSE_OK; l++) into->dim[l] = t->dim[l], into->lvl[l] = t->lvl[l];
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
SPARSE_API sparse_result sparse_p_store_after(sparse_p_builder *to, sparse_result result)
{
    sparse_tensor made = sparse_p_empty(to->target.into->encoding, to->target.into->hooks);
    sparse_tensor *const stored = to->target.borrows ? &made : to->target.into;
    if (result == SPARSE_OK)
        result = sparse_convert(stored, to->t);
    else
        sparse_free(stored);
    sparse_free(to->t);
    return to->target.borrows ? sparse_p_deliver(to->target.into, &made, result) : result;
}

static inline void sparse_p_release_workspace(sparse_p_builder *to)
{
    const sparse_hooks *const hooks = to->t->hooks;
    const size_t size = to->t->encoding->value_size;
    sparse_p_release(hooks, &to->work.array[0], size);
    sparse_p_release(hooks, &to->work.array[1], 1);
    sparse_p_release(hooks, &to->work.table[0], size);
    sparse_p_release(hooks, &to->work.table[1], 1);
    sparse_p_release(hooks, &to->work.table[2], sizeof(size_t));
    sparse_p_release(hooks, &to->work.list, sizeof(size_t));
    sparse_p_release(hooks, &to->work.order, sizeof(size_t));
}

/* Writes the positions of the parents after the last entry, in every compressed level. */
static inline sparse_result sparse_p_last_positions(sparse_p_builder *to)
{
    const sparse_tensor *const t = to->t;
    const sparse_encoding *const e = t->encoding;
    size_t parents = 1;
    for (unsigned l = 1; l <= to->last; l++) {
        const size_t here = sparse_p_entries_of(to, l);
        if (sparse_p_is_dense_level(&e->level[l - 1])) {
            if (!sparse_p_mul(&parents, parents, t->lvl[l - 1])) return SPARSE_E_OVERFLOW;
        } else if (sparse_p_has_pos(&e->level[l - 1])) {
            if (here > sparse_p_largest(e->pos_bits)) return SPARSE_E_POSITION_WIDTH;
            const bool first = sparse_p_parts(to) > 0 && l == sparse_p_dense_levels(e) + 1;
            if (first) parents = to->level[l - 1].rows + 1; /* the parents that a part has visited, if any */
            if (sparse_p_is_below_entries(e, l)) to->level[l - 1].rows = parents > 0 ? parents - 1 : 0;
            if (!first || here > 0 || t->pos[l - 1].capacity > 0) {
                if (!sparse_p_rows_of(to, l, parents, here)) return to->result;
                to->level[l - 1].rows = parents + 1;
            }
            parents = here;
        }
    }
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_p_builder_end(sparse_p_builder *to, sparse_result result)
{
    sparse_tensor *const t = to->t;
    if (!t) return result;
    const sparse_encoding *const e = t->encoding;
    const size_t entries = to->last > 0 ? to->level[to->last - 1].entries : 0;
    size_t values = 0;
    to->listed = false;
    if (to->again) result = SPARSE_E_ORDER;
    if (result == SPARSE_OK) result = sparse_p_last_positions(to);
    if (result == SPARSE_OK && !sparse_p_mul(&values, entries, to->room.block)) result = SPARSE_E_OVERFLOW;
    const bool counted = result == SPARSE_OK;
    for (unsigned l = 1; l <= to->last && counted; l++) {
        const size_t coordinates = to->level[l - 1].stride * sparse_p_entries_of(to, l);
        if (sparse_p_is_dense_level(&e->level[l - 1])) continue;
        result = sparse_p_end_buffer(to, &t->pos[l - 1], to->level[l - 1].rows, e->pos_bits / 8u, result);
        result = sparse_p_end_buffer(to, &t->crd[l - 1], coordinates, e->crd_bits / 8u, result);
    }
    if (counted) result = sparse_p_end_buffer(to, &t->val, values, e->value_size, result);
    if (sparse_p_parts(to) == 0) sparse_p_release_workspace(to);
    if (to->target.into) {
        result = to->plan.store ? to->plan.store(to, result) : sparse_p_deliver(to->target.into, t, result);
        sparse_p_free_aside(to);
        return result;
    }
    if (result == SPARSE_OK || result == SPARSE_E_CAPACITY) return result;
    for (unsigned b = 0; b < SPARSE_P_BUFFERS && to->room.fixed; b++) sparse_p_buffer(t, b)->capacity = 0;
    if (!to->again) sparse_free(t);
    return result;
}

SPARSE_API sparse_result sparse_p_begin_built(sparse_result so_far, sparse_p_builder *to, sparse_tensor *made,
                                              const sparse_p_operand *own, const char *loops, const size_t *size,
                                              const sparse_p_operand *operand, sparse_p_output_plan plan,
                                              const void *initial)
{
    *made = sparse_p_empty(own->encoding, sparse_p_hooks_of(operand));
    memset(to, 0, sizeof *to);
    to->t = made;
    return so_far == SPARSE_OK ? sparse_p_builder_begin(to, loops, size, made, own, 1, plan, false, initial) : so_far;
}

SPARSE_API void sparse_p_end_built(sparse_p_builder *to)
{
    sparse_p_release_workspace(to);
    sparse_free(to->t);
}

SPARSE_API void sparse_p_build_anew(sparse_p_builder *to)
{
    for (unsigned l = 0; l < to->last; l++) to->level[l].entries = to->level[l].rows = 0;
}

SPARSE_API bool sparse_p_is_built(sparse_p_builder *to)
{
    const sparse_result result = sparse_p_last_positions(to);
    return result == SPARSE_OK || sparse_p_give_up(to, result);
}

SPARSE_API size_t sparse_p_divide(sparse_p_builder **all, const sparse_p_operand *operand, bool fixed)
{
    sparse_p_builder *const one = *all;
    size_t parts = 1;
    memset(one, 0, sizeof *one);
    #ifdef _OPENMP
    if (!fixed && omp_get_max_threads() > 1) parts = SPARSE_P_SHARES * (size_t)omp_get_max_threads();
    #endif
    sparse_buffer builders = {NULL, 0, 0};
    sparse_tensor *const t = (sparse_tensor *)operand->tensor;
    if (fixed || parts == 1 || sparse_p_allocate(t->hooks, &builders, parts + 1, sizeof **all) != SPARSE_OK) return 1;
    memset(builders.at, 0, (parts + 1) * sizeof **all);
    *all = (sparse_p_builder *)builders.at;
    for (size_t n = 0; n < parts; n++) (*all)[n].part.of = parts, (*all)[n].part.number = n;
    sparse_p_builder *const whole = &(*all)[parts];
    whole->t = t;
    t->encoding = operand->encoding;
    const bool stored = sparse_p_is_stored_after(t->encoding);
    if (stored && !sparse_p_put_aside(whole, true)) {
        *all = one;
        sparse_p_release(t->hooks, &builders, sizeof **all);
        return 1;
    }
    whole->target.into = stored ? t : NULL;
    sparse_p_clear(whole->t);
    return parts;
}

/* True for the arrays of coordinates and values: in the whole output they are the arrays of all parts, one after the
   other. False for positions. */
static inline bool sparse_p_follows(unsigned buffer) { return buffer % 2 == 0; }

/* Moves the contents of part n to at[] in the whole output, and frees its arrays. */
static inline void sparse_p_move_part(sparse_p_builder *all, size_t n, const size_t *at)
{
    sparse_tensor *const whole = all[all[n].part.of].t, *const t = all[n].t;
    for (unsigned b = 0; b < SPARSE_P_BUFFERS; b++) {
        const size_t size = sparse_p_buffer_size(t->encoding, b);
        sparse_buffer *const from = sparse_p_buffer(t, b);
        if (!sparse_p_follows(b)) continue;
        if (from->length > 0) memcpy((char *)sparse_p_buffer(whole, b)->at + at[b] * size, from->at, from->length * size);
        sparse_p_release(t->hooks, from, size);
    }
}

/* Gives the first part without a location in the whole output a location, at[], if it has ended and there is room. The
   first time, allocates memory for the whole: as much as all parts need if they are like this one, and an eighth more. */
static inline bool sparse_p_give_place(sparse_p_builder *all, size_t *n, size_t *at)
{
    const size_t parts = all->part.of;
    sparse_p_builder *const whole = &all[parts], *const part = &all[whole->part.number];
    size_t room, left = parts - whole->part.number;
    if (left == 0 || !part->part.ended || part->result != SPARSE_OK) return false;
    for (unsigned b = 0; b < SPARSE_P_BUFFERS; b++) {
        sparse_buffer *const to = sparse_p_buffer(whole->t, b);
        const size_t length = sparse_p_buffer(part->t, b)->length;
        if (!sparse_p_follows(b) || length <= to->capacity - to->length) continue;
        if (to->length > 0 || !sparse_p_mul(&room, length, left) || room > SIZE_MAX - room / 8 ||
            sparse_p_enlarge(whole->t->hooks, to, room + room / 8, sparse_p_buffer_size(whole->t->encoding, b)) != SPARSE_OK)
            return false;
    }
    for (unsigned b = 0; b < SPARSE_P_BUFFERS; b++) {
        if (!sparse_p_follows(b)) continue;
        at[b] = sparse_p_buffer(whole->t, b)->length;
        sparse_p_buffer(whole->t, b)->length += sparse_p_buffer(part->t, b)->length;
    }
    *n = whole->part.number++;
    return true;
}

/* Copies a part to its location in the whole output while it is still in the cache, as soon as all earlier parts have
   their location. Its memory is then used by later parts. The thread that ends the missing part also copies the parts
   that waited for it. A part for which there is no room waits until all parts have ended. */
SPARSE_API void sparse_p_end_part(sparse_p_builder *all, size_t n, sparse_result result)
{
    size_t at[SPARSE_P_BUFFERS] = {0}, next = 0;
    bool moves = sparse_p_parts(all) > 0;
    if (!moves) all->result = result;
    while (moves) {
    #ifdef _OPENMP
        #pragma omp critical(sparse_p_places)
    #endif
        {
            all[n].result = result;
            all[n].part.ended = true;
            moves = sparse_p_give_place(all, &next, at);
        }
        if (moves) sparse_p_move_part(all, next, at);
    }
}

/* Copies the parts without a location on several threads. Now there is room for all. */
static inline sparse_result sparse_p_join_rest(sparse_p_builder *all, size_t parts)
{
    sparse_p_builder *const whole = &all[parts];
    const size_t first = whole->part.number;
    size_t *at;
    sparse_buffer places = {NULL, 0, 0};
    sparse_result result = SPARSE_OK;
    if (first == parts) return SPARSE_OK;
    result = sparse_p_allocate(whole->t->hooks, &places, SPARSE_P_BUFFERS * (parts - first), sizeof *at);
    at = (size_t *)places.at;
    for (unsigned b = 0; b < SPARSE_P_BUFFERS && result == SPARSE_OK; b++) {
        sparse_buffer *const to = sparse_p_buffer(whole->t, b);
        size_t length = to->length;
        if (!sparse_p_follows(b)) continue;
        for (size_t n = first; n < parts; n++) {
            at[SPARSE_P_BUFFERS * (n - first) + b] = length;
            length += sparse_p_buffer(all[n].t, b)->length;
        }
        result = sparse_p_enlarge(whole->t->hooks, to, length, sparse_p_buffer_size(whole->t->encoding, b));
        to->length = length;
    }
    if (result == SPARSE_OK) {
        SPARSE_P_PARALLEL_PARTS
        for (size_t n = first; n < parts; n++) sparse_p_move_part(all, n, at + SPARSE_P_BUFFERS * (n - first));
    }
    sparse_p_release(whole->t->hooks, &places, sizeof *at);
    return result;
}

    /* into[k] = from[k] + base */
    #define SPARSE_P_ADD_POSITIONS(bits)                                                                                    \
    case bits:                                                                                                              \
        for (size_t k = 0; k < count; k++)                                                                                  \
            ((uint##bits##_t *)into)[k] = (uint##bits##_t)(base + (size_t)((const uint##bits##_t *)from)[k]);               \
        break;
static inline void sparse_p_add_positions(void *into, const void *from, unsigned bits, size_t count, size_t base)
{
    switch (bits) {
        SPARSE_P_ADD_POSITIONS(8)
        SPARSE_P_ADD_POSITIONS(16)
        SPARSE_P_ADD_POSITIONS(32)
        SPARSE_P_ADD_POSITIONS(64)
    }
}

/* Joins the positions of compressed level l, counted from 0. Their parents follow each other like the parts. Below dense
   levels, a part has positions from its first parent on, and the parents between two parts are empty. */
static inline sparse_result sparse_p_join_positions(sparse_tensor *t, const sparse_p_builder *all, size_t parts, unsigned l)
{
    const bool all_parents = l == sparse_p_dense_levels(t->encoding);
    const unsigned bits = t->encoding->pos_bits;
    size_t length = 1, at = 0, base = 0;
    for (size_t n = 0; n < parts && !all_parents; n++) length += all[n].t->pos[l].length - 1;
    if (all_parents) length = sparse_p_dense_parents(t) + 1;
    const sparse_result result = sparse_p_enlarge(t->hooks, &t->pos[l], length, bits / 8u);
    if (result != SPARSE_OK) return result;
    t->pos[l].length = length;
    sparse_p_put_number(t->pos[l].at, bits, 0, 0);
    for (size_t n = 0; n < parts; n++) {
        const sparse_buffer *b = &all[n].t->pos[l];
        const size_t first = all_parents ? all[n].part.before : 0, before = all_parents ? first : at;
        if (b->length == 0) continue;
        const size_t entries = sparse_load(b->at, bits, b->length - 1), count = b->length - 1 - first;
        if (entries > sparse_p_largest(bits) - base) return SPARSE_E_POSITION_WIDTH;
        while (at < before) sparse_p_put_number(t->pos[l].at, bits, ++at, base);
        at = before; /* the end of one part is the beginning of the next */
        if (count > 0)
            sparse_p_add_positions((char *)t->pos[l].at + (at + 1) * (bits / 8u),
                                   (const char *)b->at + (first + 1) * (bits / 8u), bits, count, base);
        at += count;
        base += entries;
    }
    while (++at < length) sparse_p_put_number(t->pos[l].at, bits, at, base);
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_p_join(sparse_p_builder *all, size_t parts)
{
    sparse_result result = SPARSE_OK;
    for (size_t n = 0; n < parts && result == SPARSE_OK; n++) result = all[n].result;
    if (sparse_p_parts(all) == 0) return result;
    sparse_tensor *const t = all[parts].t;
    if (result == SPARSE_OK) {
        memcpy(t->dim, all[0].t->dim, sizeof t->dim);
        memcpy(t->lvl, all[0].t->lvl, sizeof t->lvl);
        result = sparse_p_join_rest(all, parts);
    }
    for (unsigned l = 0; l < t->encoding->levels && result == SPARSE_OK; l++)
        if (sparse_p_has_pos(&t->encoding->level[l])) result = sparse_p_join_positions(t, all, parts, l);
    for (unsigned b = 0; b < SPARSE_P_BUFFERS && result == SPARSE_OK; b++) {
        sparse_buffer *const has = sparse_p_buffer(t, b);
        result = sparse_p_end_buffer(&all[parts], has, has->length, sparse_p_buffer_size(t->encoding, b), result);
    }
    for (size_t n = 0; n < parts; n++) {
        if (!all[n].t) continue;
        sparse_p_release_workspace(&all[n]);
        sparse_free(all[n].t);
        sparse_p_free_aside(&all[n]);
    }
    const sparse_hooks *const hooks = t->hooks;
    if (all[parts].target.into) {
        result = all[0].plan.store(&all[parts], result);
        sparse_p_free_aside(&all[parts]);
    } else if (result != SPARSE_OK)
        sparse_free(t);
    sparse_p_resize(hooks, all, (parts + 1) * sizeof *all, 0);
    return result;
}

#endif /* SPARSE_P_DEFINED */

#endif /* SPARSE_FORMATS_H */
