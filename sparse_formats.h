/* sparse_formats.h: level types, encodings and tensor storage.

   Part of the sparse kit; include "sparse.h". A tensor is a tree of levels: each level stores the
   coordinates of one axis of the storage below every position of the level above it, and the
   positions of the last level index the values. An encoding says which level type stores which
   dimension; everything else in this file is written once, against that description.

   Contents (search for the anchors)
     >>results         sparse_result and the sentence for each code
     >>memory          sparse_hooks, sparse_buffer
     >>encodings       sparse_encoding, SPARSE_TENSOR, SPARSE_INIT, named encodings
     >>storage         sparse_tensor
     >>numbers         sparse_load, sparse_store, checked sizes
     >>values          arithmetic on values of the known kinds
     >>rules           sparse_encoding_check, sparse_same_encoding, maps and level sizes
     >>arrays          sparse_free, sparse_resize_dims, sparse_copy, sparse_allocate_dense
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

#include "sparse_lattice.h"

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
    X(SPARSE_E_SINGLETON, "singletons, all SoA or all AoS, must run from a compressed level to the last")    \
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

/* >>values
   Arithmetic on values of the kinds that the kit knows. memcpy because values may lie in arrays of any
   declared type. */

/* A complex value has two parts, other numbers one; opaque values, which the kit cannot look into, none.
   X(kind of part, type, type to add in), the last unsigned for integers so that sums wrap. */
#define SPARSE_P_PARTS(X)                                                                                    \
    X(SPARSE_I8, int8_t, uint8_t)                                                                            \
    X(SPARSE_I16, int16_t, uint16_t)                                                                         \
    X(SPARSE_I32, int32_t, uint32_t)                                                                         \
    X(SPARSE_I64, int64_t, uint64_t)                                                                         \
    X(SPARSE_U8, uint8_t, uint8_t)                                                                           \
    X(SPARSE_U16, uint16_t, uint16_t)                                                                        \
    X(SPARSE_U32, uint32_t, uint32_t)                                                                        \
    X(SPARSE_U64, uint64_t, uint64_t)                                                                        \
    X(SPARSE_F32, float, float)                                                                              \
    X(SPARSE_F64, double, double)

/* The kind of a part: complex double -> double. */
static inline sparse_kind sparse_p_part(sparse_kind kind)
{
    return kind == SPARSE_C64 ? SPARSE_F32 : kind == SPARSE_C128 ? SPARSE_F64 : kind;
}

/* The bytes of a value, or part; 0 if it is opaque. */
static inline size_t sparse_p_kind_size(sparse_kind kind)
{
#define SPARSE_P_PART_SIZE(part, type, sum)                                                                  \
    if (kind == part) return sizeof(type);
    SPARSE_P_PARTS(SPARSE_P_PART_SIZE)
#undef SPARSE_P_PART_SIZE
    return sparse_p_part(kind) == kind ? 0 : 2 * sparse_p_kind_size(sparse_p_part(kind));
}

/* *acc += *v for one part. */
static inline void sparse_p_sum_part(sparse_kind part, void *acc, const void *v)
{
#define SPARSE_P_SUM_PART(kind, type, sum)                                                                   \
    if (part == kind) {                                                                                      \
        sum a, b;                                                                                            \
        memcpy(&a, acc, sizeof a);                                                                           \
        memcpy(&b, v, sizeof b);                                                                             \
        a = (sum)(a + b);                                                                                    \
        memcpy(acc, &a, sizeof a);                                                                           \
    }
    SPARSE_P_PARTS(SPARSE_P_SUM_PART)
#undef SPARSE_P_SUM_PART
}

/* A part as a double; 0 if it is opaque. */
static inline double sparse_p_real(sparse_kind part, const void *v)
{
#define SPARSE_P_REAL_PART(kind, type, sum)                                                                  \
    if (part == kind) {                                                                                      \
        type a;                                                                                              \
        memcpy(&a, v, sizeof a);                                                                             \
        return (double)a;                                                                                    \
    }
    SPARSE_P_PARTS(SPARSE_P_REAL_PART)
#undef SPARSE_P_REAL_PART
    return 0;
}

/* acc += v; the context is the encoding. Integers wrap. */
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

/* The first level from l on that forbids two positions with the same coordinates below one parent. */
static inline unsigned sparse_p_first_unique(const sparse_encoding *e, unsigned l)
{
    while (l < e->levels && e->level[l].properties & SPARSE_NONUNIQUE) l++;
    return l;
}

static inline bool sparse_p_is_dense(const sparse_encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].format != SPARSE_DENSE) return false;
    return true;
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
    case SPARSE_DENSE:
        break;
    case SPARSE_BATCH:
        if (above && above->format != SPARSE_BATCH) return SPARSE_E_BATCH;
        break;
    case SPARSE_COMPRESSED:
    case SPARSE_LOOSE_COMPRESSED:
        allowed = order;
        break;
    case SPARSE_SINGLETON:
        if (!above || !(below_singleton || sparse_p_has_pos(above))) return SPARSE_E_SINGLETON;
        if (below_singleton && sparse_p_is_aos(e, l) != sparse_p_is_aos(e, l - 1)) return SPARSE_E_SINGLETON;
        allowed = order | SPARSE_SOA;
        break;
    case SPARSE_STRUCTURED:
        if (!sparse_p_is_structured(e, l)) return SPARSE_E_STRUCTURED;
        break;
    default:
        return SPARSE_E_ARGUMENT;
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
    if (e->value_size == 0 || (e->kind != SPARSE_OPAQUE && e->value_size != sparse_p_kind_size(e->kind)))
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
        if (v->map == SPARSE_MAP_DIM)
            dim[v->dim] = lvl[l];
        else if (v->map == SPARSE_MAP_FLOORDIV)
            dim[v->dim] = lvl[l] * v->c;
        else
            dim[v->dim] += lvl[l];
    }
}

/* lvl = the sizes of the levels of a tensor of sizes dim. E_COORDINATE_WIDTH if a level stores
   coordinates that do not fit into crd_bits. */
static inline sparse_result sparse_level_sizes(const sparse_encoding *e, const size_t *dim, size_t *lvl)
{
    for (unsigned l = 0; l < e->levels; l++) {
        const sparse_level *v = &e->level[l];
        const size_t size = dim[v->dim];
        if (v->map == SPARSE_MAP_DIM)
            lvl[l] = size;
        else if (v->map == SPARSE_MAP_FLOORDIV)
            lvl[l] = size / v->c + (size % v->c != 0);
        else
            lvl[l] = v->c;
        if (sparse_p_has_crd(v) && lvl[l] > 0 && lvl[l] - 1 > sparse_p_max(e->crd_bits))
            return SPARSE_E_COORDINATE_WIDTH;
    }
    return SPARSE_OK;
}

/* >>arrays
   Memory of a tensor. Every function here and below that builds a tensor frees what the tensor held;
   when it fails, the tensor is left empty, with its encoding and hooks, and nothing leaks. */

/* The one call of the hooks, or of malloc's family. */
static inline void *sparse_p_resize(const sparse_hooks *hooks, void *block, size_t old_bytes,
                                    size_t new_bytes)
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
    if (result)
        sparse_free(t);
    else
        memcpy(t->dim, size, sizeof size);
    return result;
}

/* Does t lack the positions that its encoding demands? A compressed level has them in any case, a
   loose one only if there is a position above it. */
static inline bool sparse_p_is_empty(const sparse_tensor *t)
{
    bool above = true;
    for (unsigned l = 0; l < t->encoding->levels; l++) {
        const uint8_t format = t->encoding->level[l].format;
        if (format == SPARSE_COMPRESSED || (format == SPARSE_LOOSE_COMPRESSED && above)) return !t->pos[l].at;
        above = above && t->lvl[l] > 0;
    }
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
        bytes +=
            t->pos[l].length * (t->encoding->pos_bits / 8u) + t->crd[l].length * (t->encoding->crd_bits / 8u);
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
    if (!result)
        sparse_zero(t);
    else
        sparse_free(t);
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

/* >>iterators
   A level is a sequence of coordinates below every position of the level above; below the root there
   is one position, 0. To walk the levels of a matrix, y = A x:

       sparse_level_iterator i = sparse_level_begin(A, 0, 0), j = sparse_level_open(A->encoding, A, 1);
       for (; sparse_level_valid(&i); sparse_level_next(&i)) {
           sparse_level_enter(&j, i.position, i.position + 1);
           for (; sparse_level_valid(&j); sparse_level_next(&j))
               y[sparse_level_coordinate(&i)] += value[j.position] * x[sparse_level_coordinate(&j)];
       }

   The position of the last level is that of the value. All functions are inlined, and if the encoding
   given to sparse_level_open is a constant, nothing remains of them but the loads. */

/* A place in a level: `position`, valid while below `end`. The rest describes the level. */
typedef struct sparse_level_iterator {
    size_t position, end;
    size_t first;          /* of a dense level: the position of coordinate 0 */
    size_t size;           /* of the level */
    const void *pos, *crd; /* its arrays; the coordinate of p is crd[p * stride] */
    uint16_t stride, n;    /* n of structured[n,m] */
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
SPARSE_P_INLINE sparse_level_iterator sparse_level_open(const sparse_encoding *e, const sparse_tensor *t,
                                                        unsigned l)
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
        if (sparse_p_coordinate(i, middle) < coordinate)
            lo = middle + 1;
        else
            hi = middle;
    }
    i->position = lo;
}

/* Is `coordinate` stored at or after the iterator? Goes there if it is. At once in a dense level, by
   galloping in an ordered one, from one to the next in one that is not ordered. */
SPARSE_P_INLINE bool sparse_level_locate(sparse_level_iterator *i, size_t coordinate)
{
    if (!(i->properties & SPARSE_NONORDERED))
        sparse_level_seek(i, coordinate);
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
SPARSE_P_INLINE sparse_coiteration sparse_coiterate(const sparse_level_iterator *a,
                                                    const sparse_level_iterator *b)
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
    unsigned run; /* this level and those below, if any, are singletons: one position of it is one entry */
    const sparse_tensor *tensor;
    size_t block[SPARSE_MAX_RANK]; /* of a blocked dimension: where the current block begins */
    sparse_level_iterator level[SPARSE_MAX_LEVELS];
} sparse_cursor;

/* Takes the coordinate of level l at position p into the dimension coordinates. False if it is padding:
   in the part of a block that lies outside the tensor. */
SPARSE_P_INLINE bool sparse_p_take(sparse_cursor *c, unsigned l, size_t p)
{
    const sparse_level *v = &c->tensor->encoding->level[l];
    const size_t i = sparse_p_coordinate(&c->level[l], p);
    if (v->map == SPARSE_MAP_FLOORDIV)
        c->block[v->dim] = i * v->c;
    else
        c->dim[v->dim] = v->map == SPARSE_MAP_MOD ? c->block[v->dim] + i : i;
    return v->map != SPARSE_MAP_MOD || i < c->tensor->dim[v->dim] - c->block[v->dim];
}

/* Takes the entry at the last run of levels. False if it is padding. */
SPARSE_P_INLINE bool sparse_p_take_entry(sparse_cursor *c)
{
    const sparse_encoding *e = c->tensor->encoding;
    c->position = c->level[c->run].position;
    c->value = (char *)c->tensor->val.at + c->position * e->value_size;
    for (unsigned l = c->run; l < e->levels; l++)
        if (!sparse_p_take(c, l, c->position)) return false;
    return true;
}

/* Level l has just been entered or advanced: goes on to the next entry, in it or after it. */
static inline void sparse_p_settle(sparse_cursor *c, unsigned l)
{
    for (;;) {
        const size_t p = c->level[l].position;
        if (!sparse_level_valid(&c->level[l])) {
            if (l == 0) break;
            sparse_level_next(&c->level[--l]);
        } else if (l == c->run) {
            if (sparse_p_take_entry(c)) return;
            sparse_level_next(&c->level[l]);
        } else if (sparse_p_take(c, l, p))
            sparse_level_enter(&c->level[++l], p, p + 1);
        else
            sparse_level_next(&c->level[l]);
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
    while (sparse_p_run_end(t->encoding, c.run) < t->encoding->levels) c.run++;
    for (unsigned l = 0; l < t->encoding->levels; l++) c.level[l] = sparse_level_open(t->encoding, t, l);
    sparse_level_enter(&c.level[0], 0, 1);
    sparse_p_settle(&c, 0);
    return c;
}

/* Is there an entry at the cursor? */
SPARSE_P_INLINE bool sparse_valid(const sparse_cursor *c) { return c->valid; }

/* On to the next entry. */
SPARSE_P_INLINE void sparse_next(sparse_cursor *c)
{
    sparse_level_iterator *i = &c->level[c->run];
    sparse_level_next(i);
    if (!sparse_level_valid(i) || !sparse_p_take_entry(c)) sparse_p_settle(c, c->run);
}

/* for every entry of *tensor in storage order:
       SPARSE_FOREACH(c, &A) y[c.dim[0]] += SPARSE_VALUE(c, double) * x[c.dim[1]]; */
#define SPARSE_FOREACH(cursor, tensor)                                                                       \
    for (sparse_cursor cursor = sparse_begin(tensor); sparse_valid(&cursor); sparse_next(&cursor))

/* The value at a cursor, an lvalue of the type of the tensor's values. */
#define SPARSE_VALUE(cursor, type) (*(type *)(cursor).value)

/* >>records
   Entries on their way into a tensor. A record is a few 64-bit words: the coordinates of an entry, its
   fields, bit-packed with the first field on top, and last its value, or where that is if it needs more
   than a word. Records compare as the words of their keys do, the highest first; most keys are one. */

/* Where a field lies: in which word, above which bit, how wide. */
typedef struct sparse_p_field {
    uint64_t mask; /* of the field, shifted down */
    unsigned word, shift;
} sparse_p_field;

typedef struct sparse_p_records {
    const sparse_hooks *hooks;
    sparse_buffer buffer;   /* its elements are whole records */
    size_t size;            /* of a value */
    unsigned fields, words; /* of a key; word 0 is the lowest */
    sparse_p_field field[SPARSE_MAX_LEVELS + 1];
    unsigned used[SPARSE_MAX_LEVELS + 1]; /* bits of each word */
} sparse_p_records;

/* Record k. */
SPARSE_P_INLINE uint64_t *sparse_p_record(const sparse_p_records *r, size_t k)
{
    return (uint64_t *)r->buffer.at + k * (r->words + 1);
}

/* One field of consecutive records. */
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
    sparse_p_lane lane = {sparse_p_record(r, k) + field.word, r->words + 1, field.mask, field.shift};
    return lane;
}

/* The coordinate in the i-th record of a lane. */
SPARSE_P_INLINE size_t sparse_p_get(sparse_p_lane lane, size_t i)
{
    return (size_t)(lane.word[i * lane.stride] >> lane.shift & lane.mask);
}

/* memcpy(to, from, size), in one move for the sizes of numbers. */
SPARSE_P_INLINE void sparse_p_move(void *to, const void *from, size_t size)
{
    switch (size) {
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

/* The value of record k. */
SPARSE_P_INLINE const void *sparse_p_value(const sparse_p_records *r, size_t k)
{
    const void *value = sparse_p_record(r, k) + r->words;
    if (r->size > sizeof(uint64_t)) memcpy(&value, value, sizeof value);
    return value;
}

/* An empty list with room for `capacity` records, whose fields hold numbers below sizes[field]. */
static inline sparse_result sparse_p_records_open(sparse_p_records *r, const sparse_hooks *hooks,
                                                  unsigned fields, const size_t *sizes, size_t value_size,
                                                  size_t capacity)
{
    memset(r, 0, sizeof *r);
    r->hooks = hooks;
    r->size = value_size;
    r->fields = fields;
    r->words = 1;
    for (unsigned f = fields; f-- > 0;) {
        const unsigned bits = sizes[f] > 2 ? sparse_p_width(sizes[f] - 1) : 1;
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

/* Is x > y, as numbers of so many words? */
SPARSE_P_INLINE bool sparse_p_exceeds(const uint64_t *x, const uint64_t *y, size_t words)
{
    while (words-- > 0)
        if (x[words] != y[words]) return x[words] > y[words];
    return false;
}

/* Is key x after key y in the order of the fields f, f + 1, ...? */
static inline bool sparse_p_is_after(const sparse_p_records *r, unsigned f, const uint64_t *x,
                                     const uint64_t *y)
{
    const sparse_p_field field = r->field[f];
    const uint64_t mask = field.mask << field.shift | ((UINT64_C(1) << field.shift) - 1);
    const uint64_t top_x = x[field.word] & mask, top_y = y[field.word] & mask;
    return top_x != top_y ? top_x > top_y : sparse_p_exceeds(x, y, field.word);
}

/* Appends a record; there is room. */
static inline void sparse_p_append(sparse_p_records *r, const size_t *coordinate, const void *value)
{
    uint64_t *record = sparse_p_record(r, r->buffer.length++);
    for (unsigned w = 0; w <= r->words; w++) record[w] = 0;
    for (unsigned f = 0; f < r->fields; f++)
        record[r->field[f].word] |= (uint64_t)coordinate[f] << r->field[f].shift;
    if (r->size <= sizeof(uint64_t))
        sparse_p_move(record + r->words, value, r->size);
    else
        memcpy(record + r->words, &value, sizeof value);
}

/* The least f such that the records are in order of the fields f, f + 1, ... as they are. */
static inline unsigned sparse_p_sorted_from(const sparse_p_records *r)
{
    unsigned candidates = (1u << r->fields) - 1, least = 0;
    for (size_t k = 1; k < r->buffer.length && candidates; k++)
        for (unsigned f = 0; f < r->fields; f++)
            if (candidates >> f & 1 &&
                sparse_p_is_after(r, f, sparse_p_record(r, k - 1), sparse_p_record(r, k)))
                candidates &= ~(1u << f);
    while (least < r->fields && !(candidates >> least & 1)) least++;
    return least;
}

/* The first field in which record k differs from the one before; `fields` if there is none. */
static inline unsigned sparse_p_difference(const sparse_p_records *r, size_t k)
{
    unsigned f = 0;
    for (; k > 0 && f < r->fields; f++) {
        const sparse_p_lane lane = sparse_p_lane_of(r, k - 1, f);
        if (sparse_p_get(lane, 0) != sparse_p_get(lane, 1)) break;
    }
    return f;
}

/* Insertion sort of a few records of so many words. */
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

/* bucket[digit] = the end of the records with that digit in word w, once they are moved to `to`,
   each digit's in the order in which they are. False if all have the same: then nothing moves. */
SPARSE_P_INLINE bool sparse_p_scatter(const uint64_t *SPARSE_RESTRICT from, uint64_t *SPARSE_RESTRICT to,
                                      size_t count, size_t stride, unsigned w, unsigned shift, size_t *bucket,
                                      size_t buckets)
{
    size_t start = 0;
    memset(bucket, 0, buckets * sizeof *bucket);
    for (size_t k = 0; k < count; k++) bucket[(size_t)(from[k * stride + w] >> shift) & (buckets - 1)]++;
    if (bucket[(size_t)(from[w] >> shift) & (buckets - 1)] == count) return false;
    for (size_t b = 0; b < buckets; b++) {
        const size_t size = bucket[b];
        bucket[b] = start;
        start += size;
    }
    for (size_t k = 0; k < count; k++) {
        const uint64_t *x = from + k * stride;
        uint64_t *y = to + bucket[(size_t)(x[w] >> shift) & (buckets - 1)]++ * stride;
        for (size_t v = 0; v < stride; v++) y[v] = x[v];
    }
    return true;
}

enum { SPARSE_P_FEW = 16 }; /* records that are better inserted than scattered */

/* The bits of the digit to sort so many records by: for a few records to each bucket, but not so many
   buckets that writing to all of them at once leaves the caches behind. */
static inline unsigned sparse_p_digit(size_t count)
{
    const unsigned width = sparse_p_width(count);
    return width > 17 ? 8 : width > 11 ? 9 : width > 5 ? width - 2 : 3;
}

/* Sorts `count` records at `from`, which agree above the lowest `bits` bits of word w, by all bits down
   to the lowest of the field `last`; leaves them at `to` if `move`, else where they are. A radix sort
   from the highest digit down, so that buckets soon fit a cache. */
static inline void sparse_p_sort_range(const sparse_p_records *r, unsigned last, uint64_t *from, uint64_t *to,
                                       size_t count, unsigned w, unsigned bits, bool move, size_t *bucket)
{
    const size_t stride = r->words + 1;
    const bool lowest = w == r->field[last].word;
    const unsigned rest = bits - (lowest ? r->field[last].shift : 0);
    if (rest == 0 && !lowest) {
        sparse_p_sort_range(r, last, from, to, count, w - 1, r->used[w - 1], move, bucket);
    } else if (rest == 0 || count <= SPARSE_P_FEW) {
        if (rest > 0 && stride == 2)
            sparse_p_insert(from, count, 2);
        else if (rest > 0)
            sparse_p_insert(from, count, stride);
        if (move) memcpy(to, from, count * stride * sizeof *to);
    } else {
        const unsigned wanted = sparse_p_digit(count), digit = wanted < rest ? wanted : rest;
        const unsigned shift = bits - digit;
        const size_t buckets = (size_t)1 << digit;
        const bool moved = stride == 2 ? sparse_p_scatter(from, to, count, 2, 0, shift, bucket, buckets)
                                       : sparse_p_scatter(from, to, count, stride, w, shift, bucket, buckets);
        if (!moved) sparse_p_sort_range(r, last, from, to, count, w, shift, move, bucket);
        for (size_t b = 0, start = 0; moved && b < buckets; start = bucket[b++])
            if (bucket[b] > start)
                sparse_p_sort_range(r, last, to + start * stride, from + start * stride, bucket[b] - start, w,
                                    shift, !move, bucket + buckets);
    }
}

/* Sorts the records; equal ones stay in the order in which they came. Only fields by which they are not
   in order already cost time: none if the entries come sorted, the columns from CSR to CSC. */
static inline sparse_result sparse_p_sort(sparse_p_records *r)
{
    const size_t count = r->buffer.length, record = (r->words + 1) * sizeof(uint64_t);
    const unsigned first = sparse_p_sorted_from(r);
    const unsigned widest = sparse_p_digit(count < 4096 ? count : 4096);
    size_t bits = 0; /* of a key, which go by digits of `widest` or less, each with its own buckets */
    if (first == 0) return SPARSE_OK;
    for (unsigned w = 0; w < r->words; w++) bits += r->used[w];
    sparse_buffer spare = {NULL, 0, 0}, buckets = {NULL, 0, 0};
    sparse_result result = sparse_p_allocate(r->hooks, &spare, count, record);
    if (!result)
        result = sparse_p_allocate(r->hooks, &buckets, (bits / widest + r->words) << widest, sizeof(size_t));
    if (!result)
        sparse_p_sort_range(r, first - 1, (uint64_t *)r->buffer.at, (uint64_t *)spare.at, count, r->words - 1,
                            r->used[r->words - 1], false, (size_t *)buckets.at);
    sparse_p_release(r->hooks, &buckets, sizeof(size_t));
    sparse_p_release(r->hooks, &spare, record);
    return result;
}

/* >>packing
   Sorted records become a tensor in two phases. The first counts, for every level, the records that
   differ from the one before in that level first: sizes of arrays and all that can be wrong follow.
   The second fills the arrays, a chunk of records at a time and level by level, each level turning the
   positions of the chunk's records in the level above into those in the level itself. */

/* What becomes of a second value at the same coordinates: acc = acc (+) v. */
typedef void sparse_combine(void *acc, const void *v, void *context);

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

enum { SPARSE_P_CHUNK = 256 };

/* Packing of sorted records into t. */
typedef struct sparse_p_packer {
    sparse_tensor *t;
    const sparse_p_records *r;
    sparse_p_policy policy;
    size_t positions[SPARSE_MAX_LEVELS + 1]; /* [l]: above level l, [levels]: of the values */
    unsigned fresh[SPARSE_MAX_LEVELS]; /* a record that differs in a field below this has a new position */
    size_t next[SPARSE_MAX_LEVELS];    /* the position that comes next */
    size_t started[SPARSE_MAX_LEVELS]; /* positions above whose start is in pos */
    size_t first, count;               /* the chunk: records, */
    size_t at[SPARSE_P_CHUNK];         /* their positions in the level at hand, */
    uint8_t differs[SPARSE_P_CHUNK];   /* and sparse_p_difference of each */
} sparse_p_packer;

/* Goes to the chunk of records from `first` on; false if there are none. */
static inline bool sparse_p_take_chunk(sparse_p_packer *p, size_t first)
{
    const size_t rest = p->r->buffer.length - first, most = SPARSE_P_CHUNK, before = first > 0;
    p->first = first;
    p->count = rest < most ? rest : most;
    memset(p->differs, 0, sizeof p->differs);
    for (unsigned f = 0; p->count > 0 && f < p->r->fields; f++) {
        const sparse_p_lane lane = sparse_p_lane_of(p->r, first - before, f);
        for (size_t i = 1 - before; i < p->count; i++) {
            const bool same = sparse_p_get(lane, i + before) == sparse_p_get(lane, i + before - 1);
            p->differs[i] = (uint8_t)(p->differs[i] + (same && p->differs[i] == f));
        }
    }
    return p->count > 0;
}

/* tally[f] = the records that differ from the one before in field f first; [levels]: in none. Also,
   most = the largest number of coordinates below one position of the last level. */
static inline void sparse_p_tally(sparse_p_packer *p, size_t *tally, size_t *most)
{
    const unsigned last = p->t->encoding->levels - 1u;
    size_t siblings = 0;
    for (size_t first = 0; sparse_p_take_chunk(p, first); first += p->count)
        for (size_t i = 0; i < p->count; i++) {
            const unsigned d = p->differs[i];
            tally[d]++;
            siblings = d < last ? 1 : siblings + (d == last);
            if (siblings > *most) *most = siblings;
        }
}

/* The positions of level l: one for every distinct prefix of the coordinates, down to l, or to the last
   level if all levels below share the positions of l. E_FULL if the level can hold no more of them. */
static inline sparse_result sparse_p_count_level(sparse_p_packer *p, unsigned l, const size_t *tally,
                                                 size_t most)
{
    const sparse_encoding *e = p->t->encoding;
    const sparse_level *v = &e->level[l];
    size_t *positions = &p->positions[l + 1];
    p->fresh[l] = l + 1;
    if (v->format == SPARSE_DENSE || v->format == SPARSE_STRUCTURED) {
        const size_t below_each = v->format == SPARSE_DENSE ? p->t->lvl[l] : v->n;
        if (v->format == SPARSE_STRUCTURED && most > v->n) return SPARSE_E_FULL;
        return sparse_p_mul(positions, p->positions[l], below_each) ? SPARSE_OK : SPARSE_E_OVERFLOW;
    }
    if (sparse_p_run_end(e, l) == e->levels) {
        p->fresh[l] = e->levels + p->policy.keep; /* if all are kept, even one that differs in no field */
        for (unsigned f = sparse_p_first_unique(e, l) + 1; f < p->fresh[l]; f++)
            if (tally[f] > 0) return SPARSE_E_FULL; /* that level would have to repeat a coordinate */
    }
    *positions = 0;
    for (unsigned f = 0; f < p->fresh[l]; f++) *positions += tally[f];
    return sparse_p_has_pos(v) && *positions > sparse_p_max(e->pos_bits) ? SPARSE_E_POSITION_WIDTH
                                                                         : SPARSE_OK;
}

/* The positions of every level. */
static inline sparse_result sparse_p_count_positions(sparse_p_packer *p)
{
    const unsigned levels = p->t->encoding->levels;
    size_t tally[SPARSE_MAX_LEVELS + 1] = {0}, most = 0;
    sparse_result result = SPARSE_OK;
    sparse_p_tally(p, tally, &most);
    if (tally[levels] > 0 && !p->policy.keep && !p->policy.combine) result = p->policy.error;
    p->positions[0] = 1;
    for (unsigned l = 0; !result && l < levels; l++) result = sparse_p_count_level(p, l, tally, most);
    return result;
}

/* The arrays of all levels, for the positions that were counted. */
static inline sparse_result sparse_p_allocate_arrays(sparse_p_packer *p)
{
    sparse_tensor *t = p->t;
    const sparse_encoding *e = t->encoding;
    sparse_result result = sparse_p_allocate(t->hooks, &t->val, p->positions[e->levels], e->value_size);
    for (unsigned l = 0; !result && l < e->levels; l++) {
        const sparse_level *v = &e->level[l];
        size_t pos_length = 0, crd_length = 0;
        if (sparse_p_has_pos(v) && !sparse_p_pos_length(v, p->positions[l], &pos_length))
            return SPARSE_E_OVERFLOW;
        if (sparse_p_has_crd(v) && !sparse_p_is_aos(e, l) &&
            !sparse_p_mul(&crd_length, p->positions[l + 1], sparse_p_crd(e, t, l).stride))
            return SPARSE_E_OVERFLOW;
        result = sparse_p_allocate(t->hooks, &t->pos[l], pos_length, e->pos_bits / 8u);
        if (!result) result = sparse_p_allocate(t->hooks, &t->crd[l], crd_length, e->crd_bits / 8u);
    }
    return result;
}

/* pos of level l, in order: position `parent` of the level above begins at `start`, where the one
   before it ends. */
SPARSE_P_INLINE void sparse_p_put_start(const sparse_p_packer *p, unsigned l, size_t parent, size_t start)
{
    void *pos = p->t->pos[l].at;
    const unsigned bits = p->t->encoding->pos_bits;
    if (p->t->encoding->level[l].format == SPARSE_COMPRESSED)
        sparse_store(pos, bits, parent, start);
    else {
        if (parent < p->positions[l]) sparse_store(pos, bits, 2 * parent, start);
        if (parent > 0) sparse_store(pos, bits, 2 * parent - 1, start);
    }
}

/* A chunk in dense level l. */
static inline void sparse_p_put_dense(sparse_p_packer *p, unsigned l)
{
    const size_t size = p->t->lvl[l];
    const sparse_p_lane lane = sparse_p_lane_of(p->r, p->first, l);
    for (size_t i = 0; i < p->count; i++) p->at[i] = p->at[i] * size + sparse_p_get(lane, i);
}

/* A chunk in compressed or loose level l: its positions. */
static inline void sparse_p_put_positions(sparse_p_packer *p, unsigned l)
{
    const unsigned fresh = p->fresh[l];
    size_t next = p->next[l], started = p->started[l];
    for (size_t i = 0; i < p->count; i++) {
        if (p->differs[i] < fresh) {
            for (; started <= p->at[i]; started++) sparse_p_put_start(p, l, started, next);
            next++;
        }
        p->at[i] = next - 1;
    }
    p->next[l] = next;
    p->started[l] = started;
}

/* A chunk in compressed, loose or singleton level l: its coordinates. */
static inline void sparse_p_put_coordinates(const sparse_p_packer *p, unsigned l)
{
    const unsigned bits = p->t->encoding->crd_bits;
    const size_t count = p->count;
    const sparse_p_column c = sparse_p_crd(p->t->encoding, p->t, l);
    const sparse_p_lane lane = sparse_p_lane_of(p->r, p->first, l);
    for (size_t i = 0; i < count; i++) sparse_store(c.at, bits, p->at[i] * c.stride, sparse_p_get(lane, i));
}

/* The number of coordinates in the block of structured level l in which record k is the first. */
static inline size_t sparse_p_block_entries(const sparse_p_records *r, size_t k, unsigned l)
{
    size_t entries = 1;
    for (size_t j = k + 1; j < r->buffer.length; j++) {
        const unsigned d = sparse_p_difference(r, j);
        if (d < l) break;
        entries += d == l;
    }
    return entries;
}

/* Structured level l up to position `end`: padding. It has the least coordinates that are not stored, so
   that everything before it in its block counts up from 0, and so does it. */
static inline void sparse_p_put_padding(sparse_p_packer *p, unsigned l, size_t end)
{
    const size_t n = p->t->encoding->level[l].n;
    for (; p->next[l] < end; p->next[l]++)
        sparse_store(p->t->crd[l].at, p->t->encoding->crd_bits, p->next[l], p->next[l] % n);
}

/* A chunk in structured level l: the coordinates of each block in order, filled up to n. `started` says
   how many are still to be filled up in the current block; its end is left to the next one. */
static inline void sparse_p_put_structured(sparse_p_packer *p, unsigned l)
{
    const size_t n = p->t->encoding->level[l].n;
    const sparse_p_lane lane = sparse_p_lane_of(p->r, p->first, l);
    for (size_t i = 0; i < p->count; i++) {
        const size_t begin = p->at[i] * n, coordinate = sparse_p_get(lane, i);
        if (p->differs[i] < l) {
            sparse_p_put_padding(p, l, begin);
            p->started[l] = n - sparse_p_block_entries(p->r, p->first + i, l);
        }
        if (p->differs[i] <= l) {
            const size_t gap = coordinate - (p->next[l] - begin);
            const size_t padding = gap < p->started[l] ? gap : p->started[l];
            sparse_p_put_padding(p, l, p->next[l] + padding);
            p->started[l] -= padding;
            sparse_store(p->t->crd[l].at, p->t->encoding->crd_bits, p->next[l]++, coordinate);
        }
        p->at[i] = p->next[l] - 1;
    }
}

/* The values of a chunk. */
static inline void sparse_p_put_values(const sparse_p_packer *p)
{
    const size_t size = p->t->encoding->value_size;
    const unsigned fresh = p->fresh[p->t->encoding->levels - 1];
    for (size_t i = 0; i < p->count; i++) {
        char *to = (char *)p->t->val.at + p->at[i] * size;
        const void *value = sparse_p_value(p->r, p->first + i);
        if (p->differs[i] < fresh)
            sparse_p_move(to, value, size);
        else
            p->policy.combine(to, value, p->policy.context);
    }
}

/* A chunk in level l. */
static inline void sparse_p_put_level(sparse_p_packer *p, unsigned l)
{
    const uint8_t format = p->t->encoding->level[l].format;
    if (format == SPARSE_DENSE)
        sparse_p_put_dense(p, l);
    else if (format == SPARSE_STRUCTURED)
        sparse_p_put_structured(p, l);
    else {
        if (format != SPARSE_SINGLETON) sparse_p_put_positions(p, l);
        sparse_p_put_coordinates(p, l);
    }
}

/* What level l needs after the last chunk: the starts that follow the last position, the last padding. */
static inline void sparse_p_finish_level(sparse_p_packer *p, unsigned l)
{
    const sparse_level *v = &p->t->encoding->level[l];
    const size_t parents = p->positions[l];
    if (v->format == SPARSE_STRUCTURED) sparse_p_put_padding(p, l, p->positions[l + 1]);
    if (!sparse_p_has_pos(v)) return;
    for (size_t above = p->started[l]; above < parents; above++) sparse_p_put_start(p, l, above, p->next[l]);
    sparse_p_put_start(p, l, parents, p->next[l]); /* apart: for `<=`, clang 14 drops an overflow check */
}

/* t, of which only the sizes are there yet, = the records, in any order. Closes their list. */
static inline sparse_result sparse_p_build(sparse_tensor *t, sparse_p_records *r, sparse_p_policy policy)
{
    sparse_p_packer p;
    const unsigned levels = t->encoding->levels;
    const uint8_t last = t->encoding->level[levels - 1].format;
    memset(&p, 0, sizeof p);
    p.t = t;
    p.r = r;
    p.policy = policy;
    sparse_result result = sparse_p_sort(r);
    if (!result) result = sparse_p_count_positions(&p);
    if (!result) result = sparse_p_allocate_arrays(&p);
    if (!result) {
        if (last == SPARSE_DENSE || last == SPARSE_STRUCTURED)
            sparse_zero(t); /* not every value is an entry */
        for (size_t first = 0; sparse_p_take_chunk(&p, first); first += p.count) {
            memset(p.at, 0, sizeof p.at);
            for (unsigned l = 0; l < levels; l++) sparse_p_put_level(&p, l);
            sparse_p_put_values(&p);
        }
        for (unsigned l = 0; l < levels; l++) sparse_p_finish_level(&p, l);
    }
    sparse_p_records_close(r);
    if (result) sparse_free(t);
    return result;
}

/* Gives t its sizes, and opens a list for `count` of its entries. */
static inline sparse_result sparse_p_start(sparse_tensor *t, const size_t *dim, size_t count,
                                           sparse_p_records *r)
{
    sparse_result result = sparse_resize_dims(t, dim);
    if (!result)
        result =
            sparse_p_records_open(r, t->hooks, t->encoding->levels, t->lvl, t->encoding->value_size, count);
    if (result) sparse_free(t);
    return result;
}

static inline sparse_result sparse_p_pack(sparse_tensor *t, const size_t *dim, size_t count,
                                          const size_t *coordinates, const void *values,
                                          sparse_p_policy policy)
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
        sparse_p_append(&r, lvl, (const char *)values + k * t->encoding->value_size);
    }
    return sparse_p_build(t, &r, policy);
}

/* t = the tensor of sizes dim[0..rank) whose entries are values[k], of the encoding's value type, at
   coordinates[k * rank ...], for k < count, in any order. Zeros are stored like any other value.
   Linear time; t owns its arrays. Errors: E_COORDINATE; E_DUPLICATE; E_VALUE_TYPE for a sum of opaque
   values; E_FULL if a singleton or structured level cannot hold the entries; E_POSITION_WIDTH,
   E_COORDINATE_WIDTH, E_OVERFLOW, E_MEMORY; those of sparse_encoding_check. */
static inline sparse_result sparse_pack(sparse_tensor *t, const size_t *dim, size_t count,
                                        const size_t *coordinates, const void *values, sparse_duplicates how)
{
    const sparse_result result = t ? sparse_encoding_check(t->encoding) : SPARSE_E_NULL;
    if (result) return result;
    return sparse_p_pack(t, dim, count, coordinates, values, sparse_p_policy_of(t->encoding, how));
}

/* As sparse_pack; of values with the same coordinates, the first is combined with each of the others
   in the order in which they come: combine(first, other, context). */
static inline sparse_result sparse_pack_with(sparse_tensor *t, const size_t *dim, size_t count,
                                             const size_t *coordinates, const void *values,
                                             sparse_combine *combine, void *context)
{
    sparse_p_policy policy = {combine, context, false, SPARSE_E_DUPLICATE};
    if (!t || !combine) return SPARSE_E_NULL;
    return sparse_p_pack(t, dim, count, coordinates, values, policy);
}

/* *volume = the product of the sizes. */
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
            sparse_p_append(&r, lvl, value + k * e->value_size);
        }
        for (unsigned d = e->rank; d-- > 0 && ++i[d] == t->dim[d];) i[d] = 0;
    }
    return sparse_p_build(t, &r, sparse_p_policy_of(e, SPARSE_DUPLICATES_ERROR));
}

/* values = t, the last dimension fastest, in the caller's array of as many elements as the product of
   the sizes of t. What is not stored is zero; entries with the same coordinates are added up, or the
   last of them holds if they are opaque. */
static inline sparse_result sparse_unpack_dense(const sparse_tensor *t, void *values)
{
    size_t volume, bytes;
    sparse_result result = sparse_p_check_source(t);
    if (!result) result = sparse_p_volume(t->encoding->rank, t->dim, &volume);
    if (result) return result;
    const sparse_encoding *e = t->encoding;
    if (!sparse_p_mul(&bytes, volume, e->value_size)) return SPARSE_E_OVERFLOW;
    if (bytes == 0) return SPARSE_OK;
    if (!values) return SPARSE_E_NULL;
    bool repeats = false;
    for (unsigned l = 0; l < e->levels; l++) repeats |= (e->level[l].properties & SPARSE_NONUNIQUE) != 0;
    sparse_combine *put = repeats && e->kind != SPARSE_OPAQUE ? sparse_p_sum : sparse_p_replace;
    memset(values, 0, bytes);
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
static inline sparse_result sparse_unpack(const sparse_tensor *t, size_t *coordinates, void *values,
                                          size_t *count)
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
        sparse_p_append(&r, lvl, c.value);
    }
    const sparse_p_policy keep = sparse_p_policy_of(e, SPARSE_DUPLICATES_KEEP);
    return sparse_p_build(dst, &r, keep.keep ? keep : sparse_p_policy_of(e, SPARSE_DUPLICATES_SUM));
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
        if (!sparse_p_is_close(e, in_a ? a.value : b.value, in_a && in_b ? b.value : NULL, tolerance))
            return false;
        if (in_a) sparse_next(&a);
        if (in_b) sparse_next(&b);
    }
    return true;
}

/* *equal = have a and b the same rank, value type and sizes, and equal values everywhere, up to
   |x - y| <= tolerance * max(1, |x|, |y|), no matter how they store them? Opaque values must have the
   same bytes; those with the same coordinates cannot be added up: E_VALUE_TYPE. Needs memory, from the
   hooks of a: E_MEMORY. */
static inline sparse_result sparse_equal(const sparse_tensor *a, const sparse_tensor *b, double tolerance,
                                         bool *equal)
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

/* Is b an array of `length` numbers of so many bits, as far as one can tell? */
static inline bool sparse_p_is_array(const sparse_buffer *b, size_t length, unsigned bits)
{
    if (b->length != length || (b->capacity > 0 && b->capacity < length)) return false;
    return length == 0 || (b->at && (uintptr_t)b->at % sparse_p_alignment(bits) == 0);
}

/* The position that record k was made for: its value. */
static inline size_t sparse_p_origin(const sparse_p_records *r, size_t k)
{
    uint64_t p;
    memcpy(&p, sparse_p_value(r, k), sizeof p);
    return (size_t)p;
}

/* pos of compressed level l: from 0, never down, to the number of positions. */
static inline sparse_result sparse_p_check_compressed(const sparse_tensor *t, unsigned l, size_t positions,
                                                      sparse_report *where)
{
    const size_t length = t->pos[l].length;
    uint64_t before = 0;
    for (size_t p = 0; p < length; p++) {
        const uint64_t start = sparse_p_load(t->pos[l].at, t->encoding->pos_bits, p);
        const bool first = p == 0, last = p + 1 == length;
        if (start < before || start > positions || (first && start != 0) || (last && start != positions))
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
    sparse_result result = sparse_p_records_open(&r, t->hooks, 1, &positions, sizeof(uint64_t), parents);
    if (result) return result;
    for (uint64_t p = 0; p < parents; p++) {
        sparse_level_enter(&i, (size_t)p, (size_t)p + 1);
        if (sparse_level_valid(&i)) sparse_p_append(&r, &i.position, &p);
    }
    result = sparse_p_sort(&r);
    for (size_t k = 0, end = 0; !result && k < r.buffer.length; k++, end = i.end) {
        const size_t p = sparse_p_origin(&r, k);
        sparse_level_enter(&i, p, p + 1);
        if (i.position < end) result = sparse_p_report(where, SPARSE_E_POSITIONS, "pos", l, 2 * p);
    }
    sparse_p_records_close(&r);
    return result;
}

/* pos of loose level l: intervals within the positions, and disjoint. */
static inline sparse_result sparse_p_check_loose(const sparse_tensor *t, unsigned l, size_t parents,
                                                 size_t positions, sparse_report *where)
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
static inline sparse_result sparse_p_check_position(const sparse_tensor *t,
                                                    const sparse_level_iterator *level, unsigned l,
                                                    unsigned end, size_t p, bool first, sparse_report *where)
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
    sparse_result result = sparse_p_records_open(&r, t->hooks, fields, size, sizeof(uint64_t), positions);
    if (result) return result;
    for (at[0] = 0; at[0] < parents; at[0]++)
        for (sparse_level_enter(&i, at[0], at[0] + 1); sparse_level_valid(&i); sparse_level_next(&i)) {
            for (unsigned k = l; k < end; k++) at[1 + k - l] = sparse_p_coordinate(&level[k], i.position);
            const uint64_t p = i.position;
            sparse_p_append(&r, at, &p);
        }
    result = sparse_p_sort(&r);
    for (size_t k = 1; !result && k < r.buffer.length; k++)
        if (sparse_p_difference(&r, k) == fields)
            result = sparse_p_report(where, SPARSE_E_ORDER, "crd", end - 1, sparse_p_origin(&r, k));
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
    const unsigned unique = sparse_p_first_unique(e, l);
    bool ordered = true; /* levels l to unique */
    if (positions == 0) return SPARSE_OK;
    for (unsigned k = l; k < end; k++) level[k] = sparse_level_open(e, t, k);
    sparse_level_iterator i = sparse_level_open(e, t, l);
    for (size_t parent = 0; parent < parents; parent++) {
        bool first = true;
        for (sparse_level_enter(&i, parent, parent + 1); sparse_level_valid(&i); sparse_level_next(&i)) {
            sparse_result result = sparse_p_check_position(t, level, l, end, i.position, first, where);
            if (result) return result;
            first = false;
        }
    }
    for (unsigned k = l; k <= unique && k < end; k++)
        ordered = ordered && !(e->level[k].properties & SPARSE_NONORDERED);
    if (ordered || unique >= end) return SPARSE_OK;
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
    if (v->format == SPARSE_DENSE)
        fits = sparse_p_mul(positions, parents, t->lvl[l]);
    else if (v->format == SPARSE_SINGLETON)
        crd_length = sparse_p_is_aos(e, l) ? 0 : parents;
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
    if (format == SPARSE_COMPRESSED) result = sparse_p_check_compressed(t, l, positions, where);
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

/* The arrays of a tensor, in the storage that its encoding asks for: see sparse_tensor. */
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
    if (result)
        sparse_free(t);
    else if (ownership == SPARSE_BORROW)
        *t = view;
    else
        result = sparse_copy(t, &view);
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
