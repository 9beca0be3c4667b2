/* sparse_formats.h: level types, encodings and tensor storage.

   Part of the sparse kit; include "sparse.h". A tensor is a tree of levels: each level stores the
   coordinates of one axis of the storage below every position of the level above it, and the
   positions of the last level index the values. An encoding says which level type stores which
   dimension; everything else in this file is written once, against that description.

   Contents (search for the anchors)
     >>configuration   switches with their defaults
     >>results         sparse_result and the sentence for each code
     >>memory          sparse_hooks, sparse_buffer
     >>encodings       sparse_encoding, SPARSE_TENSOR, SPARSE_INIT, named encodings
     >>storage         sparse_tensor
     >>numbers         sparse_load, sparse_store, checked sizes
     >>rules           sparse_encoding_check, sparse_same_encoding, maps and level sizes
     >>arrays          sparse_free, sparse_resize_dims, sparse_copy, sparse_allocate_dense
     >>values          arithmetic on values of the known kinds
     >>iterators       sparse_level_iterator, SPARSE_COITERATE, sparse_cursor, SPARSE_FOREACH
     >>records         entries on their way into a tensor, and their radix sort
     >>packing         sparse_pack, sparse_pack_dense, sparse_unpack, sparse_unpack_dense
     >>conversion      sparse_convert, sparse_equal
     >>validation      sparse_validate
     >>assembly        sparse_assemble, sparse_disassemble
*/
#ifndef SPARSE_FORMATS_H
#define SPARSE_FORMATS_H

#include <float.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sparse_lattice.h"

/* >>configuration
   NAME                  default  meaning
   SPARSE_FREESTANDING   0        1: no <stdlib.h>, <string.h>; memory comes from hooks only, and the
                                  program supplies memcpy, memmove, memset and memcmp */
#ifndef SPARSE_FREESTANDING
    #define SPARSE_FREESTANDING 0
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

/* What C and C++ spell differently, or only some compilers know. */
#ifdef __cplusplus
    #define SPARSE_P_ALIGNOF(type) alignof(type)
#else
    #define SPARSE_P_ALIGNOF(type) _Alignof(type)
#endif
#if defined(__GNUC__)
    #define SPARSE_RESTRICT __restrict
    #define SPARSE_P_INLINE static inline __attribute__((always_inline))
#elif defined(__cplusplus)
    #define SPARSE_RESTRICT
    #define SPARSE_P_INLINE static inline
#else
    #define SPARSE_RESTRICT restrict
    #define SPARSE_P_INLINE static inline
#endif

#define SPARSE_MAX_RANK   8 /* dimensions of a tensor */
#define SPARSE_MAX_LEVELS 8 /* levels of an encoding */

/* >>results
   Every function that can fail returns a sparse_result; 0 is success. SPARSE_OK and the errors come
   from this one table: name, sentence. sparse_message gives the sentence, sparse_name the name. */
#define SPARSE_RESULTS(X)                                                                                    \
    X(SPARSE_OK, "success")                                                                                  \
    X(SPARSE_E_NULL, "a pointer that must not be null is null")                                              \
    X(SPARSE_E_MEMORY, "out of memory")                                                                      \
    X(SPARSE_E_OVERFLOW, "a size or a product of sizes exceeds what size_t can hold")                        \
    X(SPARSE_E_ENCODING, "the tensor's encoding is not the one that is expected here")                       \
    X(SPARSE_E_NO_ENCODING, "the tensor has no encoding: initialise it with SPARSE_INIT(type)")              \
    X(SPARSE_E_EMPTY, "the tensor holds no storage: pack, read or assemble it first")                        \
    X(SPARSE_E_SHAPE, "the sizes of the operands do not agree")                                              \
    X(SPARSE_E_ALIAS, "the output shares memory with another operand")                                       \
    X(SPARSE_E_COORDINATE, "a coordinate lies outside its dimension")                                        \
    X(SPARSE_E_DUPLICATE, "two entries have the same coordinates")                                           \
    X(SPARSE_E_POSITION_WIDTH, "more entries than the position width of the encoding can number")            \
    X(SPARSE_E_COORDINATE_WIDTH, "a level is larger than the coordinate width of the encoding can number")   \
    X(SPARSE_E_POSITIONS, "a positions array is damaged: wrong length, start, order or end")                 \
    X(SPARSE_E_ORDER, "coordinates are out of order, or repeated, in a level that forbids it")               \
    X(SPARSE_E_LENGTH, "an array has the wrong length for its level")                                        \
    X(SPARSE_E_VALUE_TYPE, "the operation is not defined for values of this type")                           \
    X(SPARSE_E_FULL, "more coordinates in one place than its singleton or structured[n,m] level can hold")   \
    X(SPARSE_E_CAPACITY, "an array of the caller is too small: its length now says what is needed")          \
    X(SPARSE_E_ARGUMENT, "an argument is outside its domain")                                                \
    X(SPARSE_E_RANK, "rank and number of levels must be 1 to 8, with at least as many levels as dimensions") \
    X(SPARSE_E_MAP, "the map is neither a permutation nor a block map of the dimensions")                    \
    X(SPARSE_E_WIDTH, "position and coordinate widths must be 8, 16, 32 or 64 bits")                         \
    X(SPARSE_E_PROPERTY, "a level property does not go with its level type")                                 \
    X(SPARSE_E_BATCH, "batch levels must lead all others")                                                   \
    X(SPARSE_E_SINGLETON, "singletons, all SoA or all AoS, must follow a compressed level, to the last level") \
    X(SPARSE_E_STRUCTURED, "structured[n,m] must be last, with n <= m, below dense levels, in blocks of m")  \
    X(SPARSE_E_OPEN, "the file cannot be opened")                                                            \
    X(SPARSE_E_READ, "the file cannot be read")                                                              \
    X(SPARSE_E_WRITE, "the file cannot be written")                                                          \
    X(SPARSE_E_BANNER, "the file does not start with a valid Matrix Market banner")                          \
    X(SPARSE_E_HEADER, "the size line is malformed, or its numbers are impossible")                          \
    X(SPARSE_E_ENTRY, "an entry is malformed")                                                               \
    X(SPARSE_E_COUNT, "the file holds more or fewer entries than its size line announces")                   \
    X(SPARSE_E_SYMMETRY, "an entry contradicts the symmetry that the file declares")                         \
    X(SPARSE_E_VALUE_RANGE, "a value does not fit into the value type")                                      \
    X(SPARSE_E_COMPRESSED_FILE, "the file is compressed: decompress it first")                               \
    X(SPARSE_E_FILE_FORMAT, "the file's format is not known")

#define SPARSE_P_ENUM(name, text)     name,
#define SPARSE_P_SENTENCE(name, text) text,
#define SPARSE_P_NAME(name, text)     #name,
typedef enum sparse_result { SPARSE_RESULTS(SPARSE_P_ENUM) SPARSE_RESULT_COUNT } sparse_result;

/* The sentence for a result, for a person to read. Never null; static storage. */
static inline const char *sparse_message(sparse_result r)
{
    static const char *const text[] = {SPARSE_RESULTS(SPARSE_P_SENTENCE) "unknown result"};
    return text[(unsigned)r < SPARSE_RESULT_COUNT ? (unsigned)r : (unsigned)SPARSE_RESULT_COUNT];
}

/* The name of a result, for a log. Never null; static storage. */
static inline const char *sparse_name(sparse_result r)
{
    static const char *const text[] = {SPARSE_RESULTS(SPARSE_P_NAME) "SPARSE_E_UNKNOWN"};
    return text[(unsigned)r < SPARSE_RESULT_COUNT ? (unsigned)r : (unsigned)SPARSE_RESULT_COUNT];
}

/* >>memory
   The one door through which memory comes and goes. resize behaves as realloc with the old size
   made known, both in bytes: block = NULL allocates, new_bytes = 0 frees (and returns NULL).
   A null hooks pointer in a tensor means malloc, realloc and free. */
typedef struct sparse_hooks {
    void *(*resize)(void *context, void *block, size_t old_bytes, size_t new_bytes);
    void *context;
} sparse_hooks;

/* An array of a tensor: `length` elements are in use of `capacity`; the tensor owns it if capacity > 0,
   and merely borrows it (flash, a mapped file, the caller's array) if capacity is 0. */
typedef struct sparse_buffer {
    void *at;
    size_t length;
    size_t capacity;
} sparse_buffer;

/* >>encodings */

/* How a level stores coordinates (document 003, "supported level-formats"). */
typedef enum sparse_format {
    SPARSE_DENSE,            /* every coordinate; position = parent * size + coordinate */
    SPARSE_BATCH,            /* every coordinate, not linearized: one sub-tensor per coordinate */
    SPARSE_COMPRESSED,       /* [pos[p], pos[p+1]) of crd below parent p */
    SPARSE_LOOSE_COMPRESSED, /* [pos[2p], pos[2p+1]) of crd below parent p */
    SPARSE_SINGLETON,        /* exactly one coordinate below every parent */
    SPARSE_STRUCTURED        /* n coordinates out of every m: [n*p, n*p+n) of crd below parent p */
} sparse_format;

/* Properties of a level; by default coordinates are unique and ordered, singletons AoS. */
enum { SPARSE_NONUNIQUE = 1, SPARSE_NONORDERED = 2, SPARSE_SOA = 4 };

/* Which coordinate a level stores, of the dimension coordinate d (sizes: c > 0 is the block size). */
typedef enum sparse_map {
    SPARSE_MAP_DIM,      /* d */
    SPARSE_MAP_FLOORDIV, /* d / c, level size ceil(size / c) */
    SPARSE_MAP_MOD       /* d % c, level size c */
} sparse_map;

typedef struct sparse_level {
    uint8_t format;     /* sparse_format */
    uint8_t properties; /* SPARSE_NONUNIQUE | ... */
    uint8_t map;        /* sparse_map */
    uint8_t dim;        /* which dimension */
    uint32_t c;         /* block size of FLOORDIV and MOD */
    uint16_t n, m;      /* of SPARSE_STRUCTURED */
} sparse_level;

/* Types of the values that the kit can read, print and add by itself; others are SPARSE_OPAQUE. */
typedef enum sparse_kind {
    SPARSE_I8, SPARSE_I16, SPARSE_I32, SPARSE_I64,
    SPARSE_U8, SPARSE_U16, SPARSE_U32, SPARSE_U64,
    SPARSE_F32, SPARSE_F64, SPARSE_C64, SPARSE_C128, /* complex float, complex double */
    SPARSE_OPAQUE                                    /* a struct of the user's */
} sparse_kind;

/* The complex types of C under names that C++ accepts too. */
#if defined(__GNUC__)
__extension__ typedef float _Complex sparse_complex64;
__extension__ typedef double _Complex sparse_complex128;
#else
typedef float _Complex sparse_complex64;
typedef double _Complex sparse_complex128;
#endif

/* The storage of a tensor type: static data made by SPARSE_TENSOR, or filled in at run time. */
typedef struct sparse_encoding {
    const char *name;        /* of the type, for messages */
    uint8_t rank, levels;    /* dimensions, levels */
    uint8_t pos_bits;        /* width of positions: 8, 16, 32, 64 */
    uint8_t crd_bits;        /* width of coordinates: 8, 16, 32, 64 */
    sparse_kind kind;        /* of the values */
    size_t value_size;       /* sizeof one value */
    sparse_level level[SPARSE_MAX_LEVELS];
} sparse_encoding;

/* SPARSE_TENSOR(DESCRIPTOR) defines a storage type. A descriptor is a macro that lists the name of the
   type, its encoding, its value type, and the widths of its positions and its coordinates in bits:

     #define CSR csr, SPARSE_CSR, double, 32, 32
     SPARSE_TENSOR(CSR)          ->  struct csr { sparse_tensor t; }, and csr_encoding
     csr A = SPARSE_INIT(csr);

   An encoding is a map from dimensions to levels, as in the dialect map = (i, j) -> (j : dense, i : compressed):

     #define SPARSE_CSC ((i, j), (dense, j), (compressed, i))

   first the dimensions, by letters, then the levels from the outermost in: type, and what it stores.
     level types   dense, compressed, loose_compressed, singleton, structured(n, m)
     properties    compressed(nonunique), loose_compressed(nonunique, nonordered), singleton(soa)
     expressions   i, floordiv(i, c), mod(i, c) */
#define SPARSE_TENSOR(...) SPARSE_P_TENSOR(__VA_ARGS__)
#define SPARSE_P_TENSOR(name, encoding, value, pos, crd)                                                     \
    SPARSE_P_TENSOR_(name, value, pos, crd, SPARSE_P_ID encoding)
#define SPARSE_P_TENSOR_(...) SPARSE_P_TENSOR__(__VA_ARGS__)
#define SPARSE_P_TENSOR__(name, value, pos, crd, dims, ...)                                                  \
    typedef struct name {                                                                                    \
        sparse_tensor t;                                                                                     \
    } name;                                                                                                  \
    SPARSE_UNUSED static const sparse_encoding name##_encoding = {                                           \
        #name, SPARSE_P_COUNT(~, SPARSE_P_ID dims), SPARSE_P_COUNT(~, __VA_ARGS__), pos, crd,                \
        SPARSE_KIND(value), sizeof(value),                                                                   \
        {SPARSE_P_TAIL(SPARSE_P_EACHG(SPARSE_P_LEVEL_DATA, dims, (, __VA_ARGS__)))}};
/* SPARSE_INIT(type): the initialiser of an empty tensor of a storage type */
#define SPARSE_INIT(type) {{&type##_encoding, NULL, {0}, {0}, {{NULL, 0, 0}}, {{NULL, 0, 0}}, {NULL, 0, 0}}}

/* LEVEL_DATA((i, j), (compressed(nonunique), i)) -> , {SPARSE_COMPRESSED, 0 | SPARSE_NONUNIQUE, map, 0, 0, 0, 0} */
#define SPARSE_P_LEVEL_DATA(dims, x) SPARSE_P_LEVEL_DATA_(dims, SPARSE_P_ID x)
#define SPARSE_P_LEVEL_DATA_(...) SPARSE_P_LEVEL_DATA__(__VA_ARGS__)
#define SPARSE_P_LEVEL_DATA__(dims, format, d)                                                               \
    SPARSE_P_LEVEL_DATA3(dims, SPARSE_P_CAT(SPARSE_P_FORMAT_, SPARSE_P_IS_PAREN(SPARSE_P_BARE_##format))(format), \
                         SPARSE_P_CAT(SPARSE_P_MAP_, SPARSE_P_IS_PAREN(SPARSE_P_BARE_##d))(d))
#define SPARSE_P_LEVEL_DATA3(...) SPARSE_P_LEVEL_DATA4(__VA_ARGS__)
#define SPARSE_P_LEVEL_DATA4(dims, format, properties, n, m, map, d, c)                                      \
    , {format, properties, map, SPARSE_P_POS(d, dims) - 1, c, n, m}
#define SPARSE_P_FORMAT_0(format) SPARSE_P_FORMAT_IS_##format, 0, 0, 0
#define SPARSE_P_FORMAT_1(format) SPARSE_P_FORMAT_OF_##format
#define SPARSE_P_FORMAT_IS_dense            SPARSE_DENSE
#define SPARSE_P_FORMAT_IS_batch            SPARSE_BATCH
#define SPARSE_P_FORMAT_IS_compressed       SPARSE_COMPRESSED
#define SPARSE_P_FORMAT_IS_loose_compressed SPARSE_LOOSE_COMPRESSED
#define SPARSE_P_FORMAT_IS_singleton        SPARSE_SINGLETON
#define SPARSE_P_FORMAT_OF_compressed(...)       SPARSE_COMPRESSED, SPARSE_P_PROPERTIES(__VA_ARGS__), 0, 0
#define SPARSE_P_FORMAT_OF_loose_compressed(...) SPARSE_LOOSE_COMPRESSED, SPARSE_P_PROPERTIES(__VA_ARGS__), 0, 0
#define SPARSE_P_FORMAT_OF_singleton(...)        SPARSE_SINGLETON, SPARSE_P_PROPERTIES(__VA_ARGS__), 0, 0
#define SPARSE_P_FORMAT_OF_structured(n, m)      SPARSE_STRUCTURED, 0, n, m
#define SPARSE_P_PROPERTIES(...) 0 SPARSE_P_EACHH(SPARSE_P_PROPERTY, , (, __VA_ARGS__))
#define SPARSE_P_PROPERTY(c, p) | SPARSE_P_PROPERTY_##p
#define SPARSE_P_PROPERTY_nonunique  SPARSE_NONUNIQUE
#define SPARSE_P_PROPERTY_nonordered SPARSE_NONORDERED
#define SPARSE_P_PROPERTY_soa        SPARSE_SOA
#define SPARSE_P_MAP_0(d) SPARSE_MAP_DIM, d, 0
#define SPARSE_P_MAP_1(d) SPARSE_P_MAP_OF_##d
#define SPARSE_P_MAP_OF_floordiv(d, c) SPARSE_MAP_FLOORDIV, d, c
#define SPARSE_P_MAP_OF_mod(d, c)      SPARSE_MAP_MOD, d, c

/* SPARSE_KIND(type): which sparse_kind a C type is, a constant expression */
#define SPARSE_P_INTEGER_KIND(type)                                                                          \
    ((type)-1 < (type)1 ? (sizeof(type) == 1   ? SPARSE_I8                                                   \
                           : sizeof(type) == 2 ? SPARSE_I16                                                  \
                           : sizeof(type) == 4 ? SPARSE_I32                                                  \
                                               : SPARSE_I64)                                                 \
                        : (sizeof(type) == 1   ? SPARSE_U8                                                   \
                           : sizeof(type) == 2 ? SPARSE_U16                                                  \
                           : sizeof(type) == 4 ? SPARSE_U32                                                  \
                                               : SPARSE_U64))
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
SPARSE_P_KIND_OF(double, SPARSE_F64)
SPARSE_P_KIND_OF(sparse_complex64, SPARSE_C64)
SPARSE_P_KIND_OF(sparse_complex128, SPARSE_C128)
    #define SPARSE_KIND(type) sparse_p_kind<type>::is
#else
    #define SPARSE_P_KIND_OF(type) type: SPARSE_P_INTEGER_KIND(type)
    #define SPARSE_KIND(type)                                                                                \
        _Generic(*(type *)NULL, SPARSE_P_KIND_OF(char), SPARSE_P_KIND_OF(signed char),                       \
                 SPARSE_P_KIND_OF(unsigned char), SPARSE_P_KIND_OF(short), SPARSE_P_KIND_OF(unsigned short), \
                 SPARSE_P_KIND_OF(int), SPARSE_P_KIND_OF(unsigned), SPARSE_P_KIND_OF(long),                  \
                 SPARSE_P_KIND_OF(unsigned long), SPARSE_P_KIND_OF(long long),                               \
                 SPARSE_P_KIND_OF(unsigned long long), float: SPARSE_F32, double: SPARSE_F64,                \
                 sparse_complex64: SPARSE_C64, sparse_complex128: SPARSE_C128, default: SPARSE_OPAQUE)
#endif

/* Named encodings (documents 002 and 003); adding one is one line. */
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
#define SPARSE_BSR(r, c)                                                                                     \
    ((i, j), (dense, floordiv(i, r)), (compressed, floordiv(j, c)), (dense, mod(i, r)), (dense, mod(j, c)))
#define SPARSE_N_OF_M(n, m) ((i, j), (dense, i), (dense, floordiv(j, m)), (structured(n, m), mod(j, m)))

/* >>storage
   One tensor. Zeroed, or made by SPARSE_INIT, it is empty and may be freed; sparse_free may be
   called any number of times. Elements of pos are unsigned integers of encoding->pos_bits, those of
   crd of encoding->crd_bits. Lengths count elements. A level without an array leaves it empty. AoS
   singletons share the interleaved crd of the compressed level that leads them. */
typedef struct sparse_tensor {
    const sparse_encoding *encoding;
    const sparse_hooks *hooks;             /* null: malloc and free */
    size_t dim[SPARSE_MAX_RANK];           /* sizes of the dimensions */
    size_t lvl[SPARSE_MAX_LEVELS];         /* sizes of the levels */
    sparse_buffer pos[SPARSE_MAX_LEVELS];  /* positions, compressed levels */
    sparse_buffer crd[SPARSE_MAX_LEVELS];  /* coordinates, sparse levels */
    sparse_buffer val;                     /* values; length = number of entries */
} sparse_tensor;

/* >>numbers
   Sizes, and the numbers in arrays of positions and coordinates. */

/* *product = a * b and true; or false if that is more than size_t can hold. */
static inline bool sparse_p_mul(size_t *product, size_t a, size_t b)
{
    if (b != 0 && a > SIZE_MAX / b) return false;
    *product = a * b;
    return true;
}

/* *sum = a + b and true; or false if that is more than size_t can hold. */
static inline bool sparse_p_add(size_t *sum, size_t a, size_t b)
{
    if (a > SIZE_MAX - b) return false;
    *sum = a + b;
    return true;
}

/* The largest number of `bits` bits, 1 to 64. */
static inline uint64_t sparse_p_max(unsigned bits) { return UINT64_MAX >> (64 - bits); }

/* The bits that a number needs: 0 -> 0, 255 -> 8, 256 -> 9. */
static inline unsigned sparse_p_width(uint64_t number)
{
    unsigned bits = 0;
    for (; number != 0; number >>= 1) bits++;
    return bits;
}

/* array[p] in full, where the array's elements are unsigned integers of `bits` bits. */
SPARSE_P_INLINE uint64_t sparse_p_load(const void *array, unsigned bits, size_t p)
{
    switch (bits) {
    case 8: return ((const uint8_t *)array)[p];
    case 16: return ((const uint16_t *)array)[p];
    case 32: return ((const uint32_t *)array)[p];
    default: return ((const uint64_t *)array)[p];
    }
}

/* array[p], where the array's elements are unsigned integers of `bits` bits: 8, 16, 32 or 64. Where
   size_t is narrower than that, sparse_validate has made sure that the number fits. */
SPARSE_P_INLINE size_t sparse_load(const void *array, unsigned bits, size_t p)
{
    return (size_t)sparse_p_load(array, bits, p);
}

/* array[p] = number, which must fit into `bits` bits: 8, 16, 32 or 64. */
SPARSE_P_INLINE void sparse_store(void *array, unsigned bits, size_t p, size_t number)
{
    switch (bits) {
    case 8: ((uint8_t *)array)[p] = (uint8_t)number; break;
    case 16: ((uint16_t *)array)[p] = (uint16_t)number; break;
    case 32: ((uint32_t *)array)[p] = (uint32_t)number; break;
    default: ((uint64_t *)array)[p] = number; break;
    }
}

/* >>rules
   Which encodings are valid (document 003, SparseTensorEncodingAttr), which are the same, and what
   they say about coordinates and sizes. */

static inline bool sparse_p_has_pos(const sparse_level *v)
{
    return v->format == SPARSE_COMPRESSED || v->format == SPARSE_LOOSE_COMPRESSED;
}

static inline bool sparse_p_has_crd(const sparse_level *v)
{
    return v->format != SPARSE_DENSE && v->format != SPARSE_BATCH;
}

/* *length = the length of pos for a level below so many positions; false if size_t cannot hold it. */
static inline bool sparse_p_pos_length(const sparse_level *v, size_t parents, size_t *length)
{
    if (v->format == SPARSE_COMPRESSED) return sparse_p_add(length, parents, 1);
    return sparse_p_mul(length, parents, 2);
}

/* Is level l a singleton that shares the interleaved crd of the level above it? */
static inline bool sparse_p_is_aos(const sparse_encoding *e, unsigned l)
{
    return e->level[l].format == SPARSE_SINGLETON && !(e->level[l].properties & SPARSE_SOA);
}

/* The level below the last that stores its coordinates at the same positions as level l:
   l + 1, or the number of levels if singletons follow. */
static inline unsigned sparse_p_run_end(const sparse_encoding *e, unsigned l)
{
    return l + 1 < e->levels && e->level[l + 1].format == SPARSE_SINGLETON ? e->levels : l + 1;
}

static inline bool sparse_p_is_dense(const sparse_encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].format != SPARSE_DENSE) return false;
    return true;
}

/* The bytes of a value of the kind; 0 for values that the kit cannot look into. */
static inline size_t sparse_p_kind_size(sparse_kind kind)
{
    switch (kind) {
    case SPARSE_I8: case SPARSE_U8: return 1;
    case SPARSE_I16: case SPARSE_U16: return 2;
    case SPARSE_I32: case SPARSE_U32: case SPARSE_F32: return 4;
    case SPARSE_I64: case SPARSE_U64: case SPARSE_F64: case SPARSE_C64: return 8;
    case SPARSE_C128: return 16;
    default: return 0;
    }
}

static inline bool sparse_p_is_width(unsigned bits)
{
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* Does each dimension appear once bare, or once as floordiv c and later once as mod c? */
static inline bool sparse_p_is_map(const sparse_encoding *e)
{
    enum { UNSEEN, DIVIDED, DONE };
    uint8_t state[SPARSE_MAX_RANK] = {0};
    uint32_t block[SPARSE_MAX_RANK] = {0};
    for (unsigned l = 0; l < e->levels; l++) {
        const sparse_level *v = &e->level[l];
        const unsigned d = v->dim;
        const uint8_t wanted = v->map == SPARSE_MAP_MOD ? DIVIDED : UNSEEN;
        if (d >= e->rank || v->map > SPARSE_MAP_MOD || state[d] != wanted) return false;
        if (v->map == SPARSE_MAP_FLOORDIV) block[d] = v->c;
        if (v->map != SPARSE_MAP_DIM && (v->c == 0 || v->c != block[d])) return false;
        state[d] = v->map == SPARSE_MAP_FLOORDIV ? DIVIDED : DONE;
    }
    for (unsigned d = 0; d < e->rank; d++)
        if (state[d] != DONE) return false;
    return true;
}

/* Is the structured level l last, below dense levels only, and every block of the map m wide? */
static inline bool sparse_p_is_structured(const sparse_encoding *e, unsigned l)
{
    const sparse_level *v = &e->level[l];
    if (l + 1 != e->levels || v->n > v->m || v->map != SPARSE_MAP_MOD) return false;
    for (unsigned k = 0; k < e->levels; k++)
        if ((k < l && e->level[k].format != SPARSE_DENSE) ||
            (e->level[k].map != SPARSE_MAP_DIM && e->level[k].c != v->m))
            return false;
    return true;
}

/* Does level l, with its format and properties, go with the levels around it? */
static inline sparse_result sparse_p_check_level(const sparse_encoding *e, unsigned l)
{
    const unsigned order = SPARSE_NONUNIQUE | SPARSE_NONORDERED;
    const sparse_level *v = &e->level[l], *above = l > 0 ? v - 1 : NULL;
    const bool below_singleton = above && above->format == SPARSE_SINGLETON;
    unsigned allowed = 0;
    switch (v->format) {
    case SPARSE_DENSE: break;
    case SPARSE_BATCH:
        if (above && above->format != SPARSE_BATCH) return SPARSE_E_BATCH;
        break;
    case SPARSE_COMPRESSED: case SPARSE_LOOSE_COMPRESSED: allowed = order; break;
    case SPARSE_SINGLETON:
        if (!above || !(below_singleton || sparse_p_has_pos(above))) return SPARSE_E_SINGLETON;
        if (below_singleton && sparse_p_is_aos(e, l) != sparse_p_is_aos(e, l - 1)) return SPARSE_E_SINGLETON;
        allowed = order | SPARSE_SOA;
        break;
    case SPARSE_STRUCTURED:
        if (!sparse_p_is_structured(e, l)) return SPARSE_E_STRUCTURED;
        break;
    default: return SPARSE_E_ARGUMENT;
    }
    if (below_singleton && v->format != SPARSE_SINGLETON) return SPARSE_E_SINGLETON;
    return v->properties & ~allowed ? SPARSE_E_PROPERTY : SPARSE_OK;
}

/* Is the encoding valid? If not, the result is the rule that it breaks: E_RANK, E_WIDTH,
   E_VALUE_TYPE, E_MAP, E_PROPERTY, E_BATCH, E_SINGLETON, E_STRUCTURED, E_ARGUMENT (unknown format). */
static inline sparse_result sparse_encoding_check(const sparse_encoding *e)
{
    if (!e) return SPARSE_E_NO_ENCODING;
    if (e->rank < 1 || e->rank > SPARSE_MAX_RANK) return SPARSE_E_RANK;
    if (e->levels < e->rank || e->levels > SPARSE_MAX_LEVELS) return SPARSE_E_RANK;
    if (!sparse_p_is_width(e->pos_bits) || !sparse_p_is_width(e->crd_bits)) return SPARSE_E_WIDTH;
    if (e->kind == SPARSE_OPAQUE ? e->value_size == 0 : e->value_size != sparse_p_kind_size(e->kind))
        return SPARSE_E_VALUE_TYPE;
    if (!sparse_p_is_map(e)) return SPARSE_E_MAP;
    for (unsigned l = 0; l < e->levels; l++) {
        sparse_result result = sparse_p_check_level(e, l);
        if (result) return result;
    }
    return SPARSE_OK;
}

/* Do two encodings describe the same storage, whatever their names? */
static inline bool sparse_same_encoding(const sparse_encoding *a, const sparse_encoding *b)
{
    if (a == b) return true;
    if (!a || !b || a->rank != b->rank || a->levels != b->levels || a->pos_bits != b->pos_bits ||
        a->crd_bits != b->crd_bits || a->kind != b->kind || a->value_size != b->value_size)
        return false;
    for (unsigned l = 0; l < a->levels; l++) {
        const sparse_level *u = &a->level[l], *v = &b->level[l];
        if (u->format != v->format || u->properties != v->properties || u->map != v->map || u->dim != v->dim)
            return false;
        if (u->map != SPARSE_MAP_DIM && u->c != v->c) return false;
        if (u->format == SPARSE_STRUCTURED && (u->n != v->n || u->m != v->m)) return false;
    }
    return true;
}

/* lvl = map(dim): the level coordinates of dimension coordinates. */
static inline void sparse_dim_to_lvl(const sparse_encoding *e, const size_t *dim, size_t *lvl)
{
    for (unsigned l = 0; l < e->levels; l++) {
        const sparse_level *v = &e->level[l];
        const size_t i = dim[v->dim];
        lvl[l] = v->map == SPARSE_MAP_DIM ? i : v->map == SPARSE_MAP_FLOORDIV ? i / v->c : i % v->c;
    }
}

/* dim = inverse map(lvl): the dimension coordinates of level coordinates. */
static inline void sparse_lvl_to_dim(const sparse_encoding *e, const size_t *lvl, size_t *dim)
{
    for (unsigned l = 0; l < e->levels; l++) {
        const sparse_level *v = &e->level[l];
        if (v->map == SPARSE_MAP_DIM) dim[v->dim] = lvl[l];
        else if (v->map == SPARSE_MAP_FLOORDIV) dim[v->dim] = lvl[l] * v->c;
        else dim[v->dim] += lvl[l];
    }
}

/* lvl = the sizes of the levels of a tensor of sizes dim. E_COORDINATE_WIDTH if a level stores
   coordinates that do not fit into crd_bits. */
static inline sparse_result sparse_level_sizes(const sparse_encoding *e, const size_t *dim, size_t *lvl)
{
    for (unsigned l = 0; l < e->levels; l++) {
        const sparse_level *v = &e->level[l];
        const size_t size = dim[v->dim];
        if (v->map == SPARSE_MAP_DIM) lvl[l] = size;
        else if (v->map == SPARSE_MAP_FLOORDIV) lvl[l] = size / v->c + (size % v->c != 0);
        else lvl[l] = v->c;
        if (sparse_p_has_crd(v) && lvl[l] > 0 && lvl[l] - 1 > sparse_p_max(e->crd_bits))
            return SPARSE_E_COORDINATE_WIDTH;
    }
    return SPARSE_OK;
}

/* >>arrays
   Memory of a tensor. Every function here and below that builds a tensor frees what the tensor held;
   when it fails, the tensor is left empty, with its encoding and hooks, and nothing leaks. */

/* The one call of the hooks, or of malloc's family. */
static inline void *sparse_p_resize(const sparse_hooks *hooks, void *block, size_t old_bytes, size_t new_bytes)
{
    if (hooks) return hooks->resize(hooks->context, block, old_bytes, new_bytes);
#if SPARSE_FREESTANDING
    return NULL;
#else
    if (new_bytes > 0) return realloc(block, new_bytes);
    free(block);
    return NULL;
#endif
}

/* Makes b an array of `length` elements of `size` bytes, not initialised. */
static inline sparse_result sparse_p_allocate(const sparse_hooks *hooks, sparse_buffer *b, size_t length,
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

/* Frees b if it is owned, and empties it. */
static inline void sparse_p_release(const sparse_hooks *hooks, sparse_buffer *b, size_t size)
{
    if (b->capacity > 0) sparse_p_resize(hooks, b->at, b->capacity * size, 0);
    memset(b, 0, sizeof *b);
}

/* Frees the arrays that t owns, and forgets those that it borrows and its sizes; encoding and hooks
   stay. t may be null, empty, or freed before. */
static inline void sparse_free(sparse_tensor *t)
{
    if (!t || !t->encoding) return;
    for (unsigned l = 0; l < SPARSE_MAX_LEVELS; l++) {
        sparse_p_release(t->hooks, &t->pos[l], t->encoding->pos_bits / 8u);
        sparse_p_release(t->hooks, &t->crd[l], t->encoding->crd_bits / 8u);
    }
    sparse_p_release(t->hooks, &t->val, t->encoding->value_size);
    memset(t->dim, 0, sizeof t->dim);
    memset(t->lvl, 0, sizeof t->lvl);
}

/* An empty tensor. */
static inline sparse_tensor sparse_p_empty(const sparse_encoding *e, const sparse_hooks *hooks)
{
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    t.encoding = e;
    t.hooks = hooks;
    return t;
}

/* Is the encoding valid, and can this file hold its storage? */
static inline sparse_result sparse_p_check_storable(const sparse_encoding *e)
{
    sparse_result result = sparse_encoding_check(e);
    return !result && e->level[0].format == SPARSE_BATCH ? SPARSE_E_ENCODING : result;
}

/* Frees what t holds and gives it the sizes dim[0..rank) and the level sizes that follow from them;
   no array is made. dim may be t->dim. Errors: those of sparse_encoding_check and
   sparse_level_sizes; E_ENCODING for batch levels, which hold no storage here. */
static inline sparse_result sparse_resize_dims(sparse_tensor *t, const size_t *dim)
{
    if (!t || !dim) return SPARSE_E_NULL;
    sparse_result result = sparse_p_check_storable(t->encoding);
    if (result) return result;
    size_t size[SPARSE_MAX_RANK] = {0};
    memcpy(size, dim, t->encoding->rank * sizeof *dim);
    sparse_free(t);
    result = sparse_level_sizes(t->encoding, size, t->lvl);
    if (result) sparse_free(t);
    else memcpy(t->dim, size, sizeof size);
    return result;
}

/* Does t, whose encoding stores positions, hold none? */
static inline bool sparse_p_is_empty(const sparse_tensor *t)
{
    for (unsigned l = 0; l < t->encoding->levels; l++)
        if (sparse_p_has_pos(&t->encoding->level[l])) return !t->pos[l].at;
    return false;
}

/* The number of entries of t: values stored, be they zero or padding of a block. */
static inline size_t sparse_entries(const sparse_tensor *t) { return t->val.length; }

/* The memory of t in bytes: the parts in use of its arrays, borrowed ones included. */
static inline size_t sparse_bytes(const sparse_tensor *t)
{
    if (!t->encoding) return 0;
    size_t bytes = t->val.length * t->encoding->value_size;
    for (unsigned l = 0; l < t->encoding->levels; l++)
        bytes += t->pos[l].length * (t->encoding->pos_bits / 8u) + t->crd[l].length * (t->encoding->crd_bits / 8u);
    return bytes;
}

/* All entries of t = 0; the coordinates that are stored stay stored. */
static inline void sparse_zero(sparse_tensor *t)
{
    if (t->val.length > 0) memset(t->val.at, 0, t->val.length * t->encoding->value_size);
}

/* Makes t, whose levels must all be dense (E_ENCODING), a zero tensor of sizes dim[0..rank). */
static inline sparse_result sparse_allocate_dense(sparse_tensor *t, const size_t *dim)
{
    sparse_result result = sparse_resize_dims(t, dim);
    size_t entries = 1;
    if (!result && !sparse_p_is_dense(t->encoding)) result = SPARSE_E_ENCODING;
    for (unsigned l = 0; !result && l < t->encoding->levels; l++)
        if (!sparse_p_mul(&entries, entries, t->lvl[l])) result = SPARSE_E_OVERFLOW;
    if (!result) result = sparse_p_allocate(t->hooks, &t->val, entries, t->encoding->value_size);
    if (!result) sparse_zero(t);
    else sparse_free(t);
    return result;
}

/* dst = a copy of src's buffer. */
static inline sparse_result sparse_p_copy_buffer(const sparse_hooks *hooks, sparse_buffer *dst,
                                                 const sparse_buffer *src, size_t size)
{
    sparse_result result = sparse_p_allocate(hooks, dst, src->length, size);
    if (!result && dst->at) memcpy(dst->at, src->at, src->length * size);
    return result;
}

/* dst = src: a deep copy, in memory of dst's hooks. dst has the encoding of src, or none and then
   gets it; else E_ENCODING. E_ALIAS if both are one tensor. */
static inline sparse_result sparse_copy(sparse_tensor *dst, const sparse_tensor *src)
{
    if (!dst || !src) return SPARSE_E_NULL;
    if (dst == src) return SPARSE_E_ALIAS;
    if (!src->encoding) return SPARSE_E_NO_ENCODING;
    if (!dst->encoding) dst->encoding = src->encoding;
    const sparse_encoding *e = dst->encoding;
    sparse_free(dst);
    if (!sparse_same_encoding(e, src->encoding)) return SPARSE_E_ENCODING;
    sparse_result result = sparse_p_copy_buffer(dst->hooks, &dst->val, &src->val, e->value_size);
    for (unsigned l = 0; !result && l < e->levels; l++) {
        result = sparse_p_copy_buffer(dst->hooks, &dst->pos[l], &src->pos[l], e->pos_bits / 8u);
        if (!result) result = sparse_p_copy_buffer(dst->hooks, &dst->crd[l], &src->crd[l], e->crd_bits / 8u);
    }
    if (result) {
        sparse_free(dst);
        return result;
    }
    memcpy(dst->dim, src->dim, sizeof dst->dim);
    memcpy(dst->lvl, src->lvl, sizeof dst->lvl);
    return SPARSE_OK;
}

/* >>values
   Arithmetic on values of the kinds that the kit knows. A complex value is two parts; opaque values
   have none. memcpy because values may lie in arrays of any declared type. */

/* The kind of a part of a value: complex double -> double. */
static inline sparse_kind sparse_p_part(sparse_kind kind)
{
    return kind == SPARSE_C64 ? SPARSE_F32 : kind == SPARSE_C128 ? SPARSE_F64 : kind;
}

/* *sum += *v for one part. Integers wrap: their sum is that of unsigned numbers. */
static inline void sparse_p_sum_part(sparse_kind part, void *sum, const void *v)
{
#define SPARSE_P_SUM(type)                                                                                   \
    {                                                                                                        \
        type a, b;                                                                                           \
        memcpy(&a, sum, sizeof a);                                                                           \
        memcpy(&b, v, sizeof b);                                                                             \
        a = (type)(a + b);                                                                                   \
        memcpy(sum, &a, sizeof a);                                                                           \
        break;                                                                                               \
    }
    switch (part) {
    case SPARSE_I8: case SPARSE_U8: SPARSE_P_SUM(uint8_t)
    case SPARSE_I16: case SPARSE_U16: SPARSE_P_SUM(uint16_t)
    case SPARSE_I32: case SPARSE_U32: SPARSE_P_SUM(uint32_t)
    case SPARSE_I64: case SPARSE_U64: SPARSE_P_SUM(uint64_t)
    case SPARSE_F32: SPARSE_P_SUM(float)
    case SPARSE_F64: SPARSE_P_SUM(double)
    default: break;
    }
#undef SPARSE_P_SUM
}

/* One part as a double. */
static inline double sparse_p_real(sparse_kind part, const void *v)
{
#define SPARSE_P_REAL(type)                                                                                  \
    {                                                                                                        \
        type a;                                                                                              \
        memcpy(&a, v, sizeof a);                                                                             \
        return (double)a;                                                                                    \
    }
    switch (part) {
    case SPARSE_I8: SPARSE_P_REAL(int8_t)
    case SPARSE_I16: SPARSE_P_REAL(int16_t)
    case SPARSE_I32: SPARSE_P_REAL(int32_t)
    case SPARSE_I64: SPARSE_P_REAL(int64_t)
    case SPARSE_U8: SPARSE_P_REAL(uint8_t)
    case SPARSE_U16: SPARSE_P_REAL(uint16_t)
    case SPARSE_U32: SPARSE_P_REAL(uint32_t)
    case SPARSE_U64: SPARSE_P_REAL(uint64_t)
    case SPARSE_F32: SPARSE_P_REAL(float)
    case SPARSE_F64: SPARSE_P_REAL(double)
    default: return 0;
    }
#undef SPARSE_P_REAL
}

/* What becomes of a second value at the same coordinates: acc = acc (+) v. */
typedef void sparse_combine(void *acc, const void *v, void *context);

/* acc += v; the context is the encoding. */
static inline void sparse_p_sum(void *acc, const void *v, void *context)
{
    const sparse_encoding *e = (const sparse_encoding *)context;
    const sparse_kind part = sparse_p_part(e->kind);
    const size_t size = sparse_p_kind_size(part);
    for (size_t byte = 0; byte < e->value_size; byte += size)
        sparse_p_sum_part(part, (char *)acc + byte, (const char *)v + byte);
}

/* acc = v; the context is the encoding. */
static inline void sparse_p_replace(void *acc, const void *v, void *context)
{
    memcpy(acc, v, ((const sparse_encoding *)context)->value_size);
}

/* Is the value zero: 0 and -0 in all parts, or all bytes zero if it is opaque? */
static inline bool sparse_p_is_zero(const sparse_encoding *e, const void *v)
{
    const sparse_kind part = sparse_p_part(e->kind);
    const size_t size = part == SPARSE_OPAQUE ? 1 : sparse_p_kind_size(part);
    for (size_t byte = 0; byte < e->value_size; byte += size) {
        const double x = sparse_p_real(part == SPARSE_OPAQUE ? SPARSE_U8 : part, (const char *)v + byte);
        if (!(x <= 0 && x >= 0)) return false;
    }
    return true;
}

/* |x - y| <= tolerance * max(1, |x|, |y|) in every part, or the same bytes? y = NULL is zero. */
static inline bool sparse_p_is_close(const sparse_encoding *e, const void *x, const void *y, double tolerance)
{
    const sparse_kind part = sparse_p_part(e->kind);
    const size_t size = sparse_p_kind_size(part);
    const bool integer = part != SPARSE_F32 && part != SPARSE_F64;
    if (y ? memcmp(x, y, e->value_size) == 0 : sparse_p_is_zero(e, x)) return true;
    if (part == SPARSE_OPAQUE || (integer && !(tolerance > 0))) return false;
    for (size_t byte = 0; byte < e->value_size; byte += size) {
        const double a = sparse_p_real(part, (const char *)x + byte);
        const double b = y ? sparse_p_real(part, (const char *)y + byte) : 0;
        const double gap = a < b ? b - a : a - b, above = a < 0 ? -a : a, below = b < 0 ? -b : b;
        const double largest = above > below ? above : below;
        if (!(gap <= DBL_MAX && gap <= tolerance * (largest > 1 ? largest : 1))) return false;
    }
    return true;
}

/* >>iterators
   A level is a sequence of coordinates below every position of the level above; below the root there
   is one position, 0. To walk it:

       sparse_level_iterator i = sparse_level_begin(A, 0, 0), j = sparse_level_open(A->encoding, A, 1);
       for (; sparse_level_valid(&i); sparse_level_next(&i))
           for (sparse_level_enter(&j, i.position, i.position + 1); sparse_level_valid(&j); sparse_level_next(&j))
               y[sparse_level_coordinate(&i)] += value[j.position] * x[sparse_level_coordinate(&j)];

   The position of the last level is that of the value. All functions are inlined, and if the encoding
   given to sparse_level_open is a constant, nothing remains of them but the loads. */

/* A place in a level: `position`, valid while below `end`. The rest describes the level. */
typedef struct sparse_level_iterator {
    size_t position, end;
    size_t first;           /* of a dense level: the position of coordinate 0 */
    size_t size;            /* of the level */
    const void *pos, *crd;  /* its arrays; the coordinate of p is crd[p * stride] */
    uint16_t stride, n;     /* n of structured[n,m] */
    uint8_t format, properties, pos_bits, crd_bits;
} sparse_level_iterator;

/* Where level l has its coordinates: `at` the first (null: nowhere), and every `stride` elements one. */
typedef struct sparse_p_column {
    void *at;
    uint16_t stride;
} sparse_p_column;

SPARSE_P_INLINE sparse_p_column sparse_p_crd(const sparse_encoding *e, const sparse_tensor *t, unsigned l)
{
    unsigned first = l, last = l;
    while (first > 0 && sparse_p_is_aos(e, first)) first--;
    while (last + 1 < e->levels && sparse_p_is_aos(e, last + 1)) last++;
    sparse_p_column c = {t->crd[first].at, (uint16_t)(last - first + 1)};
    if (c.at) c.at = (char *)c.at + (l - first) * (e->crd_bits / 8u);
    return c;
}

/* An iterator over level l of t that has not entered any position yet. e is t's encoding: name it as
   a constant where you can. */
SPARSE_P_INLINE sparse_level_iterator sparse_level_open(const sparse_encoding *e, const sparse_tensor *t, unsigned l)
{
    const sparse_p_column c = sparse_p_crd(e, t, l);
    sparse_level_iterator i;
    i.position = i.end = i.first = 0;
    i.size = t->lvl[l];
    i.pos = t->pos[l].at;
    i.crd = c.at;
    i.stride = c.stride;
    i.n = e->level[l].n;
    i.format = e->level[l].format;
    i.properties = e->level[l].properties;
    i.pos_bits = e->pos_bits;
    i.crd_bits = e->crd_bits;
    return i;
}

/* Goes to the first coordinate below the positions [lo, hi) of the level above: one position, or,
   above a singleton, a segment of equal coordinates (sparse_level_segment). */
SPARSE_P_INLINE void sparse_level_enter(sparse_level_iterator *i, size_t lo, size_t hi)
{
    switch (i->format) {
    case SPARSE_COMPRESSED:
        i->position = sparse_load(i->pos, i->pos_bits, lo);
        i->end = sparse_load(i->pos, i->pos_bits, hi);
        break;
    case SPARSE_LOOSE_COMPRESSED:
        i->position = sparse_load(i->pos, i->pos_bits, 2 * lo);
        i->end = sparse_load(i->pos, i->pos_bits, 2 * lo + 1);
        break;
    case SPARSE_SINGLETON:
        i->position = lo;
        i->end = hi;
        break;
    case SPARSE_STRUCTURED:
        i->position = lo * i->n;
        i->end = hi * i->n;
        break;
    default:
        i->position = i->first = lo * i->size;
        i->end = i->first + i->size;
        break;
    }
}

/* An iterator over the coordinates of level l of t below `parent`, a position of the level above. */
SPARSE_P_INLINE sparse_level_iterator sparse_level_begin(const sparse_tensor *t, unsigned l, size_t parent)
{
    sparse_level_iterator i = sparse_level_open(t->encoding, t, l);
    sparse_level_enter(&i, parent, parent + 1);
    return i;
}

/* Is there a coordinate at the iterator? */
SPARSE_P_INLINE bool sparse_level_valid(const sparse_level_iterator *i) { return i->position < i->end; }

/* Does the level store every coordinate? */
SPARSE_P_INLINE bool sparse_p_is_full(const sparse_level_iterator *i)
{
    return i->format == SPARSE_DENSE || i->format == SPARSE_BATCH;
}

/* The coordinate at position p of the level. */
SPARSE_P_INLINE size_t sparse_p_coordinate(const sparse_level_iterator *i, size_t p)
{
    return sparse_p_is_full(i) ? p - i->first : sparse_load(i->crd, i->crd_bits, p * i->stride);
}

/* The coordinate at the iterator, which must be valid. */
SPARSE_P_INLINE size_t sparse_level_coordinate(const sparse_level_iterator *i)
{
    return sparse_p_coordinate(i, i->position);
}

/* On to the next coordinate. */
SPARSE_P_INLINE void sparse_level_next(sparse_level_iterator *i) { i->position++; }

/* The end of the segment of positions that have the same coordinate as the iterator, which must be
   valid. In a unique level that is the next position. */
SPARSE_P_INLINE size_t sparse_level_segment(const sparse_level_iterator *i)
{
    size_t hi = i->position + 1;
    if (i->properties & SPARSE_NONUNIQUE)
        while (hi < i->end && sparse_p_coordinate(i, hi) == sparse_level_coordinate(i)) hi++;
    return hi;
}

/* On to the first coordinate that is not less than `coordinate`: at once in a dense level, by
   galloping in a sparse one, in time logarithmic in the distance. The level must be ordered. */
SPARSE_P_INLINE void sparse_level_seek(sparse_level_iterator *i, size_t coordinate)
{
    if (sparse_p_is_full(i)) {
        const size_t p = coordinate < i->size ? i->first + coordinate : i->end;
        if (p > i->position) i->position = p;
        return;
    }
    size_t step = 1, lo = i->position, hi = i->end; /* below lo all are less; at hi none is */
    while (step < hi - lo && sparse_p_coordinate(i, lo + step) < coordinate) {
        lo += step + 1;
        step *= 2;
    }
    if (step < hi - lo) hi = lo + step;
    while (lo < hi) {
        const size_t middle = lo + (hi - lo) / 2;
        if (sparse_p_coordinate(i, middle) < coordinate) lo = middle + 1;
        else hi = middle;
    }
    i->position = lo;
}

/* Is `coordinate` stored at or after the iterator? Goes there if it is. At once in a dense level, by
   galloping in an ordered one, from one to the next in one that is not ordered. */
SPARSE_P_INLINE bool sparse_level_locate(sparse_level_iterator *i, size_t coordinate)
{
    if (!(i->properties & SPARSE_NONORDERED)) sparse_level_seek(i, coordinate);
    else
        while (sparse_level_valid(i) && sparse_level_coordinate(i) != coordinate) sparse_level_next(i);
    return sparse_level_valid(i) && sparse_level_coordinate(i) == coordinate;
}

/* One coordinate of a walk through two ordered, unique levels at a time, and who has it. */
typedef struct sparse_coiteration {
    size_t coordinate;
    bool has_a, has_b;
} sparse_coiteration;

/* The least coordinate at either iterator; neither has it if both are exhausted. */
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

/* On from m to the next coordinate. */
SPARSE_P_INLINE sparse_coiteration sparse_coiterate_next(sparse_coiteration m, sparse_level_iterator *a,
                                                         sparse_level_iterator *b)
{
    if (m.has_a) sparse_level_next(a);
    if (m.has_b) sparse_level_next(b);
    return sparse_coiterate(a, b);
}

/* for every coordinate of the iterators a or b, which are variables, in order:
       double dot = 0;
       SPARSE_COITERATE(m, a, b) { if (m.has_a && m.has_b) dot += x[a.position] * y[b.position]; } */
#define SPARSE_COITERATE(m, a, b)                                                                            \
    for (sparse_coiteration m = sparse_coiterate(&(a), &(b)); m.has_a || m.has_b;                            \
         m = sparse_coiterate_next(m, &(a), &(b)))

/* A place in a whole tensor: the entries in storage order, with their dimension coordinates. */
typedef struct sparse_cursor {
    size_t dim[SPARSE_MAX_RANK]; /* coordinates of the entry */
    void *value;
    size_t position; /* of the value */
    bool valid;
    const sparse_tensor *tensor;
    size_t block[SPARSE_MAX_RANK]; /* of a blocked dimension: where the current block begins */
    sparse_level_iterator level[SPARSE_MAX_LEVELS];
} sparse_cursor;

/* Takes the coordinate of level l into the dimension coordinates. False if it is padding: the part of
   a block that lies outside the tensor. */
static inline bool sparse_p_take(sparse_cursor *c, unsigned l)
{
    const sparse_level *v = &c->tensor->encoding->level[l];
    const size_t i = sparse_level_coordinate(&c->level[l]);
    switch (v->map) {
    case SPARSE_MAP_FLOORDIV: c->block[v->dim] = i * v->c; return true;
    case SPARSE_MAP_MOD:
        c->dim[v->dim] = c->block[v->dim] + i;
        return i < c->tensor->dim[v->dim] - c->block[v->dim];
    default: c->dim[v->dim] = i; return true;
    }
}

/* Level l has just been entered or advanced: goes on to the next entry, in it or after it. */
static inline void sparse_p_settle(sparse_cursor *c, unsigned l)
{
    const sparse_tensor *t = c->tensor;
    for (;;) {
        if (!sparse_level_valid(&c->level[l])) {
            if (l == 0) break;
            sparse_level_next(&c->level[--l]);
        } else if (!sparse_p_take(c, l)) sparse_level_next(&c->level[l]);
        else if (l + 1 == t->encoding->levels) {
            c->position = c->level[l].position;
            c->value = (char *)t->val.at + c->position * t->encoding->value_size;
            return;
        } else {
            const size_t parent = c->level[l++].position;
            sparse_level_enter(&c->level[l], parent, parent + 1);
        }
    }
    c->valid = false;
}

/* A cursor at the first entry of t. */
static inline sparse_cursor sparse_begin(const sparse_tensor *t)
{
    sparse_cursor c;
    memset(&c, 0, sizeof c);
    c.tensor = t;
    c.valid = t->encoding && !sparse_p_is_empty(t);
    if (!c.valid) return c;
    for (unsigned l = 0; l < t->encoding->levels; l++) c.level[l] = sparse_level_open(t->encoding, t, l);
    sparse_level_enter(&c.level[0], 0, 1);
    sparse_p_settle(&c, 0);
    return c;
}

/* Is there an entry at the cursor? */
static inline bool sparse_valid(const sparse_cursor *c) { return c->valid; }

/* On to the next entry. */
static inline void sparse_next(sparse_cursor *c)
{
    const unsigned last = c->tensor->encoding->levels - 1u;
    sparse_level_next(&c->level[last]);
    sparse_p_settle(c, last);
}

/* for every entry of *tensor in storage order:
       SPARSE_FOREACH(c, &A) y[c.dim[0]] += SPARSE_VALUE(c, double) * x[c.dim[1]]; */
#define SPARSE_FOREACH(cursor, tensor)                                                                       \
    for (sparse_cursor cursor = sparse_begin(tensor); sparse_valid(&cursor); sparse_next(&cursor))

/* The value at a cursor, an lvalue of the type of the tensor's values. */
#define SPARSE_VALUE(cursor, type) (*(type *)(cursor).value)

/* >>records
   Entries on their way into a tensor. A record is a few 64-bit words: the coordinates of an entry, its
   fields, bit-packed with the first field on top, and last the number of its value. Records compare as
   their words do, the highest first; for most tensors there is one. */

/* Where a field lies: in which word, above which bit, how wide. */
typedef struct sparse_p_field {
    uint64_t mask; /* of the field, shifted down */
    unsigned word, shift;
} sparse_p_field;

typedef struct sparse_p_records {
    const sparse_hooks *hooks;
    sparse_buffer buffer;   /* its elements are whole records */
    unsigned fields, words; /* of a key; word 0 is the lowest */
    unsigned sorted;        /* bit f: all are in order of the fields f, f + 1, ... */
    sparse_p_field field[SPARSE_MAX_LEVELS + 1];
    unsigned used[SPARSE_MAX_LEVELS + 1]; /* bits of each word */
} sparse_p_records;

/* Record k. */
SPARSE_P_INLINE uint64_t *sparse_p_record(const sparse_p_records *r, size_t k)
{
    return (uint64_t *)r->buffer.at + k * (r->words + 1);
}

/* The coordinate in field f of record k. */
SPARSE_P_INLINE size_t sparse_p_get(const sparse_p_records *r, size_t k, unsigned f)
{
    const sparse_p_field field = r->field[f];
    return (size_t)(sparse_p_record(r, k)[field.word] >> field.shift & field.mask);
}

/* The number of record k's value. */
SPARSE_P_INLINE size_t sparse_p_number(const sparse_p_records *r, size_t k)
{
    return (size_t)sparse_p_record(r, k)[r->words];
}

/* An empty list with room for `capacity` records, whose fields hold numbers below size[field]. */
static inline sparse_result sparse_p_records_open(sparse_p_records *r, const sparse_hooks *hooks, unsigned fields,
                                                  const size_t *size, size_t capacity)
{
    memset(r, 0, sizeof *r);
    r->hooks = hooks;
    r->fields = fields;
    r->words = 1;
    r->sorted = (1u << fields) - 1;
    for (unsigned f = fields; f-- > 0;) {
        const unsigned bits = size[f] > 2 ? sparse_p_width(size[f] - 1) : 1;
        if (r->used[r->words - 1] + bits > 64) r->words++;
        r->field[f].word = r->words - 1;
        r->field[f].shift = r->used[r->words - 1];
        r->field[f].mask = sparse_p_max(bits);
        r->used[r->words - 1] += bits;
    }
    sparse_result result = sparse_p_allocate(hooks, &r->buffer, capacity, (r->words + 1) * sizeof(uint64_t));
    r->buffer.length = 0;
    return result;
}

static inline void sparse_p_records_close(sparse_p_records *r)
{
    sparse_p_release(r->hooks, &r->buffer, (r->words + 1) * sizeof(uint64_t));
}

/* Is record x after record y in the order of the fields f, f + 1, ...? */
static inline bool sparse_p_is_after(const sparse_p_records *r, unsigned f, const uint64_t *x, const uint64_t *y)
{
    unsigned w = r->field[f].word;
    const uint64_t mask = r->field[f].mask << r->field[f].shift | ((UINT64_C(1) << r->field[f].shift) - 1);
    if ((x[w] & mask) != (y[w] & mask)) return (x[w] & mask) > (y[w] & mask);
    while (w-- > 0)
        if (x[w] != y[w]) return x[w] > y[w];
    return false;
}

/* Appends a record; there is room. */
static inline void sparse_p_append(sparse_p_records *r, const size_t *coordinate, size_t number)
{
    const size_t k = r->buffer.length++;
    uint64_t *record = sparse_p_record(r, k);
    for (unsigned w = 0; w < r->words; w++) record[w] = 0;
    for (unsigned f = 0; f < r->fields; f++)
        record[r->field[f].word] |= (uint64_t)coordinate[f] << r->field[f].shift;
    record[r->words] = number;
    if (k == 0 || !r->sorted) return;
    for (unsigned f = 0; f < r->fields; f++)
        if (r->sorted >> f & 1 && sparse_p_is_after(r, f, sparse_p_record(r, k - 1), record)) r->sorted &= ~(1u << f);
}

/* The first of the fields [from, to) in which record k differs from the one before; else `to`. */
static inline unsigned sparse_p_difference(const sparse_p_records *r, size_t k, unsigned from, unsigned to)
{
    unsigned f = from;
    while (f < to && sparse_p_get(r, k - 1, f) == sparse_p_get(r, k, f)) f++;
    return f;
}

/* One stable pass of a radix sort by the digit of `word` above bit `shift`; there are `buckets`
   digits, a power of two. False, and nothing is moved, if all records have the same digit. */
SPARSE_P_INLINE bool sparse_p_pass(const uint64_t *SPARSE_RESTRICT from, uint64_t *SPARSE_RESTRICT to, size_t count, size_t stride, size_t word,
                                   unsigned shift, size_t *bucket, size_t buckets)
{
    size_t start = 0;
    memset(bucket, 0, buckets * sizeof *bucket);
    for (size_t k = 0; k < count; k++) bucket[(size_t)(from[k * stride + word] >> shift) & (buckets - 1)]++;
    for (size_t b = 0; b < buckets; b++) {
        const size_t size = bucket[b];
        if (size == count) return false;
        bucket[b] = start;
        start += size;
    }
    for (size_t k = 0; k < count; k++) {
        const uint64_t *x = from + k * stride;
        uint64_t *y = to + bucket[(size_t)(x[word] >> shift) & (buckets - 1)]++ * stride;
        for (size_t w = 0; w < stride; w++) y[w] = x[w];
    }
    return true;
}

/* Sorts the records; equal ones stay in the order in which they came. A radix sort from the lowest
   digit up that passes over the fields by which the records are in order as they come: entries in
   order cost nothing, and those of CSR on their way to CSC only the passes over the columns. */
static inline sparse_result sparse_p_sort(sparse_p_records *r)
{
    const size_t count = r->buffer.length, stride = r->words + 1;
    const unsigned size = sparse_p_width(count), widest = size < 4 ? 4 : size > 11 ? 11 : size;
    unsigned first = 0; /* the records are in order of the fields first, first + 1, ... */
    while (first < r->fields && !(r->sorted >> first & 1)) first++;
    if (first == 0) return SPARSE_OK;
    sparse_buffer spare = {NULL, 0, 0}, bucket = {NULL, 0, 0};
    sparse_result result = sparse_p_allocate(r->hooks, &spare, r->buffer.capacity, stride * sizeof(uint64_t));
    if (!result) result = sparse_p_allocate(r->hooks, &bucket, (size_t)1 << widest, sizeof(size_t));
    unsigned shift = r->field[first - 1].shift;
    for (unsigned w = r->field[first - 1].word; !result && w < r->words; w++, shift = 0) {
        const unsigned bits = r->used[w] - shift, passes = (bits + widest - 1) / widest;
        const unsigned digit = (bits + passes - 1) / passes;
        for (; shift < r->used[w]; shift += digit) {
            const uint64_t *from = (const uint64_t *)r->buffer.at;
            uint64_t *to = (uint64_t *)spare.at;
            size_t *b = (size_t *)bucket.at;
            if (stride == 2 ? sparse_p_pass(from, to, count, 2, 0, shift, b, (size_t)1 << digit)
                            : sparse_p_pass(from, to, count, stride, w, shift, b, (size_t)1 << digit)) {
                spare.at = r->buffer.at;
                r->buffer.at = to;
            }
        }
    }
    sparse_p_release(r->hooks, &bucket, sizeof(size_t));
    sparse_p_release(r->hooks, &spare, stride * sizeof(uint64_t));
    return result;
}

/* >>packing
   Entries become a tensor level by level. at[k] is the position of record k in the level above; each
   level turns it into the position in the level itself, and stores what it has to. Records are in
   storage order, so at[] never decreases, and equal positions are neighbours. */

/* What to do with a second value at the same coordinates. */
typedef enum sparse_duplicates {
    SPARSE_DUPLICATES_SUM,   /* add the values, in the order in which they came */
    SPARSE_DUPLICATES_LAST,  /* keep the value that came last */
    SPARSE_DUPLICATES_ERROR, /* refuse: E_DUPLICATE */
    SPARSE_DUPLICATES_KEEP   /* store both, where the last level is nonunique; else refuse */
} sparse_duplicates;

/* The same, ready for use: combine the values, keep them all, or else fail. */
typedef struct sparse_p_policy {
    sparse_combine *combine;
    void *context;
    bool keep;
    sparse_result error;
} sparse_p_policy;

static inline sparse_p_policy sparse_p_policy_of(const sparse_encoding *e, sparse_duplicates how)
{
    sparse_p_policy policy = {NULL, (void *)e, false, SPARSE_E_DUPLICATE};
    if (how == SPARSE_DUPLICATES_LAST) policy.combine = sparse_p_replace;
    else if (how == SPARSE_DUPLICATES_SUM && e->kind != SPARSE_OPAQUE) policy.combine = sparse_p_sum;
    else if (how == SPARSE_DUPLICATES_SUM) policy.error = SPARSE_E_VALUE_TYPE;
    else if (how == SPARSE_DUPLICATES_KEEP) policy.keep = e->level[e->levels - 1].properties & SPARSE_NONUNIQUE;
    return policy;
}

/* pos of level l: position p of the level above begins at `start`, where p - 1 ends. */
SPARSE_P_INLINE void sparse_p_put_start(sparse_tensor *t, unsigned l, size_t parents, size_t p, size_t start)
{
    const unsigned bits = t->encoding->pos_bits;
    if (t->encoding->level[l].format == SPARSE_COMPRESSED) sparse_store(t->pos[l].at, bits, p, start);
    else {
        if (p < parents) sparse_store(t->pos[l].at, bits, 2 * p, start);
        if (p > 0) sparse_store(t->pos[l].at, bits, 2 * p - 1, start);
    }
}

/* The positions of a compressed or loose level: a new one for every new coordinate below a position of
   the level above. At the head of a COO region, or in the last level, the coordinates of all levels
   below count as well, for they share its positions. */
static inline sparse_result sparse_p_put_positions(sparse_tensor *t, unsigned l, const sparse_p_records *r, bool keep,
                                                   size_t *at, size_t *positions)
{
    const sparse_encoding *e = t->encoding;
    const unsigned end = sparse_p_run_end(e, l);
    const size_t parents = *positions;
    size_t length, next = 0, started = 0, before = 0;
    unsigned unique = l; /* the first level that forbids two positions with the same coordinates */
    while (unique < end && e->level[unique].properties & SPARSE_NONUNIQUE) unique++;
    if (!sparse_p_pos_length(&e->level[l], parents, &length)) return SPARSE_E_OVERFLOW;
    sparse_result result = sparse_p_allocate(t->hooks, &t->pos[l], length, e->pos_bits / 8u);
    if (result) return result;
    for (size_t k = 0; k < r->buffer.length; k++) {
        const size_t parent = at[k];
        bool fresh = k == 0 || parent != before;
        if (!fresh) {
            const unsigned d = sparse_p_difference(r, k, l, end);
            fresh = d < end || (keep && end == e->levels);
            if (fresh && d > unique) return SPARSE_E_FULL;
        }
        if (fresh) {
            for (; started <= parent; started++) sparse_p_put_start(t, l, parents, started, next);
            next++;
        }
        before = parent;
        at[k] = next - 1;
    }
    for (; started <= parents; started++) sparse_p_put_start(t, l, parents, started, next);
    *positions = next;
    return next > sparse_p_max(e->pos_bits) ? SPARSE_E_POSITION_WIDTH : SPARSE_OK;
}

/* The coordinates of a structured[n,m] level: those of each block in order, filled up with the least
   coordinates that it does not have, for there are always n. */
static inline sparse_result sparse_p_put_structured(sparse_tensor *t, unsigned l, const sparse_p_records *r,
                                                    size_t *at, size_t *positions)
{
    const unsigned bits = t->encoding->crd_bits;
    const size_t blocks = *positions, n = t->encoding->level[l].n, count = r->buffer.length;
    if (!sparse_p_mul(positions, blocks, n)) return SPARSE_E_OVERFLOW;
    sparse_result result = sparse_p_allocate(t->hooks, &t->crd[l], *positions, bits / 8u);
    if (result) return result;
    for (size_t block = 0, k = 0; block < blocks && (n > 0 || k < count); block++) {
        size_t padding = n;
        for (size_t j = k; j < count && at[j] == block; j++)
            if ((j == k || sparse_p_difference(r, j, l, l + 1) == l) && padding-- == 0) return SPARSE_E_FULL;
        for (size_t i = 0; i < n; i++) {
            const bool stored = k < count && at[k] == block && (padding == 0 || sparse_p_get(r, k, l) == i);
            const size_t coordinate = stored ? sparse_p_get(r, k, l) : i;
            sparse_store(t->crd[l].at, bits, block * n + i, coordinate);
            if (!stored) padding--;
            else
                for (; k < count && at[k] == block && sparse_p_get(r, k, l) == coordinate; k++) at[k] = block * n + i;
        }
    }
    return SPARSE_OK;
}

/* The coordinates of a compressed, loose or singleton level. */
static inline sparse_result sparse_p_put_coordinates(sparse_tensor *t, unsigned l, const sparse_p_records *r,
                                                     const size_t *at, size_t positions)
{
    const sparse_encoding *e = t->encoding;
    const unsigned bits = e->crd_bits;
    sparse_p_column c = sparse_p_crd(e, t, l);
    if (!sparse_p_is_aos(e, l)) {
        size_t length;
        if (!sparse_p_mul(&length, positions, c.stride)) return SPARSE_E_OVERFLOW;
        sparse_result result = sparse_p_allocate(t->hooks, &t->crd[l], length, bits / 8u);
        if (result) return result;
        c.at = t->crd[l].at;
    }
    for (size_t k = 0; k < r->buffer.length; k++)
        sparse_store(c.at, bits, at[k] * c.stride, sparse_p_get(r, k, l));
    return SPARSE_OK;
}

/* Level l, with the positions of the records in it and their number. */
static inline sparse_result sparse_p_put_level(sparse_tensor *t, unsigned l, const sparse_p_records *r, bool keep,
                                               size_t *at, size_t *positions)
{
    const sparse_level *v = &t->encoding->level[l];
    sparse_result result = SPARSE_OK;
    if (v->format == SPARSE_STRUCTURED) return sparse_p_put_structured(t, l, r, at, positions);
    if (v->format == SPARSE_DENSE) {
        if (!sparse_p_mul(positions, *positions, t->lvl[l])) return SPARSE_E_OVERFLOW;
        for (size_t k = 0; k < r->buffer.length; k++) at[k] = at[k] * t->lvl[l] + sparse_p_get(r, k, l);
        return SPARSE_OK;
    }
    if (sparse_p_has_pos(v)) result = sparse_p_put_positions(t, l, r, keep, at, positions);
    return result ? result : sparse_p_put_coordinates(t, l, r, at, *positions);
}

/* memcpy(to, from, size), in one move for the sizes of numbers. */
SPARSE_P_INLINE void sparse_p_move(void *to, const void *from, size_t size)
{
    switch (size) {
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, size); break;
    }
}

/* The values: zero wherever no record has its position. */
static inline sparse_result sparse_p_put_values(sparse_tensor *t, const sparse_p_records *r, const void *values,
                                                const sparse_p_policy *policy, const size_t *at, size_t positions)
{
    const size_t size = t->encoding->value_size;
    const uint8_t last = t->encoding->level[t->encoding->levels - 1].format;
    sparse_result result = sparse_p_allocate(t->hooks, &t->val, positions, size);
    if (result) return result;
    if (last == SPARSE_DENSE || last == SPARSE_STRUCTURED) sparse_zero(t);
    for (size_t k = 0; k < r->buffer.length; k++) {
        char *to = (char *)t->val.at + at[k] * size;
        const char *from = (const char *)values + sparse_p_number(r, k) * size;
        if (k == 0 || at[k] != at[k - 1]) sparse_p_move(to, from, size);
        else if (policy->combine) policy->combine(to, from, policy->context);
        else return policy->error;
    }
    return SPARSE_OK;
}

/* t, of which only the sizes are there yet, = the records, in any order, with values[their number].
   Closes the list of records. */
static inline sparse_result sparse_p_build(sparse_tensor *t, sparse_p_records *r, const void *values,
                                           sparse_p_policy policy)
{
    size_t positions = 1;
    sparse_buffer at = {NULL, 0, 0};
    sparse_result result = sparse_p_sort(r);
    if (!result) result = sparse_p_allocate(t->hooks, &at, r->buffer.length, sizeof(size_t));
    if (!result && at.at) memset(at.at, 0, at.length * sizeof(size_t));
    for (unsigned l = 0; !result && l < t->encoding->levels; l++)
        result = sparse_p_put_level(t, l, r, policy.keep, (size_t *)at.at, &positions);
    if (!result) result = sparse_p_put_values(t, r, values, &policy, (const size_t *)at.at, positions);
    sparse_p_release(t->hooks, &at, sizeof(size_t));
    sparse_p_records_close(r);
    if (result) sparse_free(t);
    return result;
}

/* Gives t its sizes, and opens a list for `count` of its entries. */
static inline sparse_result sparse_p_start(sparse_tensor *t, const size_t *dim, size_t count, sparse_p_records *r)
{
    sparse_result result = sparse_resize_dims(t, dim);
    if (!result) result = sparse_p_records_open(r, t->hooks, t->encoding->levels, t->lvl, count);
    if (result) sparse_free(t);
    return result;
}

static inline sparse_result sparse_p_pack(sparse_tensor *t, const size_t *dim, size_t count, const size_t *coordinates,
                                          const void *values, sparse_p_policy policy)
{
    sparse_p_records r;
    size_t lvl[SPARSE_MAX_LEVELS];
    if (count > 0 && (!coordinates || !values)) {
        sparse_free(t);
        return SPARSE_E_NULL;
    }
    sparse_result result = sparse_p_start(t, dim, count, &r);
    if (result) return result;
    for (size_t k = 0; k < count; k++) {
        const size_t *i = coordinates + k * t->encoding->rank;
        for (unsigned d = 0; d < t->encoding->rank; d++)
            if (i[d] >= t->dim[d]) {
                sparse_p_records_close(&r);
                sparse_free(t);
                return SPARSE_E_COORDINATE;
            }
        sparse_dim_to_lvl(t->encoding, i, lvl);
        sparse_p_append(&r, lvl, k);
    }
    return sparse_p_build(t, &r, values, policy);
}

/* t = the tensor of sizes dim[0..rank) whose entries are values[k], of the encoding's value type, at
   coordinates[k * rank ...], for k < count, in any order. Zeros are stored like any other value.
   Linear time; t owns its arrays. Errors: E_COORDINATE; E_DUPLICATE; E_VALUE_TYPE for a sum of opaque
   values; E_FULL if a singleton or structured level cannot hold the entries; E_POSITION_WIDTH,
   E_COORDINATE_WIDTH, E_OVERFLOW, E_MEMORY; those of sparse_encoding_check. */
static inline sparse_result sparse_pack(sparse_tensor *t, const size_t *dim, size_t count, const size_t *coordinates,
                                        const void *values, sparse_duplicates how)
{
    const sparse_result result = t ? sparse_encoding_check(t->encoding) : SPARSE_E_NULL;
    if (result) return result;
    return sparse_p_pack(t, dim, count, coordinates, values, sparse_p_policy_of(t->encoding, how));
}

/* As sparse_pack; of values with the same coordinates, the first is combined with each of the others
   in the order in which they come: combine(first, other, context). */
static inline sparse_result sparse_pack_with(sparse_tensor *t, const size_t *dim, size_t count,
                                             const size_t *coordinates, const void *values, sparse_combine *combine,
                                             void *context)
{
    sparse_p_policy policy = {combine, context, false, SPARSE_E_DUPLICATE};
    if (!t || !combine) return SPARSE_E_NULL;
    return sparse_p_pack(t, dim, count, coordinates, values, policy);
}

/* The number of elements of a dense tensor of the sizes of t. */
static inline sparse_result sparse_p_volume(unsigned rank, const size_t *dim, size_t *volume)
{
    *volume = 1;
    for (unsigned d = 0; d < rank; d++)
        if (!sparse_p_mul(volume, *volume, dim[d])) return SPARSE_E_OVERFLOW;
    return SPARSE_OK;
}

/* Can the tensor be read: has it an encoding, and storage? */
static inline sparse_result sparse_p_check_source(const sparse_tensor *t)
{
    if (!t) return SPARSE_E_NULL;
    if (!t->encoding) return SPARSE_E_NO_ENCODING;
    return sparse_p_is_empty(t) ? SPARSE_E_EMPTY : SPARSE_OK;
}

/* t = the tensor of sizes dim[0..rank) with the given values, of the encoding's value type, the last
   dimension fastest. Zeros are left out, save where a level stores every coordinate. Errors: those of
   sparse_pack. */
static inline sparse_result sparse_pack_dense(sparse_tensor *t, const size_t *dim, const void *values)
{
    sparse_p_records r;
    size_t volume, count = 0, i[SPARSE_MAX_RANK] = {0}, lvl[SPARSE_MAX_LEVELS];
    if (!t || !dim) return SPARSE_E_NULL;
    sparse_result result = sparse_encoding_check(t->encoding);
    if (result) return result;
    const sparse_encoding *e = t->encoding;
    const char *value = (const char *)values;
    result = sparse_p_volume(e->rank, dim, &volume);
    if (!result && !values && volume > 0) result = SPARSE_E_NULL;
    for (size_t k = 0; !result && k < volume; k++) count += !sparse_p_is_zero(e, value + k * e->value_size);
    if (!result) result = sparse_p_start(t, dim, count, &r);
    if (result) {
        sparse_free(t);
        return result;
    }
    for (size_t k = 0; k < volume; k++) {
        if (!sparse_p_is_zero(e, value + k * e->value_size)) {
            sparse_dim_to_lvl(e, i, lvl);
            sparse_p_append(&r, lvl, k);
        }
        for (unsigned d = e->rank; d-- > 0 && ++i[d] == t->dim[d];) i[d] = 0;
    }
    return sparse_p_build(t, &r, values, sparse_p_policy_of(e, SPARSE_DUPLICATES_ERROR));
}

/* values = t, the last dimension fastest, in the caller's array of as many elements as the product of
   the sizes of t. What is not stored is zero; entries with the same coordinates are added up, or the
   last of them holds if they are opaque. */
static inline sparse_result sparse_unpack_dense(const sparse_tensor *t, void *values)
{
    size_t volume;
    sparse_result result = sparse_p_check_source(t);
    if (!result) result = sparse_p_volume(t->encoding->rank, t->dim, &volume);
    if (result) return result;
    if (volume == 0) return SPARSE_OK;
    if (!values) return SPARSE_E_NULL;
    const sparse_encoding *e = t->encoding;
    bool repeats = false;
    for (unsigned l = 0; l < e->levels; l++) repeats |= (e->level[l].properties & SPARSE_NONUNIQUE) != 0;
    sparse_combine *put = repeats && e->kind != SPARSE_OPAQUE ? sparse_p_sum : sparse_p_replace;
    memset(values, 0, volume * e->value_size);
    SPARSE_FOREACH(c, t)
    {
        size_t k = 0;
        for (unsigned d = 0; d < e->rank; d++) k = k * t->dim[d] + c.dim[d];
        put((char *)values + k * e->value_size, c.value, (void *)e);
    }
    return SPARSE_OK;
}

/* The entries of t in storage order, into the caller's arrays: coordinates[k * rank ...] and values[k]
   for k < *count. There are at most sparse_entries(t); padding outside of the tensor is left out.
   Either array may be null. */
static inline sparse_result sparse_unpack(const sparse_tensor *t, size_t *coordinates, void *values, size_t *count)
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

/* >>conversion */

/* dst = src, in the encoding of dst, which must have the rank (E_SHAPE) and value type (E_VALUE_TYPE)
   of src. Stored entries move, zeros among them; from a tensor that is dense in all levels only the
   nonzeros do. Where dst cannot hold entries with the same coordinates they are added up. Linear time.
   Errors besides: those of sparse_pack, E_EMPTY, E_ALIAS. */
static inline sparse_result sparse_convert(sparse_tensor *dst, const sparse_tensor *src)
{
    sparse_p_records r;
    size_t lvl[SPARSE_MAX_LEVELS];
    if (!dst || dst == src) return dst ? SPARSE_E_ALIAS : SPARSE_E_NULL;
    sparse_result result = sparse_encoding_check(dst->encoding);
    if (result) return result;
    const sparse_encoding *e = dst->encoding;
    result = sparse_p_check_source(src);
    if (!result && src->encoding->rank != e->rank) result = SPARSE_E_SHAPE;
    if (!result && (src->encoding->kind != e->kind || src->encoding->value_size != e->value_size))
        result = SPARSE_E_VALUE_TYPE;
    if (!result && sparse_same_encoding(e, src->encoding)) return sparse_copy(dst, src);
    if (!result) result = sparse_p_start(dst, src->dim, sparse_entries(src), &r);
    if (result) {
        sparse_free(dst);
        return result;
    }
    const bool nonzeros = sparse_p_is_dense(src->encoding);
    SPARSE_FOREACH(c, src)
    {
        if (nonzeros && sparse_p_is_zero(e, c.value)) continue;
        sparse_dim_to_lvl(e, c.dim, lvl);
        sparse_p_append(&r, lvl, c.position);
    }
    const sparse_p_policy keep = sparse_p_policy_of(e, SPARSE_DUPLICATES_KEEP);
    return sparse_p_build(dst, &r, src->val.at, keep.keep ? keep : sparse_p_policy_of(e, SPARSE_DUPLICATES_SUM));
}

/* The encoding that stores what e stores dimension by dimension, all compressed. */
static inline sparse_encoding sparse_p_sorted(const sparse_encoding *e)
{
    sparse_encoding s;
    memset(&s, 0, sizeof s);
    s.name = "sorted";
    s.rank = s.levels = e->rank;
    s.pos_bits = s.crd_bits = 64;
    s.kind = e->kind;
    s.value_size = e->value_size;
    for (unsigned d = 0; d < e->rank; d++) {
        s.level[d].format = SPARSE_COMPRESSED;
        s.level[d].dim = (uint8_t)d;
    }
    return s;
}

/* Are two tensors of that encoding equal everywhere? */
static inline bool sparse_p_is_equal(const sparse_tensor *x, const sparse_tensor *y, double tolerance)
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

/* *equal = do a and b, of the same rank, value type and sizes, have equal values everywhere, up to
   |x - y| <= tolerance * max(1, |x|, |y|), no matter how they store them? Opaque values must have the
   same bytes; the fill is zero. Needs memory, from the hooks of a: E_MEMORY. */
static inline sparse_result sparse_equal(const sparse_tensor *a, const sparse_tensor *b, double tolerance, bool *equal)
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

/* >>validation */

/* Where sparse_validate found what is wrong. */
typedef struct sparse_report {
    const char *array; /* "lvl", "pos", "crd" or "val" */
    unsigned level;
    size_t position; /* in lvl and pos the element, in crd the position in the level, in val the length */
} sparse_report;

static inline sparse_result sparse_p_report(sparse_report *where, sparse_result result, const char *array,
                                            unsigned level, size_t position)
{
    where->array = array;
    where->level = level;
    where->position = position;
    return result;
}

/* How numbers of so many bits must be aligned. */
static inline size_t sparse_p_alignment(unsigned bits)
{
    switch (bits) {
    case 8: return SPARSE_P_ALIGNOF(uint8_t);
    case 16: return SPARSE_P_ALIGNOF(uint16_t);
    case 32: return SPARSE_P_ALIGNOF(uint32_t);
    default: return SPARSE_P_ALIGNOF(uint64_t);
    }
}

/* Is b an array of `length` numbers of so many bits, as far as one can tell? */
static inline bool sparse_p_is_array(const sparse_buffer *b, size_t length, unsigned bits)
{
    if (b->length != length || (b->capacity > 0 && b->capacity < length)) return false;
    return length == 0 || (b->at && (uintptr_t)b->at % sparse_p_alignment(bits) == 0);
}

/* pos of compressed level l: from 0, never down, to the number of positions. */
static inline sparse_result sparse_p_check_compressed(const sparse_tensor *t, unsigned l, size_t parents,
                                                      size_t positions, sparse_report *where)
{
    uint64_t before = 0;
    for (size_t p = 0; p <= parents; p++) {
        const uint64_t start = sparse_p_load(t->pos[l].at, t->encoding->pos_bits, p);
        if (start < before || (p == 0 && start != 0) || (p == parents ? start != positions : start > positions))
            return sparse_p_report(where, SPARSE_E_POSITIONS, "pos", l, p);
        before = start;
    }
    return SPARSE_OK;
}

/* Are the intervals of loose level l disjoint, whatever their order? */
static inline sparse_result sparse_p_check_disjoint(const sparse_tensor *t, unsigned l, size_t parents,
                                                    size_t positions, sparse_report *where)
{
    sparse_p_records r;
    sparse_level_iterator i = sparse_level_open(t->encoding, t, l);
    sparse_result result = sparse_p_records_open(&r, t->hooks, 1, &positions, parents);
    if (result) return result;
    for (size_t p = 0; p < parents; p++) {
        sparse_level_enter(&i, p, p + 1);
        if (sparse_level_valid(&i)) sparse_p_append(&r, &i.position, p);
    }
    result = sparse_p_sort(&r);
    for (size_t k = 0, end = 0; !result && k < r.buffer.length; k++, end = i.end) {
        const size_t p = sparse_p_number(&r, k);
        sparse_level_enter(&i, p, p + 1);
        if (i.position < end) result = sparse_p_report(where, SPARSE_E_POSITIONS, "pos", l, 2 * p);
    }
    sparse_p_records_close(&r);
    return result;
}

/* pos of loose level l: intervals within the positions, and disjoint. */
static inline sparse_result sparse_p_check_loose(const sparse_tensor *t, unsigned l, size_t parents, size_t positions,
                                                 sparse_report *where)
{
    uint64_t end = 0;
    bool ascending = true;
    for (size_t p = 0; p < parents; p++) {
        const uint64_t lo = sparse_p_load(t->pos[l].at, t->encoding->pos_bits, 2 * p);
        const uint64_t hi = sparse_p_load(t->pos[l].at, t->encoding->pos_bits, 2 * p + 1);
        if (lo > hi || hi > positions) return sparse_p_report(where, SPARSE_E_POSITIONS, "pos", l, 2 * p);
        if (lo == hi) continue;
        ascending = ascending && lo >= end;
        end = hi;
    }
    return ascending ? SPARSE_OK : sparse_p_check_disjoint(t, l, parents, positions, where);
}

/* The coordinates at position p, and at p - 1 if that has the same parent: inside the levels [l, end),
   which share their positions, and in the order that these demand. */
static inline sparse_result sparse_p_check_position(const sparse_tensor *t, const sparse_level_iterator *level,
                                                    unsigned l, unsigned end, size_t p, bool first,
                                                    sparse_report *where)
{
    bool tied = !first; /* with p - 1, in the levels so far */
    for (unsigned k = l; k < end; k++) {
        const sparse_level_iterator *i = &level[k];
        const unsigned bits = i->crd_bits;
        const uint64_t at = sparse_p_load(i->crd, bits, p * i->stride);
        if (at >= t->lvl[k]) return sparse_p_report(where, SPARSE_E_COORDINATE, "crd", k, p);
        if (!tied) continue;
        const uint64_t before = sparse_p_load(i->crd, bits, (p - 1) * i->stride);
        if ((before == at && !(i->properties & SPARSE_NONUNIQUE)) ||
            (before > at && !(i->properties & SPARSE_NONORDERED)))
            return sparse_p_report(where, SPARSE_E_ORDER, "crd", k, p);
        tied = before == at;
    }
    return SPARSE_OK;
}

/* Among coordinates in no order, neighbours do not show which are repeated: sort those of the levels
   [l, end) below each parent. */
static inline sparse_result sparse_p_check_unique(const sparse_tensor *t, const sparse_level_iterator *level,
                                                  unsigned l, unsigned end, size_t parents, size_t positions,
                                                  sparse_report *where)
{
    sparse_p_records r;
    size_t size[SPARSE_MAX_LEVELS + 1], at[SPARSE_MAX_LEVELS + 1];
    const unsigned fields = 1 + end - l;
    sparse_level_iterator i = level[l];
    size[0] = parents;
    memcpy(size + 1, t->lvl + l, (end - l) * sizeof *size);
    sparse_result result = sparse_p_records_open(&r, t->hooks, fields, size, positions);
    if (result) return result;
    for (at[0] = 0; at[0] < parents; at[0]++)
        for (sparse_level_enter(&i, at[0], at[0] + 1); sparse_level_valid(&i); sparse_level_next(&i)) {
            for (unsigned k = l; k < end; k++) at[1 + k - l] = sparse_p_coordinate(&level[k], i.position);
            sparse_p_append(&r, at, i.position);
        }
    result = sparse_p_sort(&r);
    for (size_t k = 1; !result && k < r.buffer.length; k++)
        if (sparse_p_difference(&r, k, 0, fields) == fields)
            result = sparse_p_report(where, SPARSE_E_ORDER, "crd", end - 1, sparse_p_number(&r, k));
    sparse_p_records_close(&r);
    return result;
}

/* The coordinates of level l, whose positions are sound, and of the singletons that follow it. */
static inline sparse_result sparse_p_check_coordinates(const sparse_tensor *t, unsigned l, size_t parents,
                                                       size_t positions, sparse_report *where)
{
    const sparse_encoding *e = t->encoding;
    const unsigned end = sparse_p_run_end(e, l);
    sparse_level_iterator level[SPARSE_MAX_LEVELS];
    unsigned unique = l; /* the levels [l, unique) may repeat coordinates, unique may not */
    bool ordered = true; /* levels l to unique */
    if (positions == 0) return SPARSE_OK;
    for (unsigned k = l; k < end; k++) level[k] = sparse_level_open(e, t, k);
    sparse_level_iterator i = level[l];
    for (size_t parent = 0; parent < parents; parent++) {
        bool first = true;
        for (sparse_level_enter(&i, parent, parent + 1); sparse_level_valid(&i); sparse_level_next(&i)) {
            sparse_result result = sparse_p_check_position(t, level, l, end, i.position, first, where);
            if (result) return result;
            first = false;
        }
    }
    while (unique < end && e->level[unique].properties & SPARSE_NONUNIQUE) unique++;
    for (unsigned k = l; k <= unique && k < end; k++) ordered = ordered && !(e->level[k].properties & SPARSE_NONORDERED);
    if (ordered || unique == end) return SPARSE_OK;
    return sparse_p_check_unique(t, level, l, unique + 1, parents, positions, where);
}

/* The arrays of level l below so many positions, which become the positions of the level itself. */
static inline sparse_result sparse_p_check_arrays(const sparse_tensor *t, unsigned l, size_t *positions,
                                                  sparse_report *where)
{
    const sparse_encoding *e = t->encoding;
    const sparse_level *v = &e->level[l];
    const size_t parents = *positions, stride = sparse_p_crd(e, t, l).stride;
    size_t pos_length = 0, crd_length = 0;
    bool fits = true;
    if (v->format == SPARSE_DENSE) fits = sparse_p_mul(positions, parents, t->lvl[l]);
    else if (v->format == SPARSE_SINGLETON) crd_length = sparse_p_is_aos(e, l) ? 0 : parents;
    else if (v->format == SPARSE_STRUCTURED) {
        fits = sparse_p_mul(positions, parents, v->n);
        crd_length = *positions;
    } else {
        fits = sparse_p_pos_length(v, parents, &pos_length);
        *positions = t->crd[l].length / stride;
        crd_length = *positions * stride;
    }
    if (!fits) return sparse_p_report(where, SPARSE_E_OVERFLOW, "lvl", l, t->lvl[l]);
    if (!sparse_p_is_array(&t->pos[l], pos_length, e->pos_bits))
        return sparse_p_report(where, SPARSE_E_LENGTH, "pos", l, t->pos[l].length);
    if (!sparse_p_is_array(&t->crd[l], crd_length, e->crd_bits))
        return sparse_p_report(where, SPARSE_E_LENGTH, "crd", l, t->crd[l].length);
    return SPARSE_OK;
}

/* What is in pos of level l, and in crd of it and of the singletons that follow. */
static inline sparse_result sparse_p_check_level_content(const sparse_tensor *t, unsigned l, size_t parents,
                                                         size_t positions, sparse_report *where)
{
    const uint8_t format = t->encoding->level[l].format;
    sparse_result result = SPARSE_OK;
    if (format == SPARSE_DENSE || format == SPARSE_SINGLETON) return SPARSE_OK;
    if (format == SPARSE_COMPRESSED) result = sparse_p_check_compressed(t, l, parents, positions, where);
    if (format == SPARSE_LOOSE_COMPRESSED) result = sparse_p_check_loose(t, l, parents, positions, where);
    return result ? result : sparse_p_check_coordinates(t, l, parents, positions, where);
}

/* Is t sound: are its arrays as long as its levels demand, its positions and coordinates in range, in
   order and not repeated where they must not be? If not, the result says why, and *where, if it is not
   null, where: E_EMPTY, E_SHAPE (level sizes), E_LENGTH, E_POSITIONS, E_COORDINATE, E_ORDER, the
   errors of sparse_encoding_check and sparse_level_sizes. Reads nothing outside of the arrays, given
   that these are as long as they say. Time is linear in the entries. Memory is needed only for loose
   intervals out of order and for unique levels that are not ordered: E_MEMORY. */
static inline sparse_result sparse_validate(const sparse_tensor *t, sparse_report *where)
{
    sparse_report unused;
    size_t lvl[SPARSE_MAX_LEVELS], positions[SPARSE_MAX_LEVELS + 1] = {1};
    if (!where) where = &unused;
    sparse_p_report(where, SPARSE_OK, "lvl", 0, 0);
    sparse_result result = t ? sparse_p_check_storable(t->encoding) : SPARSE_E_NULL;
    if (!result) result = sparse_p_check_source(t);
    if (!result) result = sparse_level_sizes(t->encoding, t->dim, lvl);
    if (result) return result;
    const sparse_encoding *e = t->encoding;
    const unsigned levels = e->levels, part = (unsigned)sparse_p_kind_size(sparse_p_part(e->kind));
    for (unsigned l = 0; l < levels; l++)
        if (lvl[l] != t->lvl[l]) return sparse_p_report(where, SPARSE_E_SHAPE, "lvl", l, l);
    for (unsigned l = 0; !result && l < levels; l++) {
        positions[l + 1] = positions[l];
        result = sparse_p_check_arrays(t, l, &positions[l + 1], where);
    }
    if (!result && !sparse_p_is_array(&t->val, positions[levels], part ? 8 * part : 8))
        result = sparse_p_report(where, SPARSE_E_LENGTH, "val", levels, t->val.length);
    for (unsigned l = 0; !result && l < levels; l++)
        result = sparse_p_check_level_content(t, l, positions[l], positions[l + 1], where);
    return result;
}

/* >>assembly
   Tensors from arrays made elsewhere, and back. */

/* The arrays of a tensor, level by level, in the storage that its encoding asks for. */
typedef struct sparse_arrays {
    sparse_buffer pos[SPARSE_MAX_LEVELS];
    sparse_buffer crd[SPARSE_MAX_LEVELS];
    sparse_buffer val;
} sparse_arrays;

typedef enum sparse_ownership {
    SPARSE_COPY,  /* the tensor copies the arrays and owns the copies */
    SPARSE_BORROW /* the tensor reads the caller's arrays, which must outlive it, and never frees them */
} sparse_ownership;

/* t = the tensor of sizes dim[0..rank) that is stored in the arrays: `at` and `length` of each, counted
   in elements of the width that the encoding says; `capacity` is not looked at. They must not be t's
   own. The content is validated: errors are those of sparse_validate, and *where, if it is not null,
   tells the place. */
static inline sparse_result sparse_assemble(sparse_tensor *t, const size_t *dim, const sparse_arrays *arrays,
                                            sparse_ownership ownership, sparse_report *where)
{
    if (!arrays) return SPARSE_E_NULL;
    sparse_result result = sparse_resize_dims(t, dim);
    if (result) return result;
    sparse_tensor view = *t;
    memcpy(view.pos, arrays->pos, sizeof view.pos);
    memcpy(view.crd, arrays->crd, sizeof view.crd);
    view.val = arrays->val;
    for (unsigned l = 0; l < SPARSE_MAX_LEVELS; l++) view.pos[l].capacity = view.crd[l].capacity = 0;
    view.val.capacity = 0;
    result = sparse_validate(&view, where);
    if (result) sparse_free(t);
    else if (ownership == SPARSE_BORROW) *t = view;
    else result = sparse_copy(t, &view);
    return result;
}

/* out = a copy of src's elements if out has room; out->length is set in any case. */
static inline bool sparse_p_copy_out(sparse_buffer *out, const sparse_buffer *src, size_t size)
{
    out->length = src->length;
    if (src->length > out->capacity || (src->length > 0 && !out->at)) return false;
    if (src->length > 0) memcpy(out->at, src->at, src->length * size);
    return true;
}

/* Copies the arrays of t into the caller's: `at` and `capacity` of each tell where and how much fits,
   `length` becomes what t has. E_CAPACITY if one is too small: then the lengths tell what is needed,
   so that a call with zeroed arrays is the way to ask. */
static inline sparse_result sparse_disassemble(const sparse_tensor *t, sparse_arrays *arrays)
{
    sparse_result result = arrays ? sparse_p_check_source(t) : SPARSE_E_NULL;
    if (result) return result;
    const sparse_encoding *e = t->encoding;
    bool fits = sparse_p_copy_out(&arrays->val, &t->val, e->value_size);
    for (unsigned l = 0; l < e->levels; l++) {
        fits &= sparse_p_copy_out(&arrays->pos[l], &t->pos[l], e->pos_bits / 8u);
        fits &= sparse_p_copy_out(&arrays->crd[l], &t->crd[l], e->crd_bits / 8u);
    }
    return fits ? SPARSE_OK : SPARSE_E_CAPACITY;
}

#endif /* SPARSE_FORMATS_H */
