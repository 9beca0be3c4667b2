/* sparse_io.h: sparse tensors from files, to files, and on paper.

   This is the only header of the sparse kit that includes <stdio.h>. It reads and writes the common file formats of
   sparse tensors, prints the arrays of a tensor and draws its nonzeros. Files are not trusted. Whatever bytes a file has,
   reading ends in one of two ways: with a valid tensor, or with a sparse_result and a sentence that names the line and
   column, or the byte, of the error. Whatever sizes a header states, the memory that reading takes is limited by the
   length of the file (option expansion). Numbers are rounded correctly, and the locale has no influence.

       #include "sparse.h"
       #include "sparse_io.h"

       #define CSR csr, SPARSE_CSR, double, 32, 32
       SPARSE_TENSOR(CSR)

       int main(int argc, char **argv)
       {
           csr A = SPARSE_INIT(csr);
           sparse_io_error error;
           sparse_read_options options = {0};
           options.error = &error;
           if (argc < 2 || sparse_read(&A.t, argv[1], &options) != SPARSE_OK) {
               fprintf(stderr, "%s\n", argc < 2 ? "usage: show matrix.mtx" : error.message);
               return 1; // matrix.mtx:7:3: the coordinate "9" is beyond its dimension, of size 4
           }
           sparse_print(&A.t, stdout);
           sparse_free(&A.t);
           return 0;
       }

   sparse_read(t, path, options)                  reads a file into a tensor, whose encoding is already set
   sparse_read_memory(t, text, length, options)   reads a text in memory into a tensor
   sparse_write(t, path, options)                 writes a tensor to a file, completely or not at all
   sparse_write_stream(t, out, options)           writes a tensor to an open stream
   sparse_print(t, out)                           prints the arrays of a tensor, as sparse_tensor.print of MLIR does
   sparse_print_grid(t, out)                      prints the elements in rows and columns, as NumPy prints an array
   sparse_spy(t, path)                            draws the nonzeros of a matrix as an SVG picture
   sparse_draw_storage(t, path)                   draws the levels and arrays of a tensor as an SVG picture
   sparse_map_file(mapping, path, error)          maps a file into memory, for sparse_read_memory
   sparse_unmap_file(mapping)                     ends the mapping
   sparse_parse_encoding(text, encoding, error)   reads an encoding: (i, j) -> (i : dense, j : compressed)
   sparse_print_encoding(encoding, out)           prints an encoding in this notation

   FORMAT               FILES            RECOGNISED BY   CONTENTS
   _MATRIX_MARKET       .mtx .mm .ttx    its banner      everything; also TACO's object `tensor`
   _FROSTT              .tns             its columns     ranks 1 to 8; has no sizes, so empty last rows are lost
   _FROSTT_EXTENDED     .xtns            its first line  FROSTT with a header: rank and sizes
   _SMTX                .smtx            its offsets     DLMC: a pattern by rows, which counts from 0
   ---------------------------------------------------------------------------------------------------------------
   _BOEING              .rb .hb .rua ..  lines 3 and 4   Harwell-Boeing and Rutherford-Boeing: all matrix types (RUA,
                                                         RSA, PSE, ...) except Q; written as Rutherford-Boeing
   _NPY                 .npy             its first bytes NumPy: a dense array of bool, int, float or complex values, in
                                                         row-major or column-major order
   _NPZ                 .npz             its first bytes reads CSR, CSC, BSR, COO and DIA of SciPy, and PyData/Sparse;
                                                         writes CSR and CSC
   _BINSPARSE           .bsp.npz         its descriptor  Binsparse 0.1 in .npz, everything; written with the arrays of the
                                                         tensor. If Binsparse has no such format, the tensor is
                                                         converted, and the message says so
   _HDF5                .h5 .hdf5        its first bytes Binsparse in HDF5; define SPARSE_HDF5 as 1, link with -lhdf5
   _SPTENSOR            .sptensor        its first word  Tensor Toolbox and pyttb; GenTen with the option zero_based
   _METIS               .graph .metis    its counts      a graph, by rows; written if it is symmetric without a diagonal
   _EDGES               .edges .el ..    SNAP's comments a square matrix of lines "from to weight"; vertices count from 0,
                                         or its columns  in files of KONECT from 1
   _CSV                 .csv .tsv        two lines alike coordinates and value; the first line may name the columns
   _TABLE               .table, also     its columns     rows of numbers, as NumPy's savetxt writes them
                        .csv .tsv

   FORMAT is the name of an enumerator of sparse_file_format without the prefix SPARSE_FILE. Every program reads and
   writes the formats above the line. A program has the others if it defines SPARSE_FILES_ALL as 1 before it includes the
   kit, or if it defines SPARSE_IMPLEMENTATION (>>linkage in sparse_formats.h); they take the compiler half a second more.

   Any file may be compressed with gzip (x.mtx.gz), and a .npz file may be compressed, if the program defines SPARSE_ZLIB
   as 1 and is linked with -lz. Files compressed with zstd, xz, bzip2, lz4 or compress are refused with a sentence that
   names the program. Each format has one row in SPARSE_P_FILE_FORMATS and one section below.

   If neither the text nor the file name determines the format, and all lines have equally many numbers, their count
   decides. Two numbers are an edge; four or more are an entry of a tensor. Three numbers may be an entry of a matrix, from
   1, or an edge with a weight, from 0. If no coordinate in the first 64 KiB is 0, such a file is refused; set the option
   format.

   A .csv file may contain entries or a table. For a vector, one number per line is a table, and several numbers per line
   are entries. For a matrix, a line of more than three numbers that cannot be an entry, of whatever rank, is a row of a
   table. For a higher rank, the lines are entries. If lines for a matrix may be both, the file is refused: set the option
   format, or add a first line with names such as row,column,value.

   The options may be null. Null, or a zeroed structure, selects the defaults.

   READ OPTION      DEFAULT  MEANING
   format           auto     the format of the file. Auto looks at the contents, then at the extension of the name,
                             then at the number of columns
   lenient          false    true accepts frequent mistakes:
                             - %MatrixMarket, and blanks or a byte-order mark before the banner
                             - text after the value of a Matrix Market entry
                             - exponents in Fortran notation (1.5D+01)
                             - entries above the diagonal of a symmetric file, which are read as their mirror images.
                               If an entry and its mirror image are both there, they must agree and count once
                             - Harwell-Boeing files that claim symmetry but store both triangles, that state wrong
                               numbers of lines, or whose fields are separated by blanks instead of by width
   stored_half      false    symmetric, skew-symmetric and Hermitian files are expanded to both triangles. True keeps
                             only the triangle that the file stores, for kernels with symmetric(), skew() or hermitian()
   symmetry         null     receives the symmetry that the file states. If it is general, the matrix is complete in
                             spite of stored_half; so it is in formats that cannot state a symmetry, such as edges
   duplicates       sum      what to do with entries at the same coordinates, as in sparse_pack_untyped. An assembled
                             Harwell-Boeing file must not have such entries
   drop_zeros       false    true leaves out zeros that the file contains, before duplicates are summed. False stores
                             them, also those of array files
   allow_overflow   false    a number that is too large for the type (1E9999, or 1e99 for float) is the error
                             SPARSE_E_VALUE_RANGE; true reads it as infinity. Numbers that are too small are rounded to
                             0 in both cases. An integer that does not fit is always an error
   zero_based       false    true: the coordinates of the file count from 0 (in .smtx files they always do)
   one_based        false    true: the vertices of a list of edges count from 1. False: they count from 0, or from 1 in a
                             file of KONECT. If no vertex is 0 then, the read succeeds and error.message warns
   dim              null     the sizes, for a format that does not state them, such as .tns. Null takes the largest
                             coordinates, which loses empty rows at the end
   expansion        250      a limit against malicious files. A compressed file may expand to 1 MiB plus this many times
                             its bytes. A tensor may take 1 GiB plus this many times the bytes of its text; a short file
                             exceeds that if it states very many rows and the encoding stores a position for each
   comments         null     an array of `comments_size` characters. It receives the comments at the beginning of the
                             text, one per line, or the title; cut if it is too small, and terminated with a zero
   borrow           false    true: sparse_read_memory makes a tensor that uses the arrays of the text in place. The text
                             must be an uncompressed .npz file that has exactly the arrays of the encoding, aligned;
                             anything else is refused. The text must live longer than the tensor. If the text is
                             read-only, so is the tensor
   unchecked        false    true: the contents of borrowed arrays are not checked, so a large file opens as fast as a
                             small one. Sizes are still checked. sparse_validate checks the contents
   threads          one      how many threads read a text with many entries, in a program compiled with OpenMP. The
                             result does not depend on it
   progress         null     a function that is called now and then with `progress_context`, the bytes read so far, and
                             the total bytes to read (0 if unknown; more than the size of a file that is read twice). If
                             it returns false, reading ends with SPARSE_E_STOPPED
   error            null     receives a sentence about the error, with its position

   WRITE OPTION     DEFAULT  MEANING
   format           auto     the format. Auto: the extension of the name decides; a stream gets Matrix Market
   symmetry         general  SPARSE_SYMMETRY_SYMMETRIC, _SKEW or _HERMITIAN writes only the lower triangle of the matrix,
                             and refuses a matrix without this symmetry. For Matrix Market, Rutherford-Boeing, Binsparse
   stored_half      false    true: the matrix stores one triangle only, for symmetric(), skew() or hermitian(), and that
                             triangle is written. It must be the lower one, except for Binsparse. A matrix with entries
                             in both triangles is refused
   pattern          false    true leaves out the values, and the zeros of a dense last level. For Matrix Market,
                             Rutherford-Boeing, .smtx, METIS, .csv, edges, Binsparse
   zero_based       false    true writes coordinates that count from 0. For FROSTT, sptensor, .csv
   durable          false    true makes sparse_write wait until the file and its name are on the disk (fsync), so that a
                             loss of power cannot destroy them. On Unix-like systems only
   comments         null     a text whose lines are written as comments, if the format has comments
   error            null     receives a sentence about the error

   Values are converted to the value type of the tensor. A pattern entry becomes 1; a real number becomes a complex one; a
   complex number for a real type is refused. A real number goes into an integer type if it is an integer. If the file
   announces integers, even 2.0 is refused for an integer type. A `vector`, or a matrix of one column, can be read into a
   tensor of rank 1 or 2. The imaginary part on the diagonal of a Hermitian matrix is kept. Writing .npz, .rb, .smtx and
   METIS adds up entries at the same coordinates.

   Contents (search for the anchors)
     >>options    sparse_read_options, sparse_write_options, sparse_io_error
     >>files      declarations of sparse_read, sparse_write and the others; the implementation follows (see >>linkage in
                  sparse_formats.h)
     >>numbers    decimal text to binary numbers, correctly rounded, and back
     >>sources    where bytes come from: memory, files
     >>gzip       decompression through zlib: SPARSE_ZLIB
     >>storing    how entries get into a tensor
     >>reader     a window of the text, positions of errors, lines and words
     >>entries    collecting coordinates and values
     >>market     Matrix Market
     >>frostt     FROSTT and extended FROSTT
     >>smtx       DLMC
     >>sptensor   the text of Tensor Toolbox and pyttb
     >>edges      lists of edges: SNAP
     >>csv        comma-separated values
     >>table      rows of numbers
     >>metis      METIS
     >>boeing     Harwell-Boeing and Rutherford-Boeing
     >>numpy      .npy and .npz
     >>hdf5       arrays in a file of HDF5, through its library: SPARSE_HDF5
     >>binsparse  Binsparse in .npz and HDF5
     >>read       sparse_read, sparse_read_memory
     >>write      sparse_write, sparse_write_stream
     >>print      sparse_print, sparse_print_grid
     >>spelling   sparse_parse_encoding, sparse_print_encoding
     >>pictures   sparse_spy, sparse_draw_storage
*/
#ifndef SPARSE_IO_H
#define SPARSE_IO_H

#include <float.h>
#include <stdarg.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#if defined(__unix__) || defined(__APPLE__)
    #define SPARSE_P_POSIX 1
    #include <sys/stat.h>
    #include <sys/types.h>
    #ifdef __cplusplus
        #include <unistd.h>
    #else
/* These functions are declared here for two reasons: with -std=c11, the headers of the system leave some of them out, and
   <unistd.h> declares many other names that a program may use. */
int fileno(FILE *);
int fsync(int);
ssize_t readlink(const char *, char *, size_t);
    #endif
#else
    #define SPARSE_P_POSIX 0
#endif

#include "sparse_formats.h"
#if SPARSE_TERSE && defined(__GNUC__)
    #pragma GCC system_header
#endif

/* By default, a program that defines SPARSE_IMPLEMENTATION has all formats, because it compiles them only once. */
#ifndef SPARSE_FILES_ALL
    #ifdef SPARSE_IMPLEMENTATION
        #define SPARSE_FILES_ALL 1
    #else
        #define SPARSE_FILES_ALL 0
    #endif
#endif
#ifndef SPARSE_ZLIB
    #define SPARSE_ZLIB 0
#endif
#ifndef SPARSE_MMAP
    #define SPARSE_MMAP 0
#endif
#ifndef SPARSE_HDF5
    #define SPARSE_HDF5 0
#endif
#if SPARSE_P_IS_SWITCH(SPARSE_FILES_ALL) * SPARSE_P_IS_SWITCH(SPARSE_ZLIB) * SPARSE_P_IS_SWITCH(SPARSE_MMAP) *              \
        SPARSE_P_IS_SWITCH(SPARSE_HDF5) !=                                                                                  \
    1
    #error "SPARSE_FILES_ALL, SPARSE_ZLIB, SPARSE_MMAP and SPARSE_HDF5 have to be 0 or 1"
#endif
#if SPARSE_MAX_LEVELS >= 2 && SPARSE_MAX_LEVELS < 8
    #error "sparse_io.h needs SPARSE_MAX_LEVELS 8, as files have tensors of any rank"
#endif
#if SPARSE_HDF5
    #include <hdf5.h>
#endif
#if SPARSE_MMAP && !SPARSE_P_POSIX
    #error "SPARSE_MMAP is for systems with mmap, as POSIX has it"
#elif SPARSE_MMAP
    #include <sys/mman.h>
#endif
#if SPARSE_ZLIB
    #include <zlib.h>
#endif

#if FLT_RADIX != 2 || DBL_MANT_DIG != 53 || FLT_MANT_DIG != 24
    #error sparse_io.h: float and double must be the binary32 and binary64 of IEEE 754
#endif

/* >>options */

/* The file formats, one per row: name, extensions, the character that starts a comment (0: none), and three functions.
   The first function recognises the format by the beginning of the text; is_none never does, so its format is recognised
   by the file name or by the number of columns. The second function reads, the third one writes. To add a format, add a
   row here and a section below. Every program has the formats of the X rows; the Y rows need SPARSE_FILES_ALL. */
#define SPARSE_P_FILE_FORMATS(X, Y)                                                                                         \
    X(SPARSE_FILE_MATRIX_MARKET, ".mtx .mm .ttx", '%', is_market, read_market, write_market)                                \
    X(SPARSE_FILE_FROSTT_EXTENDED, ".xtns", '#', is_extended, read_extended, write_extended)                                \
    X(SPARSE_FILE_FROSTT, ".tns", '#', is_none, read_frostt, write_frostt)                                                  \
    X(SPARSE_FILE_SMTX, ".smtx", '%', is_smtx, read_smtx, write_smtx)                                                       \
    Y(SPARSE_FILE_BOEING, ".rb .hb .rua .rsa .rra .rse .pua .psa .pse .cua .csa", 0, is_boeing, read_boeing, write_boeing)  \
    Y(SPARSE_FILE_NPY, ".npy", 0, is_npy, read_npy, write_npy)                                                              \
    Y(SPARSE_FILE_NPZ, ".npz", 0, is_npz, read_npz, write_npz)                                                              \
    Y(SPARSE_FILE_BINSPARSE, ".bsp.npz", 0, is_none, read_binsparse, write_binsparse)                                       \
    Y(SPARSE_FILE_HDF5, ".h5 .hdf5", 0, is_hdf5, read_hdf5, write_hdf5)                                                     \
    Y(SPARSE_FILE_SPTENSOR, ".sptensor", '#', is_sptensor, read_sptensor, write_sptensor)                                   \
    Y(SPARSE_FILE_METIS, ".graph .metis", '%', is_metis, read_metis, write_metis)                                           \
    Y(SPARSE_FILE_EDGES, ".edges .el .wel .snap", '#', is_edges, read_edges, write_edges)                                   \
    Y(SPARSE_FILE_CSV, ".csv .tsv", '#', is_csv, read_csv, write_csv)                                                       \
    Y(SPARSE_FILE_TABLE, ".table", '#', is_none, read_table, write_table)
#define SPARSE_FILE_FORMATS(X) SPARSE_P_FILE_FORMATS(X, X)

#define SPARSE_P_FILE_ENUM(name, extensions, mark, tell, read, write) name,
#define SPARSE_P_FILE_ONE(name, extensions, mark, tell, read, write)  +1
typedef enum sparse_file_format { SPARSE_FILE_AUTO, SPARSE_FILE_FORMATS(SPARSE_P_FILE_ENUM) } sparse_file_format;
enum { SPARSE_P_FILE_COUNT = 1 SPARSE_FILE_FORMATS(SPARSE_P_FILE_ONE) };

/* What went wrong, and where. Line and column count from 1; columns are counted in bytes. If line is 0, the file is
   binary or compressed and column is the number of the byte, from 1. If both are 0, the error has no position. */
typedef struct sparse_io_error {
    sparse_result result;
    size_t line, column;
    char message[352]; /* one sentence: "cage.mtx:17:3: ..."; after success, a warning if there is one */
} sparse_io_error;

/* The symmetry of a matrix: A(j, i) = A(i, j), -A(i, j) or conj(A(i, j)). The order of the enumerators is the order of
   the words in sparse_p_read_banner. */
typedef enum sparse_symmetry {
    SPARSE_SYMMETRY_GENERAL,
    SPARSE_SYMMETRY_SYMMETRIC,
    SPARSE_SYMMETRY_SKEW,
    SPARSE_SYMMETRY_HERMITIAN
} sparse_symmetry;

/* Options of reading. A zeroed structure selects the defaults. The top of this header and docs/files.md explain each. */
typedef struct sparse_read_options {
    sparse_file_format format;    /* SPARSE_FILE_AUTO: recognise it */
    bool lenient;                 /* accept frequent mistakes of files */
    bool stored_half;             /* read only the triangle that a symmetric file stores */
    sparse_symmetry *symmetry;    /* receives the symmetry that the file states */
    bool drop_zeros;              /* leave out zeros of the file */
    bool allow_overflow;          /* read numbers that are too large as infinity */
    bool zero_based;              /* coordinates count from 0 */
    bool one_based;               /* vertices of a list of edges count from 1 */
    sparse_duplicates duplicates; /* what to do with entries at the same coordinates */
    const size_t *dim;            /* the sizes, if the file does not state them */
    size_t expansion;             /* limit: a file may take this many times its bytes in memory; 0: 250 */
    char *comments;               /* receives the comments at the beginning */
    size_t comments_size;
    bool borrow;                                                     /* the tensor uses the arrays of the text in place */
    bool unchecked;                                                  /* borrowed arrays are not checked */
    unsigned threads;                                                /* number of threads; 0: one */
    bool (*progress)(void *context, uint64_t bytes, uint64_t total); /* returns false to stop: E_STOPPED */
    void *progress_context;
    sparse_io_error *error; /* receives a sentence about the error, line and column */
} sparse_read_options;

/* Options of writing. A zeroed structure selects the defaults. The top of this header and docs/files.md explain each. */
typedef struct sparse_write_options {
    sparse_file_format format; /* SPARSE_FILE_AUTO: by the extension of the name */
    sparse_symmetry symmetry;  /* write the lower triangle of a matrix with this symmetry */
    bool stored_half;          /* the matrix stores one triangle only: write that */
    bool pattern;              /* leave the values out */
    bool zero_based;           /* coordinates count from 0 */
    bool durable;              /* wait until the file is on the disk */
    const char *comments;      /* lines of comments to write */
    sparse_io_error *error;    /* receives a sentence about the error */
} sparse_write_options;

/* >>files */

/* Reads the tensor in a text of `length` bytes into t. t must have its encoding (SPARSE_INIT). If the text is refused, t
   is unchanged. Errors: E_FILE_FORMAT, E_COMPRESSED_FILE, E_BANNER, E_HEADER, E_DIMENSIONS (wrong rank), E_VALUE_TYPE,
   E_COUNT, E_ENTRY, E_COORDINATE, E_COORDINATE_WIDTH, E_SYMMETRY, E_VALUE_RANGE, E_POSITIONS (of .smtx), E_OVERFLOW, and
   the errors of sparse_pack_untyped. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_read_memory(sparse_tensor *t, const char *text, size_t length,
                                                             const sparse_read_options *options);

/* Reads the tensor in a file into t, as sparse_read_memory does. Further errors: E_OPEN, E_READ. A pipe is read into
   memory first, because a text may be read twice. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_read(sparse_tensor *t, const char *path,
                                                      const sparse_read_options *options);

/* A file in memory: its bytes, which are read-only. */
typedef struct sparse_mapping {
    const char *at;
    size_t length;
} sparse_mapping;

/* Maps a file into memory, if the program defines SPARSE_MMAP as 1. The system reads a page of the file only when it is
   accessed. With the options borrow and unchecked, a matrix of any size therefore opens at once:

       sparse_mapping file;
       sparse_read_options options = {.borrow = true, .unchecked = true, .error = &error};
       sparse_result r = sparse_map_file(&file, "large.bsp.npz", &error);
       if (!r) r = sparse_read_memory(&A.t, file.at, file.length, &options);
       ...
       sparse_free(&A.t);
       sparse_unmap_file(&file);

   While the file is mapped, it must not become shorter: reading beyond its new end terminates the program (SIGBUS).
   Errors: E_OPEN, E_NULL; the mapping is then empty. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_map_file(sparse_mapping *mapping, const char *path, sparse_io_error *error);

/* Ends a mapping. Tensors that borrow from it must be freed before. An empty mapping, or null, is allowed. */
SPARSE_API void sparse_unmap_file(sparse_mapping *mapping);

/* Writes t to a stream, in Matrix Market unless the options state another format. A dense tensor is written as an array.
   A tensor of rank above 2 is written with TACO's object `tensor`. Reading the text gives the same tensor, bit for bit,
   with two exceptions: the payload of NaNs is lost, and .rb and .npz treat -0 among the padding of dense levels as 0.
   docs/files.md states what each format cannot represent. Errors: E_EMPTY; E_VALUE_TYPE for values that the format cannot
   represent; E_DIMENSIONS for the rank; E_SYMMETRY for a matrix without the symmetry of the options; E_FILE_FORMAT,
   E_WRITE, E_MEMORY. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_write_stream(const sparse_tensor *t, FILE *out,
                                                              const sparse_write_options *options);

/* Writes t to a file. The file appears under its name only when it is complete. It is compressed if the name ends in .gz
   (SPARSE_ZLIB). An existing file is replaced; the new file has its permissions, but its owner is the user who writes. If
   the path is a symbolic link, the link stays and the file to which it points is replaced. Errors are the errors of
   sparse_write_stream, and E_OPEN if no file can be created in the directory of the target, or if the target is a device, a
   pipe or a directory or is not writable; E_COMPRESSED_FILE without zlib. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_write(const sparse_tensor *t, const char *path,
                                                       const sparse_write_options *options);

/* Prints the arrays of t as sparse_tensor.print of MLIR does: the number of stored entries, the sizes of the dimensions
   and of the levels, the positions and coordinates of each level that has them, and the values. Numbers are printed so
   that they read back as the same number; opaque values are printed as ?. Errors: E_EMPTY, E_WRITE. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_print(const sparse_tensor *t, FILE *out);

/* Prints the elements of t in rows and columns, with brackets around each dimension, as NumPy prints an array. Elements
   that are not stored are printed as zero, or as the fill value. If a tensor has more than 1000 elements, a dimension of
   more than 6 is shown by its first 3 and last 3 coordinates, with ... between. Numbers are printed so that they read
   back as the same number, opaque values as ?. Elements at the same coordinates are added up. The time is linear in the
   number of stored entries; memory is allocated for the elements shown. Errors: E_NULL, E_EMPTY, E_WRITE, E_MEMORY. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_print_grid(const sparse_tensor *t, FILE *out);

/* Draws the nonzeros of a matrix as an SVG picture, with the numbers of rows and columns and a legend. Up to 256 rows and
   columns, each element is a cell: blue if positive, orange if negative, grey for a stored zero. The larger the
   magnitude, the stronger the colour. Blocks of the encoding have borders. A larger matrix is drawn with 256 cells a
   side; the more nonzeros a cell has, the stronger is its colour. Errors: E_DIMENSIONS if the rank is not 2, E_EMPTY,
   E_OPEN, E_WRITE, E_MEMORY. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_spy(const sparse_tensor *t, const char *path);

/* Draws how a tensor is stored, as an SVG picture: a tree with one row for each level, the values below it, and the
   arrays. Coordinates that are stored in an array are blue; the others follow from their position. If the tensor is
   large, only the first 48 leaves and the first 48 elements of each array are drawn. Errors: E_EMPTY, E_OPEN, E_WRITE. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_draw_storage(const sparse_tensor *t, const char *path);

/* Reads the levels of an encoding from a text, so that a program can store tensors in a format that its user types:

       sparse_encoding e = csr_encoding;
       result = sparse_parse_encoding("(i, j) -> (j : dense, i : compressed), crdWidth = 16", &e, &error);
       sparse_tensor A = {.encoding = &e};

   The text names the dimensions. Each level states what it stores (i, i floordiv 2, i mod 2, i count 2 or j - i) and its
   type, as in docs/encodings.md: compressed(nonunique), structured[2, 4]. Two other notations are allowed: the levels of
   a descriptor, ((i, j), (dense, j), (compressed, i)); and the names of SPARSE_ENCODINGS, in upper or lower case: csc,
   bsr2x3 or bsr(2, 3), and bsr for blocks of 2 x 2. Widths may follow: posWidth = 32, crdWidth = 16. Values, fill, name,
   and widths that the text does not state, keep their values in *encoding; its inverse becomes null. If the text is wrong,
   *encoding is unchanged, and *error receives a sentence with line and column; error may be null. Errors: E_ARGUMENT for
   the syntax, E_NULL, and the errors of sparse_encoding_check. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_parse_encoding(const char *text, sparse_encoding *encoding,
                                                                sparse_io_error *error);

/* Prints an encoding as a text that sparse_parse_encoding reads, and sparse_gen reads after -f A=. The text is one line
   without a line end: (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32. Errors: E_NULL, E_WRITE, and
   the errors of sparse_encoding_check. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_print_encoding(const sparse_encoding *encoding, FILE *out);

#if SPARSE_P_DEFINED
/* Fills in *error, if error is not null. Returns `result`, so that the caller can return it directly. */
SPARSE_P_COLD sparse_result sparse_p_tell(sparse_io_error *error, sparse_result result, const char *name, size_t line,
                                          size_t column, const char *sentence)
{
    if (error == NULL) return result;
    /* a long path is cut at the front, because its end identifies the file */
    const size_t length = strlen(name), most = 100;
    const char *const dots = length > most ? "..." : "";
    if (length > most) name += length - most;
    error->result = result;
    error->line = line;
    error->column = column;
    if (line > 0)
        snprintf(error->message, sizeof error->message, "%s%s:%zu:%zu: %s", dots, name, line, column, sentence);
    else if (column > 0)
        snprintf(error->message, sizeof error->message, "%s%s: byte %zu: %s", dots, name, column, sentence);
    else
        snprintf(error->message, sizeof error->message, "%s%s: %s", dots, name, sentence);
    return result;
}

/* >>numbers
   Decimal text to binary numbers, correctly rounded, by Clinger's method ("How to read floating point numbers
   accurately", 1990). A 64-bit product with a known error bound almost always decides how to round. If the number is too
   close to the middle between two neighbours, integers of up to 3072 bits compare it with the middle exactly. No step
   uses floating-point arithmetic, so neither the locale, the rounding mode nor the extra precision of the x87 can change
   the result. */

/* A number as the text spells it: digits * 10^exponent. If `more` is set, the true magnitude is a little larger, because
   nonzero digits did not fit. */
typedef struct sparse_p_decimal {
    uint64_t digits;         /* the first 19 significant digits */
    int64_t exponent;        /* the power of ten */
    const char *first, *end; /* all digits in the text, including the decimal point */
    int count;               /* how many digits are in `digits` */
    bool negative;
    bool more;    /* nonzero digits follow after those in `digits` */
    bool integer; /* the text has neither point nor exponent */
    bool infinite, nan;
} sparse_p_decimal;

static inline bool sparse_p_spells_zero(const sparse_p_decimal *n) { return n->digits == 0 && !n->infinite && !n->nan; }

static inline bool sparse_p_is_digit(char c) { return c >= '0' && c <= '9'; }

static inline char sparse_p_lower(char c) { return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c); }

/* Returns the length of `word`, which is in lower case, if the text starts with it in upper or lower case; else 0. */
SPARSE_P_COLD size_t sparse_p_prefix(const char *at, const char *end, const char *word)
{
    size_t n = 0;
    for (; word[n] != '\0'; ++n)
        if (at + n == end || sparse_p_lower(at[n]) != word[n]) return 0;
    return n;
}

/* Returns the index of a word, in upper or lower case, in a list: "Array" in "coordinate array" -> 1. Returns -1 if the
   list does not have it. */
static inline int sparse_p_index_in(const char *list, const char *word, const char *end)
{
    for (int index = 0; *list; index++) {
        const size_t length = strcspn(list, " ");
        size_t n = 0;
        while (n < length && word + n < end && sparse_p_lower(word[n]) == list[n]) n++;
        if (n == length && word + n == end) return index;
        list += length + (list[length] == ' ');
    }
    return -1;
}

/* Returns how many of the eight bytes are digits before the first byte that is not. A byte is a digit if its upper half
   is 3 both before and after 6 is added. The addition may carry from a byte that is not a digit into later bytes, but
   only the first such byte matters. */
SPARSE_P_INLINE unsigned sparse_p_count_digits(uint64_t eight)
{
    const uint64_t upper = UINT64_C(0xF0F0F0F0F0F0F0F0), three = UINT64_C(0x3030303030303030);
    const uint64_t other = ((eight & upper) ^ three) | (((eight + (three >> 3)) & upper) ^ three);
    #if defined(__GNUC__)
    return other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
    #else
    unsigned count = 0;
    while (count < 8 && !(other >> 8 * count & 0xFF)) count++;
    return count;
    #endif
}

/* Returns the number that the first `count` of eight bytes spell. Three multiplications combine digits into pairs, pairs
   into groups of four, and these into all eight. */
SPARSE_P_INLINE uint32_t sparse_p_spelt(uint64_t eight, unsigned count)
{
    eight = count > 0 ? eight << 8 * (8 - count) : 0;
    eight = (eight & UINT64_C(0x0F0F0F0F0F0F0F0F)) * (1 + (10 << 8)) >> 8;
    eight = (eight & UINT64_C(0x00FF00FF00FF00FF)) * (1 + (UINT64_C(100) << 16)) >> 16;
    return (uint32_t)((eight & UINT64_C(0x0000FFFF0000FFFF)) * (1 + (UINT64_C(10000) << 32)) >> 32);
}

/* Appends the digits at `at` to the number *sum, modulo 2^64. Returns the end of the digits. */
SPARSE_P_INLINE const char *sparse_p_digits(const char *at, const char *end, uint64_t *sum)
{
    static const uint32_t ten[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    unsigned count = 8;
    while (count == 8 && end - at >= 8) {
        const uint64_t eight = sparse_p_eight(at);
        count = sparse_p_count_digits(eight);
        *sum = *sum * ten[count] + sparse_p_spelt(eight, count);
        at += count;
    }
    for (; count == 8 && at < end && sparse_p_is_digit(*at); at++) *sum = *sum * 10 + (unsigned)(*at - '0');
    return at;
}

/* Reads digits as the integer *n; *fits is false if it exceeds 64 bits. Returns the end of the digits, or null if there
   are none. */
SPARSE_P_OUTLINE const char *sparse_p_natural(const char *at, const char *end, uint64_t *n, bool *fits)
{
    const char *const start = at;
    *n = 0;
    *fits = true;
    at = sparse_p_digits(at, end, n);
    if (at - start < 20) return at > start ? at : NULL;
    *n = 0; /* 20 digits may exceed 64 bits, unless they begin with zeros */
    for (at = start; at < end && sparse_p_is_digit(*at); at++) {
        const unsigned digit = (unsigned)(*at - '0');
        *fits &= *n < UINT64_MAX / 10 || (*n == UINT64_MAX / 10 && digit <= UINT64_MAX % 10);
        *n = *n * 10 + digit;
    }
    return at;
}

/* Reads the digits of a number again that has more than 19 of them: keeps the first 19 significant digits and sets
   `exponent` and `more`. */
static inline void sparse_p_shorten(sparse_p_decimal *n)
{
    const char *point = NULL, *dropped = NULL; /* `dropped`: the first digit that did not fit */
    n->digits = 0;
    n->count = 0;
    for (const char *at = n->first; at < n->end; at++) {
        if (*at == '.') {
            point = at;
        } else if (n->count < 19) {
            n->digits = n->digits * 10 + (unsigned)(*at - '0');
            n->count += n->digits != 0;
        } else {
            if (!dropped) dropped = at;
            n->more |= *at != '0';
        }
    }
    /* The exponent is the number of digits from the last kept digit to the decimal point; negative if the point comes
       before it. */
    const char *const units = point ? point : n->end, *const last = dropped ? dropped : n->end;
    n->exponent = units - last + (point && last > point);
}

/* Reads "nan", "inf" or "infinity". Returns the end of the word, or null if the text has none of them. */
static inline const char *sparse_p_scan_word(const char *at, const char *end, sparse_p_decimal *n)
{
    n->integer = false;
    n->nan = sparse_p_prefix(at, end, "nan") != 0;
    n->infinite = sparse_p_prefix(at, end, "inf") != 0;
    if (n->nan) return at + strlen("nan");
    if (n->infinite) return at + strlen(sparse_p_prefix(at, end, "infinity") ? "infinity" : "inf");
    return NULL;
}

/* Reads the exponent of ten, beginning with its sign, and adds it to n->exponent. Returns the end, or null if there are
   no digits. */
static inline const char *sparse_p_scan_exponent(const char *at, const char *end, sparse_p_decimal *n)
{
    const bool has_sign = at < end && (*at == '-' || *at == '+'), negative = has_sign && *at == '-';
    uint64_t exponent;
    bool fits;
    at = sparse_p_natural(at + has_sign, end, &exponent, &fits);
    if (!fits || exponent > INT32_MAX) exponent = INT32_MAX; /* such a number is 0 or infinite in every type */
    n->exponent += negative ? -(int64_t)exponent : (int64_t)exponent;
    n->integer = false;
    return at;
}

/* Reads a number: "-2.8E2" -> -28 * 10^1. Returns its end, or null if the text is not a number. `fortran`: D marks an
   exponent, too. */
SPARSE_P_OUTLINE const char *sparse_p_scan(const char *at, const char *end, bool fortran, sparse_p_decimal *n)
{
    uint64_t digits = 0;
    n->negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    n->infinite = n->nan = n->more = false;
    n->digits = 0;
    n->exponent = 0;
    if (at < end && '9' < *at) return sparse_p_scan_word(at, end, n);
    n->first = at;
    at = sparse_p_digits(at, end, &digits);
    n->integer = at == end || *at != '.';
    if (!n->integer) {
        const char *const point = at++;
        at = sparse_p_digits(at, end, &digits);
        n->exponent = point + 1 - at;
    }
    n->end = at;
    n->digits = digits;
    n->count = (int)(at - n->first - !n->integer);
    if (n->count == 0) return NULL;
    if (n->count > 19) sparse_p_shorten(n);
    const char mark = at < end ? *at : '\0';
    if (mark != 'e' && mark != 'E' && !(fortran && (mark == 'd' || mark == 'D'))) return at;
    return sparse_p_scan_exponent(at + 1, end, n);
}

/* A nonnegative integer of up to 3072 bits. The hardest comparisons for double need fewer than 2700. */
typedef struct sparse_p_big {
    size_t length;
    uint32_t word[96]; /* least significant word first; the last word is not zero */
} sparse_p_big;

/* b = b * factor + term */
SPARSE_P_OUTLINE void sparse_p_big_step(sparse_p_big *b, uint32_t factor, uint32_t term)
{
    uint64_t carry = term;
    for (size_t i = 0; i < b->length; ++i) {
        carry += (uint64_t)b->word[i] * factor;
        b->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0 && b->length < sizeof b->word / sizeof b->word[0]) b->word[b->length++] = (uint32_t)carry;
}

/* b = b * base^n; base is 2 or 5 */
SPARSE_P_OUTLINE void sparse_p_big_scale(sparse_p_big *b, uint32_t base, int64_t n)
{
    const uint32_t base13 = base == 5 ? 1220703125u : 8192u;
    for (; n >= 13; n -= 13) sparse_p_big_step(b, base13, 0);
    for (; n > 0; --n) sparse_p_big_step(b, base, 0);
}

/* Compares a number, with all digits of its text, with m * 2^k. Returns -1, 0 or 1 if the number is less, equal or
   greater. */
SPARSE_P_COLD int sparse_p_compare(const sparse_p_decimal *n, uint64_t m, int k)
{
    sparse_p_big a, b;
    int64_t exponent = n->exponent, count = 0;
    bool more = false;
    a.length = 0;
    for (const char *at = n->first; at < n->end; ++at) {
        if (*at == '.' || (count == 0 && *at == '0')) continue;
        /* The middle of two doubles never has more digits. So it only matters whether any later digit is not zero. */
        if (count == 768) {
            more |= *at != '0';
            continue;
        }
        sparse_p_big_step(&a, 10, (uint32_t)(*at - '0'));
        if (++count > n->count) --exponent;
    }
    if (more) {
        sparse_p_big_step(&a, 10, 1);
        --exponent;
    }
    b.word[0] = (uint32_t)m;
    b.word[1] = (uint32_t)(m >> 32);
    b.length = b.word[1] != 0 ? 2 : 1;
    /* Compare a * 10^exponent with b * 2^k. Negative powers are moved to the other side, so both sides are integers. */
    sparse_p_big_scale(exponent < 0 ? &b : &a, 5, exponent < 0 ? -exponent : exponent);
    sparse_p_big_scale(exponent < k ? &b : &a, 2, exponent < k ? k - exponent : exponent - k);
    if (a.length != b.length) return a.length < b.length ? -1 : 1;
    for (size_t i = a.length; i-- > 0;)
        if (a.word[i] != b.word[i]) return a.word[i] < b.word[i] ? -1 : 1;
    return 0;
}

/* The number m * 2^e. It is normalized if the top bit of m is set. */
typedef struct sparse_p_scaled {
    uint64_t m;
    int e;
} sparse_p_scaled;

/* Returns m * 2^e in normalized form; m is not 0. */
SPARSE_P_INLINE sparse_p_scaled sparse_p_normalized(uint64_t m, int e)
{
    #if defined(__GNUC__)
    const int zeros = __builtin_clzll(m);
    #else
    const int zeros = 64 - (int)sparse_p_width(m);
    #endif
    const sparse_p_scaled x = {m << zeros, e - zeros};
    return x;
}

/* A number of 128 bits. */
typedef struct sparse_p_wide {
    uint64_t high, low;
} sparse_p_wide;

/* a * b */
SPARSE_P_INLINE sparse_p_wide sparse_p_multiply(uint64_t a, uint64_t b)
{
    #if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    const wide product = (wide)a * b;
    const sparse_p_wide x = {(uint64_t)(product >> 64), (uint64_t)product};
    #else
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t low = a0 * b0, left = a1 * b0 + (low >> 32), right = a0 * b1 + (uint32_t)left;
    const sparse_p_wide x = {a1 * b1 + (left >> 32) + (right >> 32), right << 32 | (uint32_t)low};
    #endif
    return x;
}

/* Returns a * b, for normalized a and b. The result is truncated: it is too small by less than one unit in the last place
   of m. */
SPARSE_P_INLINE sparse_p_scaled sparse_p_product(sparse_p_scaled a, sparse_p_scaled b)
{
    const sparse_p_wide product = sparse_p_multiply(a.m, b.m);
    const unsigned short_by = !(product.high >> 63);
    const sparse_p_scaled x = {product.high << short_by | (product.low >> 63 & short_by), a.e + b.e + 64 - (int)short_by};
    return x;
}

/* clang-format off */
static const uint64_t sparse_p_five[28] = {
    1u, 5u, 25u, 125u, 625u, 3125u, 15625u, 78125u, 390625u, 1953125u, 9765625u, 48828125u, 244140625u, 1220703125u,
    6103515625u, 30517578125u, 152587890625u, 762939453125u, 3814697265625u, 19073486328125u, 95367431640625u,
    476837158203125u, 2384185791015625u, 11920928955078125u, 59604644775390625u, 298023223876953125u,
    1490116119384765625u, 7450580596923828125u};
/* clang-format on */

/* The first 128 bits of 10^(28 * (i - 13)), with the top bit set. */
static const sparse_p_wide sparse_p_ten28[25] = {
    {0xE1AFA13AFBD14D6Du, 0x82189C09A3A1EC21u}, {0xE3E27A444D8D98B7u, 0xFD1B1B2308169B25u},
    {0xE61ACF033D1A45DFu, 0x6FB92487298E33BDu}, {0xE858AD248F5C22C9u, 0xD1B3400F8F9CFF68u},
    {0xEA9C227723EE8BCBu, 0x465E15A979C1CADCu}, {0xECE53CEC4A314EBDu, 0xA4F8BF5635246428u},
    {0xEF340A98172AACE4u, 0x86FB897116C87C34u}, {0xF18899B1BC3F8CA1u, 0xDC44E6C3CB279AC1u},
    {0xF3E2F893DEC3F126u, 0x5A89DBA3C3EFCCFAu}, {0xF64335BCF065D37Du, 0x4D4617B5FF4A16D5u},
    {0xF8A95FCF88747D94u, 0x75A44C6397CE912Au}, {0xFB158592BE068D2Eu, 0xEED6E2F0F0D56712u},
    {0xFD87B5F28300CA0Du, 0x8BCA9D6E188853FCu}, {0x8000000000000000u, 0x0000000000000000u},
    {0x813F3978F8940984u, 0x4000000000000000u}, {0x82818F1281ED449Fu, 0xBFF8F10E7A8921A4u},
    {0x83C7088E1AAB65DBu, 0x792667C6DA79E0FAu}, {0x850FADC09923329Eu, 0x03E2CF6BC604DDB0u},
    {0x865B86925B9BC5C2u, 0x0B8A2392BA45A9B2u}, {0x87AA9AFF79042286u, 0x90FB44D2F05D0842u},
    {0x88FCF317F22241E2u, 0x441FECE3BDF81F03u}, {0x8A5296FFE33CC92Fu, 0x82BD6B70D99AAA6Fu},
    {0x8BAB8EEFB6409C1Au, 0x1AD089B6C2F7548Eu}, {0x8D07E33455637EB2u, 0xDB0B487B6423E1E8u},
    {0x8E679C2F5E44FF8Fu, 0x570F09EAA7EA7648u}};

/* Returns log2(10^q), rounded down. */
static inline int sparse_p_log2_of_ten(int q) { return (int)(((int64_t)q * 1741647) >> 19); }

/* Returns x * 10^q approximately, for -364 <= q < 336, as two products: by a power of ten up to 10^27, which is exact,
   and by a multiple of 28 in the exponent, which is rounded to 64 bits. */
SPARSE_P_INLINE sparse_p_scaled sparse_p_times_power_of_ten(sparse_p_scaled x, int q)
{
    const int big = (q + 364) / 28, small = (q + 364) % 28;
    const sparse_p_wide ten = sparse_p_ten28[big];
    const sparse_p_scaled power = {ten.high + (ten.low >> 63), sparse_p_log2_of_ten(28 * (big - 13)) - 63};
    return sparse_p_product(sparse_p_product(x, sparse_p_normalized(sparse_p_five[small], small)), power);
}

/* Decides whether to round up when the last `drop` bits of x.m are cut off, which leaves m. x is the number n up to
   `error` units in its last place. */
static inline bool sparse_p_rounds_up(const sparse_p_decimal *n, sparse_p_scaled x, uint64_t error, int drop, uint64_t m)
{
    if (drop > 65) return false; /* below half of the smallest positive number */
    if (drop <= 64) {
        const uint64_t half = (uint64_t)1 << (drop - 1), rest = x.m & (half - 1 + half);
        if ((rest < half ? half - rest : rest - half) > error) return rest > half;
    }
    const int side = sparse_p_compare(n, 2 * m + 1, x.e + drop - 1);
    return side > 0 || (side == 0 && (m & 1) != 0);
}

/* Returns the magnitude of n, which is not 0, rounded to the nearest m * 2^e with m <= 2^bits and e >= least. Ties go to
   even m. */
static inline sparse_p_scaled sparse_p_rounded(const sparse_p_decimal *n, int bits, int least)
{
    sparse_p_scaled x = sparse_p_normalized(n->digits, 0);
    /* The error bound, in units of the last place of x. Digits that did not fit amount to less than one unit before
       normalizing. The first product, the rounded power and the second product lose up to 1, 1/2 and 1. The sum is
       doubled, because normalizing the result may shift it by one bit. */
    const uint64_t error = n->more ? ((uint64_t)2 << -x.e) + 5 : n->exponent != 0 ? 5 : 0;
    if (n->exponent != 0) x = sparse_p_times_power_of_ten(x, (int)n->exponent);
    const int drop = x.e + 64 - bits > least ? 64 - bits : least - x.e;
    const uint64_t m = drop < 64 ? x.m >> drop : 0;
    const sparse_p_scaled y = {m + sparse_p_rounds_up(n, x, error, drop, m), x.e + drop};
    return y;
}

/* Computes the bits of n as a double, if the 64-bit product decides the rounding. Returns false if it does not, if n is
   0, or if n is outside the range of 10^-300 to 10^280 or so; the caller then uses sparse_p_rounded. */
SPARSE_P_INLINE bool sparse_p_quick_double(const sparse_p_decimal *n, uint64_t *bits)
{
    if (n->digits == 0 || n->more || n->exponent < -300 || n->exponent > 280) return false;
    sparse_p_scaled x = sparse_p_normalized(n->digits, 0);
    if (n->exponent != 0) x = sparse_p_times_power_of_ten(x, (int)n->exponent);
    const uint64_t rest = x.m & 0x7FF, middle = 0x400;
    if (rest - middle + 5 <= 10) return false;
    *bits = ((uint64_t)(x.e + 1085) << 52) + (x.m >> 11) + (rest > middle);
    *bits |= (uint64_t)n->negative << 63;
    return true;
}

/* Returns m * 2^e as the bits of a double. A double can represent the number, and e >= -1074. */
static inline uint64_t sparse_p_bits(sparse_p_scaled number)
{
    if (number.m == 0) return 0;
    const sparse_p_scaled x = sparse_p_normalized(number.m, number.e);
    const int e = x.e + 11, gap = e < -1074 ? -1074 - e : 0; /* gap > 0: the number is subnormal */
    return ((uint64_t)(e + gap + 1074) << 52) + (x.m >> 11 >> gap);
}

static inline bool sparse_p_is_complex(const sparse_encoding *e) { return e->kind == SPARSE_C64 || e->kind == SPARSE_C128; }

/* A floating-point type: the bits of its significand, the exponent of its smallest positive number, the exponent of the
   first power of two that is too large, and how many decimal digits the type always preserves. */
typedef struct sparse_p_real_type {
    int bits, least, beyond, digits;
} sparse_p_real_type;

/* Indices of sparse_p_real_types. */
enum { SPARSE_P_DOUBLE, SPARSE_P_SINGLE, SPARSE_P_HALF, SPARSE_P_BRAIN };
static const sparse_p_real_type sparse_p_real_types[] = {
    {53, -1074, 1024, 15}, {24, -149, 128, 6}, {11, -24, 16, 3}, {8, -133, 128, 2}};

/* The index in sparse_p_real_types of the type of a value, or of its parts if it is complex. SPARSE_P_DOUBLE for
   integers, which have no row. */
static inline unsigned sparse_p_real_type_of(sparse_kind kind)
{
    switch (kind) {
    case SPARSE_F32:
    case SPARSE_C64:
        return SPARSE_P_SINGLE;
    case SPARSE_F16:
        return SPARSE_P_HALF;
    case SPARSE_BF16:
        return SPARSE_P_BRAIN;
    default:
        return SPARSE_P_DOUBLE;
    }
}

/* *value = n, rounded to the floating-point type `type`. Returns false, with *value infinite, if n is too large for the
   type. */
SPARSE_P_OUTLINE bool sparse_p_to_real(const sparse_p_decimal *n, unsigned type, double *value)
{
    uint64_t quick;
    if (type == SPARSE_P_DOUBLE && sparse_p_quick_double(n, &quick)) {
        memcpy(value, &quick, sizeof *value);
        return true;
    }
    /* for positive numbers, the order of the bits is the order of the numbers */
    const uint64_t infinity = (uint64_t)0x7FF << 52;
    const uint64_t beyond = (uint64_t)(1023 + sparse_p_real_types[type].beyond) << 52;
    uint64_t bits = n->nan ? infinity | (uint64_t)1 << 51 : n->infinite ? infinity : 0;
    bool fits = true;
    if (n->digits != 0 && n->exponent >= -342) { /* smaller numbers round to 0 */
        bits = infinity;
        if (n->exponent <= 308)
            bits = sparse_p_bits(sparse_p_rounded(n, sparse_p_real_types[type].bits, sparse_p_real_types[type].least));
        fits = bits < beyond;
        if (!fits) bits = infinity;
    }
    bits |= (uint64_t)n->negative << 63;
    memcpy(value, &bits, sizeof *value);
    return fits;
}

/* *value = n as an integer of `width` bits, in two's complement. Returns false if n is not an integer or does not fit. */
SPARSE_P_OUTLINE bool sparse_p_to_integer(const sparse_p_decimal *n, int width, bool is_signed, uint64_t *value)
{
    uint64_t v = n->digits;
    int64_t e = n->integer ? 0 : n->exponent;
    bool fits = !n->more && !n->infinite && !n->nan;
    /* `digits` holds 19 digits only, a 64-bit integer may have 20 */
    if (n->integer) sparse_p_natural(n->first, n->end, &v, &fits);
    for (; v != 0 && e < 0 && fits; ++e) {
        fits = v % 10 == 0;
        v /= 10;
    }
    for (; v != 0 && e > 0 && fits; --e) {
        fits = v <= UINT64_MAX / 10;
        v *= 10;
    }
    const uint64_t most = UINT64_MAX >> (64 - width + is_signed);
    *value = n->negative ? 0 - v : v;
    return fits && v <= (!n->negative ? most : is_signed ? most + 1 : 0);
}

/* Stores a number, given as real and imaginary part, as one value of type `kind`. Returns false if it does not fit. */
SPARSE_P_OUTLINE bool sparse_p_to_value(const sparse_p_decimal part[2], sparse_kind kind, bool allow_overflow, void *value)
{
    unsigned char *const at = (unsigned char *)value;
    if (kind <= SPARSE_U64) {
        uint64_t v64;
        const bool fits = sparse_p_to_integer(&part[0], 8 << ((int)kind % 4), kind < SPARSE_U8, &v64);
        const uint32_t v32 = (uint32_t)v64;
        const uint16_t v16 = (uint16_t)v64;
        switch ((int)kind % 4) {
        case 0:
            *at = (unsigned char)v64;
            break;
        case 1:
            memcpy(at, &v16, sizeof v16);
            break;
        case 2:
            memcpy(at, &v32, sizeof v32);
            break;
        default:
            memcpy(at, &v64, sizeof v64);
            break;
        }
        return fits;
    }
    const unsigned type = sparse_p_real_type_of(kind);
    bool fits = true;
    for (size_t i = 0; i < (kind == SPARSE_C64 || kind == SPARSE_C128 ? 2u : 1u); ++i) {
        double x;
        fits &= sparse_p_to_real(&part[i], type, &x);
        if (sparse_p_is_half(kind))
            sparse_p_store_half(kind, at, (float)x);
        else if (type == SPARSE_P_SINGLE) {
            const float f = (float)x;
            memcpy(at + i * sizeof f, &f, sizeof f);
        } else {
            memcpy(at + i * sizeof x, &x, sizeof x);
        }
    }
    return fits || allow_overflow;
}

/* Binary numbers to decimal text, by Giulietti's method ("The Schubfach way to render doubles", 2020): writes the fewest
   digits that read back as the same number; if several such texts exist, the closest one. */

/* Returns the first 128 bits of 10^q, rounded down, plus 1, for -292 <= q <= 324. The product of the two table entries
   may be too small by 0, 1 or 2, because one of them is truncated. `missing` holds this difference, which was computed
   for every q. */
static inline sparse_p_wide sparse_p_power_of_ten(int q)
{
    static const uint64_t missing[20] = {0x5445454050001400u, 0x0000000004004555u, 0x0410100500000000u, 0x5410541451054150u,
                                         0x0500551554514514u, 0x4040004100545444u, 0x0504010054000051u, 0x1140515540010000u,
                                         0x0110001550105544u, 0x0000000000000000u, 0x0000000000000000u, 0x0000410000400404u,
                                         0x5054400000000005u, 0x1105414015040155u, 0x6596695954111514u, 0x000000000440A696u,
                                         0x5555659155555400u, 0x5004001410010010u, 0x0510110555014415u, 0x0000000000015550u};
    const int big = (q + 364) / 28, small = (q + 364) % 28;
    const uint64_t five = sparse_p_normalized(sparse_p_five[small], small).m;
    const sparse_p_wide upper = sparse_p_multiply(sparse_p_ten28[big].high, five);
    const sparse_p_wide lower = sparse_p_multiply(sparse_p_ten28[big].low, five);
    uint64_t low = upper.low + lower.high, high = upper.high + (low < upper.low), more;
    if (high >> 63 == 0) {
        high = high << 1 | low >> 63;
        low = low << 1 | lower.low >> 63;
    }
    more = 1 + (missing[(q + 292) / 32] >> 2 * ((q + 292) % 32) & 3);
    const sparse_p_wide x = {high + (low + more < low), low + more};
    return x;
}

/* Returns the upper 64 of the 192 bits of g * n. The last bit is set if the exact product has any lower bits, so
   comparisons with the result come out as with the exact product. g is rounded up; therefore a middle word of 0 or 1 means
   that the exact product has no lower bits. */
static inline uint64_t sparse_p_to_odd(sparse_p_wide g, uint64_t n)
{
    const sparse_p_wide x = sparse_p_multiply(g.low, n), y = sparse_p_multiply(g.high, n);
    const uint64_t middle = y.low + x.high;
    return (y.high + (middle < y.low)) | (middle > 1);
}

/* The number digits * 10^exponent. */
typedef struct sparse_p_shortest {
    uint64_t digits;
    int exponent;
} sparse_p_shortest;

/* Returns the shortest decimal that rounds to c * 2^q; c is not 0. `first`: c is the smallest significand of its
   exponent, so the next lower number is only half as far away as the next higher one. */
static inline sparse_p_shortest sparse_p_shorten_binary(uint64_t c, int q, bool first)
{
    /* log10 of the distance to the next number, rounded down */
    const int k = (int)(((int64_t)q * 1262611 - (first ? 524031 : 0)) >> 22);
    const int h = q + sparse_p_log2_of_ten(-k) + 1;
    const sparse_p_wide g = sparse_p_power_of_ten(-k);
    const uint64_t odd = c & 1, below = sparse_p_to_odd(g, (4 * c - 2 + first) << h) + odd;
    const uint64_t number = sparse_p_to_odd(g, 4 * c << h), above = sparse_p_to_odd(g, (4 * c + 2) << h) - odd;
    const uint64_t s = number / 4, ten = s / 10; /* `number`, `below` and `above` count quarters of 10^k */
    if (s >= 10) {
        const bool down = below <= 40 * ten, up = 40 * ten + 40 <= above;
        if (down != up) {
            const sparse_p_shortest x = {ten + up, k + 1};
            return x;
        }
    }
    const bool down = below <= 4 * s, up = 4 * s + 4 <= above;
    const bool nearer = number > 4 * s + 2 || (number == 4 * s + 2 && (s & 1));
    const sparse_p_shortest x = {s + (down != up ? up : nearer), k};
    return x;
}

/* Writes n in decimal. Returns the end of the text. */
SPARSE_P_INLINE char *sparse_p_put_natural(char *to, uint64_t n)
{
    static const char pair[] = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243"
                               "4445464748495051525354555657585960616263646566676869707172737475767778798081828384858687"
                               "888990919293949596979899";
    char text[20], *at = text + sizeof text;
    while (n >= 100) {
        memcpy(at -= 2, pair + 2 * (n % 100), 2);
        n /= 100;
    }
    if (n >= 10)
        memcpy(at -= 2, pair + 2 * n, 2);
    else
        *--at = (char)('0' + n);
    const size_t length = (size_t)(text + sizeof text - at);
    memcpy(to, at, length);
    return to + length;
}

/* Writes n in decimal, with a sign if it is negative. Returns the end of the text. */
static inline char *sparse_p_put_integer(char *to, int64_t n)
{
    if (n < 0) *to++ = '-';
    return sparse_p_put_natural(to, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

/* Writes digits * 10^exponent in the style of %.*g with precision `most`, but keeps all digits if there are more. Returns
   the end of the text. */
static inline char *sparse_p_put_decimal(char *to, sparse_p_shortest x, int most)
{
    char digits[20];
    for (; x.digits % 10 == 0; x.digits /= 10) x.exponent++;
    const int count = (int)(sparse_p_put_natural(digits, x.digits) - digits), point = count + x.exponent;
    const int exponent = point - 1;
    if (exponent < -4 || exponent >= (count > most ? count : most)) {
        *to++ = digits[0];
        if (count > 1) *to++ = '.';
        for (int k = 1; k < count; k++) *to++ = digits[k];
        *to++ = 'e';
        *to++ = exponent < 0 ? '-' : '+';
        if (exponent > -10 && exponent < 10) *to++ = '0';
        return sparse_p_put_natural(to, (uint64_t)(exponent < 0 ? -exponent : exponent));
    }
    if (point <= 0) {
        memcpy(to, "0.0000", 6);
        to += 2 - point;
        for (int k = 0; k < count; k++) *to++ = digits[k];
        return to;
    }
    for (int k = 0; k < count || k < point; k++) {
        if (k == point) *to++ = '.';
        *to++ = (char)(k < count ? digits[k] : '0');
    }
    return to;
}

/* Writes x, which the type `which` can represent. Returns the end of the text. */
static inline char *sparse_p_put_real(char *to, double x, unsigned which)
{
    const sparse_p_real_type *const type = &sparse_p_real_types[which];
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    const int biased = (int)(bits >> 52 & 0x7FF);
    const char *const word = biased < 0x7FF ? NULL : fraction ? "nan" : "inf";
    if (bits >> 63) *to++ = '-';
    if (word) memcpy(to, word, 3);
    if (word) return to + 3;
    if (biased == 0 && fraction == 0) *to++ = '0';
    if (biased == 0 && fraction == 0) return to;
    uint64_t c = (biased > 0 ? fraction | (uint64_t)1 << 52 : fraction) >> (53 - type->bits);
    int q = (biased > 0 ? biased : 1) - 1075 + 53 - type->bits;
    if (q < type->least) {
        c >>= type->least - q;
        q = type->least;
    }
    if (q <= 0 && q > -type->bits && (c & (((uint64_t)1 << -q) - 1)) == 0) { /* the number is an integer */
        const sparse_p_shortest whole = {c >> -q, 0};
        return sparse_p_put_decimal(to, whole, type->digits);
    }
    const bool first = c == (uint64_t)1 << (type->bits - 1) && q > type->least;
    return sparse_p_put_decimal(to, sparse_p_shorten_binary(c, q, first), type->digits);
}

/* Writes part 0 (real) or 1 (imaginary) of the value at `at`, which may be unaligned. Writes ? for opaque values. Returns
   the end of the text, which has at most 24 characters. */
static inline char *sparse_p_put_value(char *to, sparse_kind kind, const void *at, size_t part)
{
    #define SPARSE_P_PUT_AS(type, call)                                                                                     \
        {                                                                                                                   \
            type x;                                                                                                         \
            memcpy(&x, (const char *)at + part * sizeof x, sizeof x);                                                       \
            return call;                                                                                                    \
        }
    switch (kind) {
    case SPARSE_I8:
        SPARSE_P_PUT_AS(int8_t, sparse_p_put_integer(to, x))
    case SPARSE_I16:
        SPARSE_P_PUT_AS(int16_t, sparse_p_put_integer(to, x))
    case SPARSE_I32:
        SPARSE_P_PUT_AS(int32_t, sparse_p_put_integer(to, x))
    case SPARSE_I64:
        SPARSE_P_PUT_AS(int64_t, sparse_p_put_integer(to, x))
    case SPARSE_U8:
        SPARSE_P_PUT_AS(uint8_t, sparse_p_put_natural(to, x))
    case SPARSE_U16:
        SPARSE_P_PUT_AS(uint16_t, sparse_p_put_natural(to, x))
    case SPARSE_U32:
        SPARSE_P_PUT_AS(uint32_t, sparse_p_put_natural(to, x))
    case SPARSE_U64:
        SPARSE_P_PUT_AS(uint64_t, sparse_p_put_natural(to, x))
    case SPARSE_F32:
    case SPARSE_C64:
        SPARSE_P_PUT_AS(float, sparse_p_put_real(to, (double)x, SPARSE_P_SINGLE))
    case SPARSE_F64:
    case SPARSE_C128:
        SPARSE_P_PUT_AS(double, sparse_p_put_real(to, x, SPARSE_P_DOUBLE))
    case SPARSE_F16:
    case SPARSE_BF16:
        return sparse_p_put_real(to, (double)sparse_p_load_half(kind, at), sparse_p_real_type_of(kind));
    default:
        break;
    }
    #undef SPARSE_P_PUT_AS
    *to++ = '?';
    return to;
}

/* Writes a part of a value, like sparse_p_put_value, and terminates the text with a zero. */
static inline void sparse_p_spell(sparse_kind kind, const void *at, size_t part, char text[32])
{
    *sparse_p_put_value(text, kind, at, part) = '\0';
}

/* >>sources
   A source delivers bytes: from memory, from a file, or from another source by decompressing it. A source can be rewound,
   because a text may be read twice: once to learn the sizes before memory is allocated, and once more to find the line of
   an error. */

typedef struct sparse_p_source {
    /* reads up to `room` bytes; *count = 0 at the end */
    sparse_result (*fill)(void *context, char *to, size_t room, size_t *count);
    sparse_result (*rewind)(void *context); /* returns to the first byte */
    void *context;
    uint64_t size;     /* in bytes; UINT64_MAX: unknown */
    const char *wrong; /* a sentence about the failure; null: the sentence of its result */
    size_t place;      /* the byte of the failure, from 1 */
    int number;        /* errno at the failure, or 0 */
} sparse_p_source;

/* Calls `fill` or `rewind` of the source, and saves errno if the call fails. */
static inline sparse_result sparse_p_fetch(sparse_p_source *source, char *to, size_t room, size_t *count)
{
    errno = 0;
    const sparse_result result = source->fill(source->context, to, room, count);
    if (result) source->number = errno;
    return result;
}
static inline sparse_result sparse_p_restart(sparse_p_source *source)
{
    errno = 0;
    const sparse_result result = source->rewind(source->context);
    if (result) source->number = errno;
    return result;
}

/* A sentence about a result. If the C library failed and set errno, the sentence includes the reason of the operating
   system. */
typedef struct sparse_p_reason {
    char text[200];
} sparse_p_reason;
SPARSE_P_COLD sparse_p_reason sparse_p_system_reason(sparse_result result, int number)
{
    sparse_p_reason r;
    const bool by_system = result == SPARSE_E_OPEN || result == SPARSE_E_READ || result == SPARSE_E_WRITE;
    snprintf(r.text, sizeof r.text, number && by_system ? "%s: %s" : "%s%s", sparse_message(result),
             number && by_system ? strerror(number) : "");
    return r;
}

/* The context of a source that reads from memory. */
typedef struct sparse_p_memory {
    const char *text;
    size_t length, at;
} sparse_p_memory;

/* The functions of a source that reads from memory. */
static inline sparse_result sparse_p_fill_memory(void *context, char *to, size_t room, size_t *count)
{
    sparse_p_memory *const m = (sparse_p_memory *)context;
    *count = m->length - m->at < room ? m->length - m->at : room;
    if (*count > 0) memcpy(to, m->text + m->at, *count);
    m->at += *count;
    return SPARSE_OK;
}

static inline sparse_result sparse_p_rewind_memory(void *context)
{
    ((sparse_p_memory *)context)->at = 0;
    return SPARSE_OK;
}

/* Returns a source that reads from *m, which must outlive it. */
static inline sparse_p_source sparse_p_source_of_memory(sparse_p_memory *m)
{
    const sparse_p_source source = {sparse_p_fill_memory, sparse_p_rewind_memory, m, m->length, NULL, 0, 0};
    return source;
}

/* The functions of a source that reads from a file; the context is the FILE. */
static inline sparse_result sparse_p_fill_file(void *context, char *to, size_t room, size_t *count)
{
    FILE *const in = (FILE *)context;
    *count = fread(to, 1, room, in);
    return *count == 0 && ferror(in) ? SPARSE_E_READ : SPARSE_OK;
}

static inline sparse_result sparse_p_rewind_file(void *context)
{
    return fseek((FILE *)context, 0, SEEK_SET) == 0 ? SPARSE_OK : SPARSE_E_READ;
}

/* Returns a source that reads from a file. If the file cannot be rewound, as a pipe, `size` is 0 and `fill` is null. */
static inline sparse_p_source sparse_p_source_of_file(FILE *in)
{
    sparse_p_source source = {NULL, sparse_p_rewind_file, in, 0, NULL, 0, 0};
    if (fseek(in, 0, SEEK_END) != 0) return source;
    const long size = ftell(in); /* -1 if the size exceeds a long */
    source.size = size >= 0 ? (uint64_t)size : UINT64_MAX;
    if (fseek(in, 0, SEEK_SET) == 0) source.fill = sparse_p_fill_file;
    return source;
}

/* >>gzip
   Reads data that gzip has compressed (RFC 1952), through zlib. This requires that the program defines SPARSE_ZLIB as 1
   and is linked with -lz. A file may have several gzip members, one after another. zlib checks the CRC-32 and the length
   of each. Data that expand beyond the limit of the option expansion are refused. */

/* Returns the limit of expansion: the bytes that one compressed byte may expand to, and the entries that one index of an
   unassembled element may stand for. */
static inline size_t sparse_p_expansion(const sparse_read_options *o) { return o && o->expansion > 0 ? o->expansion : 250; }

    #define SPARSE_P_WITHOUT_ZLIB "decompress it first, or compile with SPARSE_ZLIB 1 and link with -lz"

/* Returns whether `out` bytes are too many to have come out of `in` compressed bytes. The first `free_of_charge` bytes
   are not counted. */
static inline bool sparse_p_expands(uint64_t out, uint64_t in, size_t expansion, uint64_t free_of_charge)
{
    return out > free_of_charge && (out - free_of_charge) / expansion > in;
}

    #if SPARSE_ZLIB

/* zlib allocates through the hooks of the tensor. Each block begins with its size, because the hooks need it to free the
   block. */
static inline voidpf sparse_p_zlib_allocate(voidpf hooks, uInt count, uInt size)
{
    const size_t bytes = (size_t)count * size + 16;
    unsigned char *const block = (unsigned char *)sparse_p_resize((const sparse_hooks *)hooks, NULL, 0, bytes);
    if (!block) return NULL;
    memcpy(block, &bytes, sizeof bytes);
    return block + 16;
}

static inline void sparse_p_zlib_free(voidpf hooks, voidpf at)
{
    unsigned char *const block = (unsigned char *)at - 16;
    size_t bytes;
    memcpy(&bytes, block, sizeof bytes);
    sparse_p_resize((const sparse_hooks *)hooks, block, bytes, 0);
}

/* Clears z, and makes zlib allocate through the hooks. The caller then starts compression or decompression. */
SPARSE_P_COLD void sparse_p_zlib_open(z_stream *z, const sparse_hooks *hooks)
{
    memset(z, 0, sizeof *z);
    z->zalloc = sparse_p_zlib_allocate;
    z->zfree = sparse_p_zlib_free;
    z->opaque = (voidpf)(size_t)hooks;
}

/* Starts decompression. `window` is zlib's windowBits: 16 + MAX_WBITS for gzip, -MAX_WBITS for raw deflate data.
   E_MEMORY if zlib refuses; otherwise the caller ends it with inflateEnd(z). */
SPARSE_P_COLD sparse_result sparse_p_zlib_start(z_stream *z, const sparse_hooks *hooks, int window)
{
    sparse_p_zlib_open(z, hooks);
    return inflateInit2(z, window) == Z_OK ? SPARSE_OK : SPARSE_E_MEMORY;
}

/* The context of a source that decompresses another source. */
typedef struct sparse_p_gzip {
    sparse_p_source source, *from;
    z_stream z;
    uint64_t in, out; /* bytes read and bytes produced so far */
    size_t expansion;
    bool within, after; /* inside of a gzip member; at least one member has ended */
    unsigned char input[1 << 13];
} sparse_p_gzip;

/* Stores a sentence about the error, and the compressed byte at which it was found, in g->source. Returns
   E_COMPRESSED_FILE. */
SPARSE_P_COLD sparse_result sparse_p_gzip_wrong(sparse_p_gzip *g, const char *wrong)
{
    g->source.wrong = wrong;
    g->source.place = (size_t)(g->in - g->z.avail_in) + 1;
    return SPARSE_E_COMPRESSED_FILE;
}

/* The functions of a source that decompresses. A call of `fill` delivers at most 1 MiB. Its errors are
   E_COMPRESSED_FILE, E_MEMORY, and the errors of the source below. */
static inline sparse_result sparse_p_fill_gzip(void *context, char *to, size_t room, size_t *count)
{
    sparse_p_gzip *const g = (sparse_p_gzip *)context;
    z_stream *const z = &g->z;
    const uInt most = room < 1 << 20 ? (uInt)room : 1 << 20;
    z->next_out = (Bytef *)(void *)to;
    z->avail_out = most;
    *count = 0;
    while (z->avail_out == most) {
        if (z->avail_in == 0) {
            size_t bytes;
            SPARSE_P_TRY(sparse_p_fetch(g->from, (char *)g->input, sizeof g->input, &bytes));
            if (bytes == 0 && g->within) return sparse_p_gzip_wrong(g, "the gzip data are cut short");
            if (bytes == 0) return SPARSE_OK;
            z->next_in = g->input;
            z->avail_in = (uInt)bytes;
            g->in += bytes;
        }
        if (!g->within && g->after && *z->next_in != 0x1F)
            return sparse_p_gzip_wrong(g, "something that is not gzip follows the gzip data");
        if (!g->within) inflateReset(z);
        g->within = true;
        const int code = inflate(z, Z_NO_FLUSH);
        const bool sums = z->msg && (strstr(z->msg, "data check") || strstr(z->msg, "length check"));
        if (code == Z_MEM_ERROR) return SPARSE_E_MEMORY;
        if (code != Z_OK && code != Z_BUF_ERROR && code != Z_STREAM_END)
            return sparse_p_gzip_wrong(g, sums ? "the gzip data are damaged: their CRC-32 or length is wrong"
                                               : "the gzip data are damaged, or followed by something else");
        if (code == Z_STREAM_END) {
            g->within = false;
            g->after = true;
        }
    }
    *count = most - z->avail_out;
    g->out += *count;
    if (sparse_p_expands(g->out, g->in, g->expansion, 1 << 20))
        return sparse_p_gzip_wrong(g, "the gzip data expand more than they should (option expansion)");
    return SPARSE_OK;
}

SPARSE_P_COLD sparse_result sparse_p_rewind_gzip(void *context)
{
    sparse_p_gzip *const g = (sparse_p_gzip *)context;
    g->in = g->out = 0;
    g->z.avail_in = 0;
    g->within = g->after = false;
    return sparse_p_restart(g->from);
}

/* Makes g->source, which decompresses the source `from`. The caller ends it with inflateEnd(&g->z). */
SPARSE_P_COLD sparse_result sparse_p_open_gzip(sparse_p_gzip *g, sparse_p_source *from, const sparse_hooks *hooks,
                                               size_t expansion)
{
    const sparse_p_source source = {sparse_p_fill_gzip, sparse_p_rewind_gzip, g, UINT64_MAX, NULL, 0, 0};
    memset(g, 0, sizeof *g);
    g->source = source;
    g->from = from;
    g->expansion = expansion;
    return sparse_p_zlib_start(&g->z, hooks, 16 + MAX_WBITS);
}

/* *b = the `size` bytes to which the `length` bytes at `at` decompress. The data are raw deflate data (RFC 1951), as in a
   zip archive. If it fails, *wrong is a sentence about the error and *place the number of compressed bytes read. */
static inline sparse_result sparse_p_inflate(const sparse_hooks *hooks, const void *at, size_t length, uint64_t size,
                                             size_t expansion, sparse_buffer *b, const char **wrong, size_t *place)
{
    z_stream z;
    sparse_result result = sparse_p_zlib_start(&z, hooks, -MAX_WBITS);
    const Bytef *in = (const Bytef *)at;
    int code = Z_OK;
    *wrong = sparse_message(result);
    *place = 0;
    if (result) return result;
    while (!result && code != Z_STREAM_END) {
        const uInt bytes = length < 1 << 30 ? (uInt)length : 1u << 30;
        if (z.avail_in == 0) {
            z.next_in = (Bytef *)(size_t)in;
            z.avail_in = bytes;
            in += bytes;
            length -= bytes;
        }
        result = sparse_p_grow(hooks, b, b->length + 4096, 1);
        const size_t room = b->capacity - b->length, step = room < 1 << 20 ? room : 1 << 20;
        if (result) break;
        z.next_out = (Bytef *)b->at + b->length;
        z.avail_out = (uInt)step;
        code = inflate(&z, Z_NO_FLUSH);
        b->length += step - z.avail_out;
        const bool cut = code == Z_BUF_ERROR && z.avail_in == 0 && length == 0;
        const bool large = b->length > size || sparse_p_expands(b->length, z.total_in, expansion, 1 << 20);
        *wrong = large ? "it expands more than it should (option expansion)" : "its deflated data are damaged";
        if (large || cut || (code != Z_OK && code != Z_BUF_ERROR && code != Z_STREAM_END)) result = SPARSE_E_COMPRESSED_FILE;
    }
    if (!result && b->length != size) result = SPARSE_E_COMPRESSED_FILE;
    *place = (size_t)z.total_in;
    inflateEnd(&z);
    return result;
}

    #endif /* SPARSE_ZLIB */

/* >>storing
   Entries go from the text into a tensor in batches, by one of these ways (sparse_p_way):

     append   the entries are in the order of the levels, and every level can append coordinates: each batch goes through
              the writing half of the level types (>>levels in sparse_formats.h), and the arrays grow
     array    the file is an array and the tensor is dense: each value has a known position
     place    the tensor is CSR, DCSR or COO, by rows or columns, and the order is arbitrary: entries are stored as in the
              file, and the entries of each row are counted. At the end each entry moves to its row, within the arrays, and
              rows that are not sorted are sorted
     record   all other cases: entries are recorded, sorted and packed
     whole    the file has the very arrays of the tensor, which are read without batches

   All ways make the same tensor. If a way turns out to be unfit, the text is read again for the next one. `record` is
   always fit, and finds all errors. */

enum { SPARSE_P_ENTRIES = 512 }; /* entries of a batch */

typedef enum sparse_p_way {
    SPARSE_P_CHOOSE, /* not chosen yet: the first batch decides */
    SPARSE_P_STORE_APPEND,
    SPARSE_P_STORE_ARRAY,
    SPARSE_P_STORE_WHOLE, /* the file has the arrays of the tensor */
    SPARSE_P_MEASURE,     /* only coordinates are read, to find the sizes */
    SPARSE_P_STORE_PLACE,
    SPARSE_P_STORE_RECORD,
    SPARSE_P_DISCARD /* entries are dropped: the text is read to find an error */
} sparse_p_way;

/* State of the way `record`: the records and, if a value is larger than a word, the values. */
typedef struct sparse_p_recording {
    sparse_p_records records;
    sparse_buffer values;
} sparse_p_recording;

/* State of the way `place`. rows.end: first the number of entries of each row, later the position where the row ends.
   `place` has one uint32_t per entry: first its row, later its final position. */
typedef struct sparse_p_placement {
    sparse_p_row_view rows;
    sparse_buffer place;
} sparse_p_placement;

/* State of the way `append`. `last` holds the coordinates of the last entry. From level `head` on, every level has one
   position per stored value. */
typedef struct sparse_p_appending {
    sparse_packer packer;
    unsigned head;
    size_t last[SPARSE_MAX_RANK];
} sparse_p_appending;

/* Collects the entries of a file in the tensor `made`. Of the three last members, only the one of the current `way` is
   valid. */
typedef struct sparse_p_store {
    sparse_tensor made; /* the tensor that is built */
    sparse_p_policy policy;
    sparse_p_way way; /* the current way */
    bool unfit;       /* the way turned out to be unfit: the text must be read again */
    unsigned tried;   /* bit 1 << way is set if that way was unfit */
    bool sized;       /* the sizes were measured and are in `size` */
    size_t size[SPARSE_MAX_RANK];
    size_t expected;     /* number of entries expected, as far as the file is long enough for them; 0: unknown */
    size_t count, limit; /* entries received; how many of them to store at most */
    long threads;        /* threads that may sort and move entries */
    sparse_p_recording record;
    sparse_p_placement placed;
    sparse_p_appending append;
} sparse_p_store;

/* Frees the tensor and the memory of every way, and counts from 0 again. The way, the sizes and `tried` stay. */
SPARSE_P_COLD void sparse_p_store_clear(sparse_p_store *s)
{
    const sparse_hooks *const hooks = s->made.hooks;
    sparse_free(&s->made);
    sparse_p_release(hooks, &s->record.records.buffer, (s->record.records.words + 1) * sizeof(uint64_t));
    sparse_p_release(hooks, &s->record.values, s->made.encoding->value_size);
    sparse_p_release(hooks, &s->placed.rows.end, sizeof(uint32_t));
    sparse_p_release(hooks, &s->placed.place, sizeof(uint32_t));
    s->unfit = false;
    s->count = 0;
}

/* Marks the current way as unfit, so that it is not chosen again. Returns E_ORDER, which ends this pass over the
   text. */
SPARSE_P_COLD sparse_result sparse_p_unfit(sparse_p_store *s)
{
    s->unfit = true;
    s->tried |= 1u << s->way;
    return SPARSE_E_ORDER;
}

/* Sets the sizes of `made`, and leaves its arrays unchanged. */
static inline sparse_result sparse_p_store_sizes(sparse_p_store *s, const size_t *dim)
{
    memcpy(s->made.dim, dim, s->made.encoding->rank * sizeof *dim);
    return sparse_level_sizes(s->made.encoding, dim, s->made.lvl);
}

/* Returns whether entries can be appended, if they come in order. A level that computes positions from coordinates, as a
   dense one does, can append only if the sizes are known (`sized`). */
static inline bool sparse_p_can_append(const sparse_encoding *e, bool sized)
{
    if (e->constant || e->levels != e->rank || sparse_p_batch_levels(e) > 0) return false;
    for (unsigned l = 0; l < e->levels; l++) {
        const unsigned traits = sparse_p_traits(e->level[l].type);
        const bool padded = traits & SPARSE_TRAIT_FORWARD && traits & SPARSE_TRAIT_PADS;
        if (e->level[l].map != SPARSE_MAP_DIM || traits & SPARSE_TRAIT_COUNTS || padded) return false;
        if (!sized && (traits & SPARSE_TRAIT_MASK || !(traits & (SPARSE_TRAIT_POS | SPARSE_TRAIT_SHARED)))) return false;
    }
    return true;
}

/* The ways append, place and record each have three functions. The first prepares the store. The second stores a batch
   of `count` entries: `rank` dimension coordinates for each in c, and their values. The third completes s->made. If the
   way is unfit, append and place return sparse_p_unfit; record returns the error itself. */
static inline sparse_result sparse_p_append_open(sparse_p_store *s)
{
    sparse_packer *const p = &s->append.packer;
    const sparse_encoding *const e = s->made.encoding;
    p->t = &s->made;
    p->r = NULL;
    p->policy = &s->policy;
    sparse_p_set_fresh(p);
    for (unsigned l = 0; l < e->levels; l++) p->level[l] = sparse_p_open_writer(&s->made, l, 0, 0);
    for (s->append.head = 0; sparse_p_run_end(e, s->append.head) < e->levels;) s->append.head++;
    return SPARSE_OK;
}

/* Makes room for `entries` coordinates of level l. If several levels share one interleaved array, the room is for all of
   them. */
SPARSE_P_OUTLINE sparse_result sparse_p_reserve_crd(sparse_p_store *s, unsigned l, size_t entries)
{
    sparse_tensor *const t = &s->made;
    const size_t stride = sparse_p_column_of(t, l).stride;
    sparse_buffer *const crd = &t->crd[l];
    crd->capacity /= stride; /* counted in entries while the array grows */
    const sparse_result result = sparse_p_grow(t->hooks, crd, entries, sparse_crd_bits(t->encoding) / 8u * stride);
    crd->capacity *= stride;
    return result;
}

/* Passes `count` coordinate tuples to the packer. Stores in p->differs[k] the first level at which entry k differs from
   the entry before. Returns false if the entries are out of order, or if entries repeat coordinates and the encoding or
   the policy does not allow that. `levels` is the number of levels, which may be a constant so that gcc unrolls the
   loops. */
SPARSE_P_INLINE bool sparse_p_append_take(sparse_p_store *s, const size_t *c, size_t count, unsigned levels)
{
    sparse_packer *const p = &s->append.packer;
    const sparse_encoding *const e = s->made.encoding;
    const unsigned unique = sparse_p_first_unique(e, s->append.head), fresh = p->fresh[levels - 1];
    const size_t *before = s->append.last;
    unsigned dim[SPARSE_MAX_LEVELS];
    for (unsigned l = 0; l < levels; l++) dim[l] = e->level[l].dim;
    p->count = count;
    for (size_t k = 0; k < count; before = c, c += levels, k++) {
        unsigned l = 0;
        while (l < levels && c[dim[l]] == before[dim[l]]) l++;
        if (k == 0 && s->count == 0)
            l = 0;
        else if (l < levels && c[dim[l]] < before[dim[l]])
            return false;
        if (l > unique && l < fresh) return false;
        if (l >= fresh && !s->policy.combine) return false;
        p->differs[k] = (uint8_t)l;
    }
    memcpy(s->append.last, before, levels * sizeof *before);
    return true;
}

/* Appends the chunk to each level, from the outermost to the innermost, then stores its values. */
static inline sparse_result sparse_p_append_chunk_of_text(sparse_p_store *s, const size_t *c, const char *value)
{
    sparse_packer *const p = &s->append.packer;
    const sparse_encoding *const e = s->made.encoding;
    memset(p->at, 0, p->count * sizeof *p->at);
    for (unsigned l = 0; l < e->levels; l++) {
        const size_t *from = c + e->level[l].dim;
        for (size_t k = 0; k < p->count; k++, from += e->rank) p->coordinate[k] = *from;
        SPARSE_P_TRY(sparse_p_reserve_chunk(p, l, l < s->append.head ? 0 : s->expected));
        SPARSE_P_TRY(sparse_p_append_chunk_to(p, l, p->coordinate));
    }
    SPARSE_P_TRY(sparse_p_reserve_values(p));
    sparse_p_put_values(p, value, e->value_size, false);
    return SPARSE_OK;
}

static inline sparse_result sparse_p_append_batch(sparse_p_store *s, const size_t *c, const char *value, size_t count)
{
    const sparse_encoding *const e = s->made.encoding;
    const size_t most = SPARSE_P_CHUNK;
    for (size_t here; count > 0; count -= here, c += here * e->rank, value += here * e->value_size) {
        here = sparse_p_min(count, most);
        const bool fits = e->levels == 2 ? sparse_p_append_take(s, c, here, 2) : sparse_p_append_take(s, c, here, e->levels);
        if (!fits || sparse_p_append_chunk_of_text(s, c, value)) return sparse_p_unfit(s);
        s->count += here;
    }
    return SPARSE_OK;
}

static inline sparse_result sparse_p_append_finish(sparse_p_store *s) { return sparse_p_finish_packer(&s->append.packer); }

/* Stores each value of an array file at its position in the dense tensor. */
static inline void sparse_p_array_batch(sparse_p_store *s, const size_t *c, const char *value, size_t count)
{
    const sparse_tensor *const t = &s->made;
    const sparse_encoding *const e = t->encoding;
    size_t lvl[SPARSE_MAX_LEVELS];
    for (size_t k = 0; k < count; k++, c += e->rank, value += e->value_size) {
        size_t p = 0;
        sparse_p_to_lvl(e, t->dim, c, lvl);
        for (unsigned l = 0; l < e->levels; l++) p = p * t->lvl[l] + lvl[l];
        sparse_p_move((char *)t->val.at + p * e->value_size, value, e->value_size);
    }
}

/* Returns whether the way `place` is fit. It needs one counter per row, so a matrix with very many rows must have enough
   entries. */
static inline bool sparse_p_can_place(const sparse_p_store *s, const size_t *dim)
{
    const sparse_encoding *const e = s->made.encoding;
    if (!sparse_p_is_rows(e) || e->constant || s->limit < SIZE_MAX) return false;
    const size_t rows = dim[e->level[0].dim];
    return rows >> 24 == 0 || (rows < UINT32_MAX && rows / 16 < s->expected);
}

static inline sparse_result sparse_p_place_open(sparse_p_store *s)
{
    memset(&s->placed.rows, 0, sizeof s->placed.rows);
    s->placed.rows.t = &s->made;
    s->placed.rows.hooks = s->made.hooks;
    s->placed.rows.rows = s->made.lvl[0];
    if (sparse_p_rows_reserve(&s->placed.rows, &s->made)) return sparse_p_unfit(s);
    if (s->placed.rows.rows > 0) memset(s->placed.rows.end.at, 0, s->placed.rows.rows * sizeof(uint32_t));
    return SPARSE_OK;
}

/* Makes room for `count` more entries. The first call makes room for all expected entries. */
static inline sparse_result sparse_p_place_reserve(sparse_p_store *s, size_t count)
{
    sparse_tensor *const t = &s->made;
    const sparse_encoding *const e = t->encoding;
    const size_t entries = s->count + count, all = entries > s->expected ? entries : s->expected,
                 length = s->placed.place.at ? entries : all;
    if (entries >= UINT32_MAX || entries > sparse_p_largest(sparse_pos_bits(e))) return SPARSE_E_POSITION_WIDTH;
    sparse_result result = sparse_p_grow(t->hooks, &s->placed.place, length, sizeof(uint32_t));
    if (!result) result = sparse_p_reserve_crd(s, !sparse_p_is_aos(e, 1), length);
    return result ? result : sparse_p_grow(t->hooks, &t->val, length, e->value_size);
}

/* Stores entries in the order of the file, and counts the entries of each row. */
SPARSE_P_INLINE void sparse_p_place_entries(sparse_p_store *s, const size_t *c, size_t count, unsigned bits,
                                            sparse_p_column crd)
{
    const unsigned row = s->made.encoding->level[0].dim;
    uint32_t *const entries = sparse_p_ends(&s->placed.rows), *const place = (uint32_t *)s->placed.place.at + s->count;
    for (size_t k = 0; k < count; k++, c += 2) {
        if (k + SPARSE_P_PREFETCH_AHEAD < count) SPARSE_P_PREFETCH(entries + c[2 * SPARSE_P_PREFETCH_AHEAD + row]);
        entries[c[row]]++;
        place[k] = (uint32_t)c[row];
        sparse_store(crd.at, bits, (s->count + k) * crd.stride, c[1 - row]);
    }
}

static inline sparse_result sparse_p_place_batch(sparse_p_store *s, const size_t *c, const char *values, size_t count)
{
    const sparse_encoding *const e = s->made.encoding;
    if (sparse_p_place_reserve(s, count)) return sparse_p_unfit(s);
    const sparse_p_column crd = sparse_p_column_of(&s->made, 1), alone = {crd.at, 1};
    if (sparse_crd_bits(e) == 32 && crd.stride == 1)
        sparse_p_place_entries(s, c, count, 32, alone);
    else
        sparse_p_place_entries(s, c, count, sparse_crd_bits(e), crd);
    if (count > 0) memcpy((char *)s->made.val.at + s->count * e->value_size, values, count * e->value_size);
    return SPARSE_OK;
}

/* The arrays within which entries move to their final positions. Coordinates and values are moved as bytes. */
typedef struct sparse_p_moves {
    uint32_t *place;
    char *crd, *val;
    char *spare_crd, *spare_val; /* each thread has room for SPARSE_P_PARCEL entries, which fit into a cache */
    size_t width, stride, size;  /* in bytes: a coordinate; the distance of two coordinates; a value */
    int team;
} sparse_p_moves;

/* An entry that is on the way from one position to another. */
typedef struct sparse_p_mover {
    uint32_t place;
    unsigned char crd[8], value[16];
} sparse_p_mover;

/* sparse_p_take_entry copies the entry at position p out of the arrays; sparse_p_place_entry copies an entry to position
   p. */
SPARSE_P_INLINE sparse_p_mover sparse_p_take_entry(const sparse_p_moves *m, size_t p)
{
    sparse_p_mover x;
    x.place = m->place[p];
    sparse_p_move(x.crd, m->crd + p * m->stride, m->width);
    sparse_p_move(x.value, m->val + p * m->size, m->size);
    return x;
}

SPARSE_P_INLINE void sparse_p_place_entry(const sparse_p_moves *m, size_t p, const sparse_p_mover *x)
{
    m->place[p] = x->place;
    sparse_p_move(m->crd + p * m->stride, x->crd, m->width);
    sparse_p_move(m->val + p * m->size, x->value, m->size);
}

enum { SPARSE_P_PART_BITS = 7 }; /* entries are moved to at most 2^7 parts at once */

/* Divides positions into parts of 2^shift positions each; the last part may be shorter. */
typedef struct sparse_p_parting {
    size_t first, parts; /* the first position of part 0; the number of parts */
    /* of each part, the range of entries still to be moved */
    size_t next[1 << SPARSE_P_PART_BITS], end[1 << SPARSE_P_PART_BITS];
    unsigned shift;
} sparse_p_parting;

/* Returns the part that contains a final position. */
SPARSE_P_INLINE size_t sparse_p_part_of(const sparse_p_parting *g, uint32_t place) { return (place - g->first) >> g->shift; }

/* Moves each entry into the part that contains its final position, in place, by following cycles. If `fits` is false, a
   part may be too small for all its entries; the entries without room stay in another part. McIlroy, Bostic, McIlroy:
   "Engineering radix sort" (1993). */
SPARSE_P_INLINE void sparse_p_move_to_parts(const sparse_p_moves *m, sparse_p_parting *g, bool fits)
{
    for (size_t k = 0; k < g->parts; k++)
        while (g->next[k] < g->end[k]) {
            sparse_p_mover x = sparse_p_take_entry(m, g->next[k]);
            for (size_t part; (part = sparse_p_part_of(g, x.place)) != k && (fits || g->next[part] < g->end[part]);) {
                const sparse_p_mover y = sparse_p_take_entry(m, g->next[part]);
                SPARSE_P_PREFETCH(m->place + g->next[part] + SPARSE_P_PREFETCH_AHEAD);
                sparse_p_place_entry(m, g->next[part]++, &x);
                x = y;
            }
            sparse_p_place_entry(m, g->next[k]++, &x);
        }
}

/* Calls sparse_p_move_to_parts. The common case, coordinates of 4 bytes with values of 8 bytes, is compiled separately
   with constant widths. */
SPARSE_P_OUTLINE void sparse_p_put_in_parts(const sparse_p_moves *m, sparse_p_parting *g, bool fits)
{
    sparse_p_moves common = *m;
    common.width = 4;
    common.size = 8;
    if (m->width == 4 && m->size == 8 && fits)
        sparse_p_move_to_parts(&common, g, true);
    else if (m->width == 4 && m->size == 8)
        sparse_p_move_to_parts(&common, g, false);
    else
        sparse_p_move_to_parts(m, g, fits);
}

    #if defined(_OPENMP)
/* Moves the entries that belong to part k to the front of that part. g->next[k] becomes the first of the others, which
   remain to be moved. */
static inline void sparse_p_gather_part(const sparse_p_moves *m, sparse_p_parting *g, size_t k)
{
    size_t begin = g->next[k], end = g->end[k];
    for (;;) {
        while (begin < end && sparse_p_part_of(g, m->place[begin]) == k) begin++;
        while (begin < end && sparse_p_part_of(g, m->place[end - 1]) != k) end--;
        if (begin == end) break;
        const sparse_p_mover x = sparse_p_take_entry(m, begin), y = sparse_p_take_entry(m, --end);
        sparse_p_place_entry(m, begin++, &y);
        sparse_p_place_entry(m, end, &x);
    }
    g->next[k] = begin;
}

/* Moves most entries to their parts, with several threads. Each thread owns a share of every part and moves entries among
   its shares; the entries that find no room are left for later. Cho et al.: "PARADIS: an efficient parallel algorithm for
   in-place radix sort" (2015). */
SPARSE_P_OUTLINE void sparse_p_put_by_team(const sparse_p_moves *m, sparse_p_parting *g)
{
    const int team = m->team;
    SPARSE_P_BY_TEAM
    for (int s = 0; s < team; s++) {
        sparse_p_parting mine = *g;
        for (size_t k = 0; k < g->parts; k++) {
            mine.next[k] = sparse_p_share(g->next[k], g->end[k], (size_t)s, (size_t)team);
            mine.end[k] = sparse_p_share(g->next[k], g->end[k], (size_t)s + 1, (size_t)team);
        }
        sparse_p_put_in_parts(m, &mine, false);
    }
    SPARSE_P_BY_TEAM
    for (int s = 0; s < team; s++) {
        const size_t stop = sparse_p_share(0, g->parts, (size_t)s + 1, (size_t)team);
        for (size_t k = sparse_p_share(0, g->parts, (size_t)s, (size_t)team); k < stop; k++) sparse_p_gather_part(m, g, k);
    }
}
    #endif

/* Moves the entries [first, last) to their final positions, which are the same range: to the spare arrays, then back. The
   range fits into a cache. */
SPARSE_P_INLINE void sparse_p_move_widths_to_places(const sparse_p_moves *m, size_t first, size_t last)
{
    for (size_t p = first; p < last; p++) {
        const size_t to = m->place[p] - first;
        memcpy(m->spare_crd + to * m->width, m->crd + p * m->stride, m->width);
        memcpy(m->spare_val + to * m->size, m->val + p * m->size, m->size);
    }
    for (size_t p = first; p < last; p++) memcpy(m->crd + p * m->stride, m->spare_crd + (p - first) * m->width, m->width);
    if (first < last) memcpy(m->val + first * m->size, m->spare_val, (last - first) * m->size);
}

/* Calls sparse_p_move_widths_to_places. Coordinates of 4 bytes with values of 8 bytes are compiled separately with
   constant widths. */
SPARSE_P_OUTLINE void sparse_p_move_to_places(const sparse_p_moves *m, size_t first, size_t last)
{
    sparse_p_moves common = *m;
    common.width = 4;
    common.size = 8;
    if (m->width == 4 && m->size == 8)
        sparse_p_move_widths_to_places(&common, first, last);
    else
        sparse_p_move_widths_to_places(m, first, last);
}

/* Returns the division of the positions [first, last) into parts of 2^shift positions. */
static inline sparse_p_parting sparse_p_part_places(size_t first, size_t last, unsigned shift)
{
    sparse_p_parting g;
    g.first = first;
    g.shift = shift;
    g.parts = ((last - first - 1) >> shift) + 1;
    for (size_t k = 0; k < g.parts; k++) {
        g.next[k] = first + (k << shift);
        g.end[k] = k + 1 < g.parts ? first + ((k + 1) << shift) : last;
    }
    return g;
}

/* Moves the entries [first, last), at most 2^shift of them, to their final positions, which are the same range. Divides
   the range into smaller and smaller parts until a part fits into a cache. */
static inline void sparse_p_move_within(const sparse_p_moves *m, size_t first, size_t last, unsigned shift)
{
    for (unsigned next; (size_t)1 << shift > SPARSE_P_PARCEL; shift = next) {
        next = shift > SPARSE_P_PART_BITS ? shift - SPARSE_P_PART_BITS : 0;
        for (size_t begin = first, end; begin < last; begin = end) {
            end = sparse_p_min(last, begin + ((size_t)1 << shift));
            sparse_p_parting g = sparse_p_part_places(begin, end, next);
            sparse_p_put_in_parts(m, &g, true);
        }
    }
    for (size_t begin = first, end; begin < last; begin = end) {
        end = sparse_p_min(last, begin + ((size_t)1 << shift));
        sparse_p_move_to_places(m, begin, end);
    }
}

/* Moves `count` entries to their final positions: first into at most 2^7 parts, then within each part. The threads share
   the parts. */
static inline void sparse_p_move_entries(const sparse_p_moves *m, size_t count)
{
    unsigned shift = 0;
    if (count <= SPARSE_P_PARCEL) {
        sparse_p_move_to_places(m, 0, count);
        return;
    }
    while ((count - 1) >> shift >> SPARSE_P_PART_BITS) shift++;
    sparse_p_parting g = sparse_p_part_places(0, count, shift);
    #if defined(_OPENMP)
    if (m->team > 1) sparse_p_put_by_team(m, &g);
    #endif
    sparse_p_put_in_parts(m, &g, true);
    const int team = m->team;
    SPARSE_P_BY_TEAM
    for (int s = 0; s < team; s++) {
        sparse_p_moves mine = *m;
        mine.team = 1;
        mine.spare_crd += (size_t)s * SPARSE_P_PARCEL * m->width;
        mine.spare_val += (size_t)s * SPARSE_P_PARCEL * m->size;
        const size_t stop = sparse_p_share(0, g.parts, (size_t)s + 1, (size_t)team);
        for (size_t k = sparse_p_share(0, g.parts, (size_t)s, (size_t)team); k < stop; k++)
            sparse_p_move_within(&mine, k << shift, g.end[k], shift);
    }
}

/* Moves the entries from the order of the file to their rows. Entries of the same row keep their order. */
SPARSE_P_OUTLINE sparse_result sparse_p_move_to_rows(sparse_p_store *s)
{
    const sparse_hooks *const hooks = s->made.hooks;
    const sparse_encoding *const e = s->made.encoding;
    const int team = s->count > SPARSE_P_PARCEL ? sparse_p_team_of(s->count, s->threads) : 1;
    const size_t most = sparse_p_min(s->count, SPARSE_P_PARCEL) * (size_t)team, width = sparse_crd_bits(e) / 8u;
    uint32_t *const next = sparse_p_ends(&s->placed.rows), *const place = (uint32_t *)s->placed.place.at, start = 0;
    sparse_buffer crd = {NULL, 0, 0}, val = {NULL, 0, 0};
    sparse_result result = sparse_p_allocate(hooks, &crd, most, width);
    if (!result) result = sparse_p_allocate(hooks, &val, most, e->value_size);
    if (!result) {
        const sparse_p_column to = sparse_p_column_of(&s->made, 1);
        const sparse_p_moves m = {
            place,         (char *)to.at, (char *)s->made.val.at, (char *)crd.at, (char *)val.at, width, width * to.stride,
            e->value_size, team};
        for (size_t i = 0; i < s->placed.rows.rows; i++) {
            const uint32_t here = next[i];
            next[i] = start;
            start += here;
        }
        for (size_t p = 0; p < s->count; p++) {
            if (p + SPARSE_P_PREFETCH_AHEAD < s->count) SPARSE_P_PREFETCH(next + place[p + SPARSE_P_PREFETCH_AHEAD]);
            place[p] = next[place[p]]++;
        }
        sparse_p_move_entries(&m, s->count);
    }
    sparse_p_release(hooks, &crd, width);
    sparse_p_release(hooks, &val, e->value_size);
    sparse_p_release(hooks, &s->placed.place, sizeof(uint32_t));
    return result;
}

/* Frees the part of the arrays that no entry uses. */
SPARSE_P_OUTLINE void sparse_p_shrink_rows(sparse_p_store *s)
{
    sparse_tensor *const t = &s->made;
    const sparse_encoding *const e = t->encoding;
    sparse_p_shrink(t->hooks, &t->val, s->placed.rows.entries, e->value_size);
    sparse_p_shrink(t->hooks, &t->crd[!sparse_p_is_aos(e, 1)], s->placed.rows.entries * sparse_p_column_of(t, 1).stride,
                    sparse_crd_bits(e) / 8u);
}

/* Moves the entries to their rows, sorts each row, combines entries at the same coordinates, and writes the arrays of
   the rows. */
static inline sparse_result sparse_p_place_finish(sparse_p_store *s)
{
    s->placed.rows.entries = s->count;
    if (sparse_p_move_to_rows(s)) return sparse_p_unfit(s);
    sparse_p_shrink_rows(s);
    sparse_result result = sparse_p_rows_sort(&s->made, &s->placed.rows, s->policy, s->threads);
    if (!result && s->placed.rows.entries < s->count) sparse_p_shrink_rows(s);
    if (!result) result = sparse_p_rows_put(&s->made, &s->placed.rows);
    return result ? sparse_p_unfit(s) : SPARSE_OK;
}

static inline sparse_result sparse_p_record_open(sparse_p_store *s)
{
    const sparse_encoding *const e = s->made.encoding;
    return sparse_p_records_open(&s->record.records, s->made.hooks, e->levels, s->made.lvl, e->value_size,
                                 s->expected < s->limit ? s->expected : 0);
}

/* Stores no more than s->limit entries in all, and ignores the rest. */
static inline sparse_result sparse_p_record_batch(sparse_p_store *s, const size_t *c, const char *value, size_t count)
{
    const sparse_encoding *const e = s->made.encoding;
    sparse_p_records *const r = &s->record.records;
    const bool wide = e->value_size > sizeof(uint64_t);
    const size_t length = r->buffer.length, left = s->limit > s->count ? s->limit - s->count : 0;
    size_t lvl[SPARSE_MAX_LEVELS];
    if (count > left) count = left;
    sparse_result result = sparse_p_grow(r->hooks, &r->buffer, length + count, (r->words + 1) * sizeof(uint64_t));
    if (!result && wide) result = sparse_p_grow(r->hooks, &s->record.values, length + count, e->value_size);
    if (result) return result;
    if (wide && count > 0) memcpy((char *)s->record.values.at + length * e->value_size, value, count * e->value_size);
    for (size_t k = 0; k < count; k++, c += e->rank, value += e->value_size) {
        sparse_p_to_lvl(e, s->made.dim, c, lvl);
        sparse_p_add_record(r, lvl, value);
    }
    return SPARSE_OK;
}

/* Sorts and packs the records. A value larger than a word is in `values`; its record gets the address only here, because
   `values` moves while it grows. */
static inline sparse_result sparse_p_record_finish(sparse_p_store *s)
{
    const size_t size = s->made.encoding->value_size;
    for (size_t k = 0; size > sizeof(uint64_t) && k < s->record.records.buffer.length; k++) {
        const void *const value = (const char *)s->record.values.at + k * size;
        memcpy(sparse_p_record(&s->record.records, k) + s->record.records.words, &value, sizeof value);
    }
    const sparse_result result = sparse_p_build(&s->made, &s->record.records, s->policy);
    memset(&s->record.records, 0, sizeof s->record.records);
    return result;
}

/* Prepares the store for its way. */
SPARSE_P_COLD sparse_result sparse_p_store_open(sparse_p_store *s)
{
    switch (s->way) {
    case SPARSE_P_STORE_APPEND:
        return sparse_p_append_open(s);
    case SPARSE_P_STORE_ARRAY:
        return sparse_allocate_dense(&s->made, s->made.dim);
    case SPARSE_P_STORE_PLACE:
        return sparse_p_place_open(s);
    case SPARSE_P_STORE_RECORD:
        return sparse_p_record_open(s);
    default:
        return SPARSE_OK;
    }
}

/* Stores a batch of entries. */
SPARSE_P_OUTLINE sparse_result sparse_p_store_batch(sparse_p_store *s, const size_t *c, const void *values, size_t count)
{
    const char *const value = (const char *)values;
    sparse_result result = SPARSE_OK;
    switch (s->way) {
    case SPARSE_P_STORE_APPEND:
        result = sparse_p_append_batch(s, c, value, count);
        break;
    case SPARSE_P_STORE_ARRAY:
        sparse_p_array_batch(s, c, value, count);
        break;
    case SPARSE_P_STORE_PLACE:
        result = sparse_p_place_batch(s, c, value, count);
        break;
    case SPARSE_P_STORE_RECORD:
        result = sparse_p_record_batch(s, c, value, count);
        break;
    default:
        break;
    }
    if (s->way != SPARSE_P_STORE_APPEND) s->count += count; /* appending counts each chunk itself */
    return result;
}

/* Completes the tensor after the last batch. */
SPARSE_P_COLD sparse_result sparse_p_store_finish(sparse_p_store *s)
{
    switch (s->way) {
    case SPARSE_P_STORE_APPEND:
        return sparse_p_append_finish(s);
    case SPARSE_P_STORE_PLACE:
        return sparse_p_place_finish(s);
    case SPARSE_P_STORE_RECORD:
        return sparse_p_record_finish(s);
    default:
        return SPARSE_OK;
    }
}

/* >>reader
   A window of the text is in memory. It contains the line that is being read as a whole, so the functions that read a
   line need not know where the text comes from. Every access is checked against the end of the window. Pointers into the
   window are valid until the next line is requested. Lines end in LF, CR LF or CR. When an error is found, the text is
   read again from the beginning to count its line and column. */

enum { SPARSE_P_WINDOW = 1 << 16 }; /* bytes of a window; it grows if a line is longer */

    #if defined(_OPENMP)
/* With several threads, a window is cut into pieces, and each piece is read by one thread. Meanwhile the master thread
   first stores the entries of the previous window and fills the next window, then it reads pieces too. */
enum { SPARSE_P_PIECES = 32 };
        #ifndef SPARSE_P_PIECE
            #define SPARSE_P_PIECE 32768 /* bytes of a piece; tests define fewer */
        #endif

typedef struct sparse_p_piece {
    const char *begin, *end; /* the lines of the piece; after reading, `end` is where reading stopped */
    size_t lines, count, max[SPARSE_MAX_RANK];
    unsigned seen;
    bool stopped;
} sparse_p_piece;

typedef struct sparse_p_pieces {
    sparse_buffer coordinates[2], values[2]; /* entries of the current and of the previous window, alternating */
    size_t room;                             /* how many entries a piece has room for */
    /* turn: the index of the current buffers; used: pieces of this window; pending: pieces of the previous one to store */
    unsigned turn, used, pending;
    size_t counts[SPARSE_P_PIECES]; /* number of entries of each pending piece */
    sparse_p_piece piece[SPARSE_P_PIECES];
    sparse_buffer ahead;   /* the next window: room for the last line of the current one, then `length` bytes */
    bool filled;           /* whether `ahead` has been filled */
    sparse_result failure; /* why filling `ahead` stopped early, or OK */
} sparse_p_pieces;
    #endif

/* Words of a banner, in the order of the lists in sparse_p_read_banner. */
enum { SPARSE_P_OBJECT_MATRIX, SPARSE_P_OBJECT_VECTOR, SPARSE_P_OBJECT_TENSOR };
enum { SPARSE_P_FIELD_REAL, SPARSE_P_FIELD_DOUBLE, SPARSE_P_FIELD_INTEGER, SPARSE_P_FIELD_COMPLEX, SPARSE_P_FIELD_PATTERN };

enum { SPARSE_P_LOWER = 1, SPARSE_P_UPPER = 2 };

/* The window: the bytes [begin, end) of the text, the first of which is byte `offset` of the text. begin <= whole <= safe
   <= end. A line that begins before `safe` is complete in the window (by_words: a word). A line that begins before
   `whole` is complete including its LF. If `ended` is set, the text ends at `end`, or reading failed with the result
   `failure`. */
typedef struct sparse_p_text_window {
    sparse_p_source *source;
    sparse_buffer bytes;
    uint64_t offset, passed; /* passed: bytes read in earlier passes over the text */
    const char *begin, *end, *safe, *whole;
    bool ended;
    sparse_result failure;
} sparse_p_text_window;

/* The lexical rules of the format, which hold for the whole text. */
typedef struct sparse_p_syntax {
    char comment[2]; /* a line that begins with either of these is skipped */
    char between[2]; /* either of these may separate two numbers of a common line */
    bool by_words;   /* lines may be long: only single words are complete in the window */
    bool binary;     /* positions in messages are bytes, not lines */
} sparse_p_syntax;

/* What is known of the file before its entries. Coordinates of dimension d are from base to base + dim[d] - 1. While
   sizes are inferred, dim[d] is SIZE_MAX, or the measured size in a second pass, and max[d] is the smallest size that
   contains the entries so far. */
typedef struct sparse_p_file_head {
    int object, field, symmetry; /* indices of words of a banner */
    sparse_symmetry stated;      /* the symmetry that the file states; goes to the option `symmetry` */
    bool said;                   /* the format was recognised by the beginning of the text */
    bool array;                  /* the file lists all values, without coordinates */
    bool inferred;
    size_t base, rank, parts; /* numbers of an entry: `rank` coordinates, and 0, 1 or 2 for the value */
    size_t dim[SPARSE_MAX_RANK], max[SPARSE_MAX_RANK];
    uint64_t sizes;        /* the byte of the text that an error about the sizes refers to */
    size_t announced;      /* the number of entries that the size line states */
    sparse_buffer offsets; /* the row offsets of an .smtx file, as size_t */
} sparse_p_file_head;

/* In lenient mode, a symmetric file may contain entries of both triangles. The text is read again three times: lower
   entries alone, upper entries alone, then everything except the upper entries whose mirror images `lower` holds. */
typedef struct sparse_p_triangle {
    unsigned seen, only;        /* triangles that had entries (LOWER, UPPER); the only triangle to read, or 0 for both */
    const sparse_tensor *lower; /* null: no entry is skipped */
    size_t twin[2];             /* a lower entry whose mirror image differs in the upper triangle; or SIZE_MAX */
} sparse_p_triangle;

/* Entries that wait to be stored; count <= room. Entry n has the coordinates [n * rank, (n + 1) * rank) and value n, in
   the value type of the tensor. */
typedef struct sparse_p_batch {
    sparse_buffer coordinates, values;
    size_t count, room;
    size_t next[SPARSE_MAX_RANK]; /* coordinates of the next value of an array file */
    unsigned char one[16];        /* the value of a pattern entry */
} sparse_p_batch;

/* The entry that cannot be packed and the reason, found in an earlier pass. `entry` is SIZE_MAX if there is none. */
typedef struct sparse_p_blamed {
    size_t entry;
    sparse_result why;
} sparse_p_blamed;

typedef struct sparse_p_reader {
    sparse_tensor *t; /* the tensor to fill; unchanged until all has been read */
    sparse_read_options o;
    const char *name; /* the name of the source, for messages */
    sparse_p_text_window window;
    sparse_p_syntax syntax;
    const char *at;           /* the next character to read, in the window */
    const char *line, *value; /* the beginning of the last line and of the last value */
    sparse_p_file_head head;
    sparse_p_triangle triangle;
    sparse_p_batch batch;
    sparse_p_store store; /* receives full batches */
    sparse_p_blamed blamed;
    #if defined(_OPENMP)
    sparse_p_pieces *pieces;
    #endif
} sparse_p_reader;

/* Finds line and column of the byte with the offset `place`, by reading the text from its beginning. */
SPARSE_P_COLD void sparse_p_find_place(sparse_p_source *source, uint64_t place, size_t *line, size_t *column)
{
    char text[1024], last = '\0';
    uint64_t start = 0;
    size_t count = 0, i = 0;
    sparse_result result = sparse_p_restart(source);
    *line = 1;
    for (uint64_t at = 0;; at++, last = text[i++]) {
        if (i == count) {
            i = count = 0;
            if (!result) result = sparse_p_fetch(source, text, sizeof text, &count);
        }
        const char c = (char)(count > 0 ? text[i] : '\0');
        if (last == '\n' || (last == '\r' && c != '\n')) {
            ++*line;
            start = at;
        }
        if (at == place || count == 0) break;
    }
    *column = (size_t)(place - start) + 1;
}

/* Reports an error at `place`, a pointer into the window; null means that the error has no position. Returns the result,
   for `return`. If the source has failed, reports that failure instead, because it is the cause. */
SPARSE_P_COLD sparse_result sparse_p_fail(const sparse_p_reader *r, const char *place, sparse_result result,
                                          const char *format, ...)
{
    if (r->window.failure)
        return sparse_p_tell(
            r->o.error, r->window.failure, r->name, 0, r->window.source->wrong ? r->window.source->place : 0,
            r->window.source->wrong ? r->window.source->wrong
                                    : sparse_p_system_reason(r->window.failure, r->window.source->number).text);
    if (!r->o.error) return result;
    char sentence[200];
    size_t line = 0, column = 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    for (char *c = sentence; *c; c++) /* the sentence may quote the file: no control character may reach a terminal */
        if (*c < ' ' || *c > '~') *c = '?';
    if (place && r->syntax.binary)
        column = (size_t)(place - r->window.begin) + 1; /* a binary file is in the window as a whole */
    else if (place)
        sparse_p_find_place(r->window.source, r->window.offset + (uint64_t)(place - r->window.begin), &line, &column);
    return sparse_p_tell(r->o.error, result, r->name, line, column, sentence);
}

/* Reports that the tensor cannot have the sizes of the file, or that memory ran out. The latter has no position in the
   file. */
SPARSE_P_COLD sparse_result sparse_p_fail_sizes(const sparse_p_reader *r, sparse_result why)
{
    const char *const sentence = sparse_message(why);
    size_t line = 0, column = (size_t)r->head.sizes + 1;
    if (r->window.failure || !r->o.error || why == SPARSE_E_MEMORY) return sparse_p_fail(r, NULL, why, "%s", sentence);
    if (!r->syntax.binary) sparse_p_find_place(r->window.source, r->head.sizes, &line, &column);
    return sparse_p_tell(r->o.error, why, r->name, line, column, sentence);
}

static inline bool sparse_p_is_space(char c) { return c == ' ' || c == '\t'; }

/* Returns whether a line, or a word, ends at `at`. */
static inline bool sparse_p_ends_line(const char *at, const char *end) { return at == end || *at == '\n' || *at == '\r'; }
static inline bool sparse_p_ends_word(const char *at, const char *end)
{
    return sparse_p_ends_line(at, end) || sparse_p_is_space(*at);
}

SPARSE_P_OUTLINE void sparse_p_skip_blanks(sparse_p_reader *r)
{
    const char *at = r->at;
    while (at < r->window.end && sparse_p_is_space(*at)) ++at;
    r->at = at;
}

/* Returns the end of the line, which is an LF or CR, or the end of the text. Searches 256 bytes at a time, because the
   text may have no CR at all: memchr would search all of it. */
SPARSE_P_OUTLINE const char *sparse_p_line_end(const char *at, const char *end)
{
    while (at < end) {
        const size_t some = end - at < 256 ? (size_t)(end - at) : 256;
        const char *const lf = (const char *)memchr(at, '\n', some);
        const size_t before = lf ? (size_t)(lf - at) : some;
        const char *const cr = (const char *)memchr(at, '\r', before);
        at += before;
        if (cr || lf) return cr ? cr : lf;
    }
    return at;
}

/* Moves to the end of the line, before its LF or CR. */
SPARSE_P_OUTLINE void sparse_p_skip_line(sparse_p_reader *r) { r->at = sparse_p_line_end(r->at, r->window.end); }

/* Returns the beginning of the next line, or the end of the window. */
static inline const char *sparse_p_line_after(const sparse_p_reader *r, const char *at)
{
    at = sparse_p_line_end(at, r->window.end);
    if (at < r->window.end && *at == '\r') at++;
    if (at < r->window.end && *at == '\n') at++;
    return at;
}

/* Returns whether the string `set` contains the character c. */
static inline bool sparse_p_is_one_of(char c, const char *set) { return c != '\0' && strchr(set, c) != NULL; }

/* Skips blanks and the characters of `set`. */
SPARSE_P_COLD const char *sparse_p_past(const char *at, const char *end, const char *set)
{
    while (at < end && (*at == ' ' || sparse_p_is_one_of(*at, set))) at++;
    return at;
}

/* Calls the option `progress`. Returns false if it asks to stop. A text that is being measured is read twice, so its size
   counts twice. */
static inline bool sparse_p_tell_progress(const sparse_p_reader *r, uint64_t bytes)
{
    const uint64_t size = r->window.source->size, again = r->store.way == SPARSE_P_MEASURE ? 2 : 1;
    if (!r->o.progress) return true;
    return r->o.progress(r->o.progress_context, r->window.passed + bytes,
                         size == UINT64_MAX ? 0 : r->window.passed + again * size);
}

    #if defined(_OPENMP)
/* Fills the next window, if there is room in front of it for the unfinished line at the end of the current window. */
static inline void sparse_p_fill_ahead(const sparse_p_reader *r)
{
    sparse_p_pieces *const p = r->pieces;
    sparse_buffer *const next = &p->ahead;
    if (p->filled || r->window.ended || r->window.end - r->window.whole > SPARSE_P_PIECE) return;
    if (sparse_p_enlarge(r->t->hooks, next, r->window.bytes.capacity, 1)) return;
    p->failure =
        sparse_p_fetch(r->window.source, (char *)next->at + SPARSE_P_PIECE, next->capacity - SPARSE_P_PIECE, &next->length);
    p->filled = true;
}

/* Makes the next window the current one. The `kept` unread bytes of the old window are copied in front of it. Returns its
   beginning. */
static inline const char *sparse_p_go_ahead(sparse_p_reader *r, size_t kept, size_t *count)
{
    const sparse_buffer next = r->pieces->ahead;
    char *const text = (char *)next.at + SPARSE_P_PIECE - kept;
    if (kept > 0) memcpy(text, r->at, kept);
    *count = next.length;
    r->pieces->ahead = r->window.bytes;
    r->pieces->filled = false;
    r->window.failure = r->pieces->failure;
    r->window.bytes = next;
    return text;
}
    #endif

/* Returns whether a comment begins here. */
static inline bool sparse_p_is_comment(const sparse_p_reader *r)
{
    return *r->at == r->syntax.comment[0] || *r->at == r->syntax.comment[1];
}

/* Moves the unread bytes to the beginning of the window and fills the rest. If a line is longer than the window, the
   window grows. A comment is an exception: only its first character is kept. */
static inline const char *sparse_p_fill_window(sparse_p_reader *r, size_t *kept, size_t *count)
{
    char *text = (char *)r->window.bytes.at;
    const bool full = *kept > 0 && *kept == r->window.bytes.capacity;
    r->window.failure = SPARSE_OK;
    if (full && sparse_p_is_comment(r)) {
        r->window.offset += *kept - 1;
        *kept = 1;
    } else if (full) {
        r->window.failure = sparse_p_grow(r->t->hooks, &r->window.bytes, *kept + 1, 1);
        text = (char *)r->window.bytes.at;
    } else if (*kept > 0) {
        memmove(text, r->at, *kept);
    }
    if (!r->window.failure)
        r->window.failure = sparse_p_fetch(r->window.source, text + *kept, r->window.bytes.capacity - *kept, count);
    return text;
}

/* Drops what has been read from the window, and reads on. */
SPARSE_P_OUTLINE void sparse_p_refill(sparse_p_reader *r)
{
    size_t kept = (size_t)(r->window.end - r->at), count = 0;
    const char *text;
    r->window.offset += (uint64_t)(r->at - r->window.begin);
    #if defined(_OPENMP)
    if (r->pieces->filled)
        text = sparse_p_go_ahead(r, kept, &count);
    else
    #endif
        text = sparse_p_fill_window(r, &kept, &count);
    if (!r->window.failure && !sparse_p_tell_progress(r, r->window.offset + kept + count))
        r->window.failure = SPARSE_E_STOPPED;
    r->window.ended = r->window.failure || count == 0;
    r->window.begin = r->at = text;
    r->window.end = r->window.safe = text + kept + count;
    while (r->window.safe > text && !sparse_p_ends_line(r->window.safe - 1, r->window.end) &&
           !(r->syntax.by_words && sparse_p_is_space(r->window.safe[-1])))
        r->window.safe--;
    r->window.whole = r->window.safe;
    while (r->window.whole > text && r->window.whole[-1] != '\n') r->window.whole--;
    if (r->window.ended) r->window.safe = r->window.end;
}

/* Goes to the end of a comment. A long comment may need several windows. */
static inline void sparse_p_skip_comment(sparse_p_reader *r)
{
    sparse_p_skip_line(r);
    while (r->at == r->window.end && !r->window.ended) {
        sparse_p_refill(r);
        sparse_p_skip_line(r);
    }
}

/* Goes to the first word of the next line that is neither empty nor a comment. If r->at is at the beginning of a line,
   that line counts. Returns false at the end of the text. */
SPARSE_P_OUTLINE bool sparse_p_next_line(sparse_p_reader *r)
{
    for (;;) {
        sparse_p_skip_blanks(r);
        if (r->at >= r->window.safe && !r->window.ended) {
            sparse_p_refill(r);
            continue;
        }
        if (r->at < r->window.end && sparse_p_is_comment(r)) sparse_p_skip_comment(r);
        if (r->at == r->window.end || !sparse_p_ends_line(r->at, r->window.end)) break;
        r->at++;
    }
    r->line = r->at;
    return r->at < r->window.end;
}

/* Returns how many bytes a window has at first. Parallel reading uses one piece less than the maximum, because pieces end
   at line ends and may be a little shorter. */
static inline size_t sparse_p_first_window(const sparse_p_reader *r)
{
    #if defined(_OPENMP)
    if (r->o.threads > 1) return (size_t)(SPARSE_P_PIECES - 1) * SPARSE_P_PIECE;
    #endif
    return (void)r, SPARSE_P_WINDOW;
}

/* Rewinds the source and fills the first window. */
SPARSE_P_COLD sparse_result sparse_p_start_text(sparse_p_reader *r)
{
    r->syntax.by_words = r->window.ended = false;
    r->window.passed += r->window.offset + (uint64_t)(r->window.end - r->window.begin);
    r->window.offset = 0;
    #if defined(_OPENMP)
    r->pieces->filled = false;
    r->pieces->pending = 0;
    #endif
    r->window.failure = sparse_p_enlarge(r->t->hooks, &r->window.bytes, sparse_p_first_window(r), 1);
    if (!r->window.failure) r->window.failure = sparse_p_restart(r->window.source);
    r->window.begin = r->at = r->window.end = r->window.safe = r->window.whole = (const char *)r->window.bytes.at;
    while (!r->window.failure && !r->window.ended && r->window.safe == r->at) sparse_p_refill(r);
    r->line = r->value = r->at;
    return r->window.failure;
}

/* Reads until the window contains `bytes` bytes of the text or the text ends. Drops none. */
SPARSE_P_COLD sparse_result sparse_p_read_ahead(sparse_p_reader *r, size_t bytes)
{
    while (!r->window.ended && (size_t)(r->window.end - r->window.begin) < bytes) {
        const size_t kept = (size_t)(r->window.end - r->window.begin);
        size_t count = 0;
        r->window.failure = sparse_p_grow(r->t->hooks, &r->window.bytes, kept + 1, 1);
        char *const text = (char *)r->window.bytes.at;
        if (!r->window.failure)
            r->window.failure = sparse_p_fetch(r->window.source, text + kept, r->window.bytes.capacity - kept, &count);
        r->window.ended = r->window.failure || count == 0;
        r->window.begin = r->at = r->window.whole = text;
        r->window.end = r->window.safe = text + kept + count;
    }
    return r->window.failure ? sparse_p_fail(r, NULL, r->window.failure, "%s", sparse_message(r->window.failure))
                             : SPARSE_OK;
}

/* Reads the whole text into the window, with one allocation if the source knows its size and there is memory for it. */
static inline sparse_result sparse_p_read_whole(sparse_p_reader *r)
{
    const uint64_t size = r->window.source->size;
    if (!r->window.ended && size < SIZE_MAX) /* if this fails, the window grows step by step */
        (void)sparse_p_enlarge(r->t->hooks, &r->window.bytes, (size_t)size + 1, 1);
    return sparse_p_read_ahead(r, SIZE_MAX);
}

/* Makes the whole archive the window. A text in memory is not copied. */
SPARSE_P_COLD sparse_result sparse_p_see_whole(sparse_p_reader *r)
{
    if (r->window.source->fill != sparse_p_fill_memory) return sparse_p_read_whole(r);
    const sparse_p_memory *const m = (const sparse_p_memory *)r->window.source->context;
    r->window.begin = r->at = r->window.whole = m->text;
    r->window.end = r->window.safe = m->text + m->length;
    r->window.ended = true;
    return SPARSE_OK;
}

/* Returns the end of the part by which a format is recognised: the complete lines among the first 64 KiB. *all is set if
   this is the whole text. */
SPARSE_P_COLD const char *sparse_p_end_of_look(const sparse_p_reader *r, bool *all)
{
    const bool more = r->window.end - r->window.begin > SPARSE_P_WINDOW;
    const char *end = more ? r->window.begin + SPARSE_P_WINDOW : r->window.end;
    *all = r->window.ended && !more;
    while (!*all && end > r->window.begin && end[-1] != '\n' && end[-1] != '\r') end--;
    return end;
}

/* Reads the next natural number of a line and moves *at to its end. Returns false if no number follows, or it is too
   large. */
SPARSE_P_COLD bool sparse_p_look_at_natural(const char **at, const char *end, uint64_t *n)
{
    bool fits;
    while (*at < end && sparse_p_is_space(**at)) ++*at;
    const char *const after = sparse_p_natural(*at, end, n, &fits);
    if (!after || !fits) return false;
    *at = after;
    return true;
}

/* Returns how many bytes of the text are left to read; SIZE_MAX if unknown. */
static inline size_t sparse_p_bytes_left(const sparse_p_reader *r)
{
    if (r->window.ended) return (size_t)(r->window.end - r->at);
    const uint64_t at = r->window.offset + (uint64_t)(r->at - r->window.begin), left = r->window.source->size - at;
    return r->window.source->size == UINT64_MAX || left > SIZE_MAX ? SIZE_MAX : (size_t)left;
}

/* Returns the number of words from here to the end of the line. */
SPARSE_P_COLD size_t sparse_p_count_words(const sparse_p_reader *r)
{
    size_t count = 0;
    for (const char *at = r->at; !sparse_p_ends_line(at, r->window.end); ++at)
        count += !sparse_p_is_space(*at) && sparse_p_ends_word(at + 1, r->window.end);
    return count;
}

/* The word at r->at in quotation marks, shortened and with ? for unusual characters, for a message. */
typedef struct sparse_p_quote {
    char text[32];
} sparse_p_quote;

SPARSE_P_COLD sparse_p_quote sparse_p_quoted(const sparse_p_reader *r)
{
    sparse_p_quote q;
    size_t n = 0;
    q.text[n++] = '"';
    for (const char *at = r->at; n < sizeof q.text - 2 && !sparse_p_ends_word(at, r->window.end); ++at) {
        if (at > r->at && *at == r->syntax.between[0]) break;
        q.text[n++] = (char)(*at >= ' ' && *at <= '~' ? *at : '?');
    }
    q.text[n++] = '"';
    q.text[n] = '\0';
    return q;
}

/* Reads a line of `least` to `most` sizes; *count = how many there are. `what` names the line in messages. */
SPARSE_P_COLD sparse_result sparse_p_read_sizes(sparse_p_reader *r, const char *what, size_t least, size_t most,
                                                size_t size[], size_t *count)
{
    size_t n = 0;
    if (!sparse_p_next_line(r)) return sparse_p_fail(r, r->window.end, SPARSE_E_HEADER, "the file ends before the %s", what);
    for (; sparse_p_skip_blanks(r), !sparse_p_ends_line(r->at, r->window.end); ++n) {
        uint64_t value;
        bool fits;
        const char *end = sparse_p_natural(r->at, r->window.end, &value, &fits);
        const bool comma = end != NULL && end < r->window.end && *end == ',' && r->o.format == SPARSE_FILE_SMTX;
        if (end == NULL || !(comma || sparse_p_ends_word(end, r->window.end)))
            return sparse_p_fail(r, r->at, SPARSE_E_HEADER, "%s is not a size", sparse_p_quoted(r).text);
        if (n == most) return sparse_p_fail(r, r->at, SPARSE_E_HEADER, "the %s must end after %zu numbers", what, most);
        size[n] = (size_t)value;
        if (!fits || size[n] != value)
            return sparse_p_fail(r, r->at, SPARSE_E_OVERFLOW, "%s exceeds all sizes", sparse_p_quoted(r).text);
        r->at = end + comma;
    }
    if (n < least) return sparse_p_fail(r, r->at, SPARSE_E_HEADER, "the %s has %zu numbers, but needs %zu", what, n, least);
    *count = n;
    return SPARSE_OK;
}

/* >>entries */

static inline const char *sparse_p_type_name(const sparse_p_reader *r)
{
    return r->t->encoding->name != NULL ? r->t->encoding->name : "the tensor";
}

/* Refuses a file whose rank differs from the rank of the tensor. A vector and a matrix of one column may replace each
   other. */
SPARSE_P_COLD sparse_result sparse_p_check_rank(const sparse_p_reader *r)
{
    const size_t rank = r->t->encoding->rank;
    const bool column = r->head.rank != 0 && r->head.rank <= 2 && rank <= 2 && r->head.dim[1] == 1;
    if (r->head.rank == rank || column) return SPARSE_OK;
    return sparse_p_fail(r, r->line, SPARSE_E_DIMENSIONS, "the rank of the file is %zu, that of %s is %zu", r->head.rank,
                         sparse_p_type_name(r), rank);
}

/* Refuses sizes that exceed the coordinate width of the tensor. */
SPARSE_P_COLD sparse_result sparse_p_check_width(const sparse_p_reader *r, const size_t dim[])
{
    size_t lvl[SPARSE_MAX_LEVELS];
    const sparse_result result = sparse_level_sizes(r->t->encoding, dim, lvl);
    if (result == SPARSE_OK) return result;
    return sparse_p_fail(r, r->line, result, "the %d-bit coordinates of %s cannot reach that far",
                         (int)sparse_crd_bits(r->t->encoding), sparse_p_type_name(r));
}

/* Refuses a shape that the tensor cannot have. r->line is the line that states the shape. */
SPARSE_P_COLD sparse_result sparse_p_check_shape(sparse_p_reader *r)
{
    r->head.sizes = r->window.offset + (uint64_t)(r->line - r->window.begin);
    SPARSE_P_TRY(sparse_p_check_rank(r));
    return r->head.inferred ? SPARSE_OK : sparse_p_check_width(r, r->head.dim);
}

/* Sets the sizes for a format that does not state them: from the option dim, else inferred from the entries. In a second
   pass the sizes measured in the first one are the limit; a text that has changed meanwhile cannot exceed them. */
SPARSE_P_COLD sparse_result sparse_p_start_sizes(sparse_p_reader *r)
{
    SPARSE_P_TRY(sparse_p_check_rank(r)); /* head.dim has no room for more sizes */
    r->head.inferred = !r->o.dim;
    if (!r->head.inferred) memcpy(r->head.dim, r->o.dim, r->t->encoding->rank * sizeof *r->head.dim);
    for (size_t d = 0; r->head.inferred && d < r->head.rank; d++) {
        r->head.dim[d] = r->store.sized ? r->store.size[d] : SIZE_MAX;
        r->head.max[d] = 0;
    }
    return sparse_p_check_shape(r);
}

/* Returns the sizes of the tensor; null if they are inferred and not yet measured. */
static inline const size_t *sparse_p_known_sizes(const sparse_p_reader *r)
{
    return r->head.inferred && !r->store.sized ? NULL : r->head.dim;
}

/* Chooses the way in which entries are stored: the first one that fits and has not failed before. */
static inline void sparse_p_choose_way(sparse_p_reader *r)
{
    sparse_p_store *const s = &r->store;
    const sparse_encoding *const e = r->t->encoding;
    const size_t *const dim = sparse_p_known_sizes(r);
    if (r->head.array && s->expected > 0 && sparse_p_is_dense(e) && !e->constant)
        s->way = SPARSE_P_STORE_ARRAY;
    else if (!(s->tried >> SPARSE_P_STORE_APPEND & 1) && sparse_p_can_append(e, dim != NULL))
        s->way = SPARSE_P_STORE_APPEND;
    else if (!dim)
        s->way = SPARSE_P_MEASURE;
    else if (!(s->tried >> SPARSE_P_STORE_PLACE & 1) && sparse_p_can_place(s, dim))
        s->way = SPARSE_P_STORE_PLACE;
    else
        s->way = SPARSE_P_STORE_RECORD;
}

/* Prepares the store and stores the first batch. */
SPARSE_P_COLD sparse_result sparse_p_flush_first(sparse_p_reader *r)
{
    sparse_p_store *const s = &r->store;
    if (s->way == SPARSE_P_CHOOSE) sparse_p_choose_way(r);
    s->policy = sparse_p_policy_of(r->t->encoding, r->o.duplicates);
    const size_t *const dim = sparse_p_known_sizes(r);
    sparse_result result = dim ? sparse_p_store_sizes(s, dim) : SPARSE_OK;
    if (!result) result = sparse_p_store_open(s);
    return result ? result
                  : sparse_p_store_batch(s, (const size_t *)r->batch.coordinates.at, r->batch.values.at, r->batch.count);
}

    #if defined(_OPENMP)
/* Stores the entries of the previous window. */
static inline sparse_result sparse_p_store_pieces(sparse_p_reader *r)
{
    sparse_p_pieces *const p = r->pieces;
    const unsigned turn = !p->turn;
    const size_t step = p->room * r->head.rank;
    sparse_result result = SPARSE_OK;
    for (unsigned k = 0; !result && k < p->pending; k++)
        result =
            sparse_p_store_batch(&r->store, (const size_t *)p->coordinates[turn].at + k * step,
                                 (const char *)p->values[turn].at + k * p->room * r->t->encoding->value_size, p->counts[k]);
    p->pending = 0;
    return result;
}

    #endif

/* Stores the entries of the previous window, if several threads have read them. */
static inline sparse_result sparse_p_store_pending(sparse_p_reader *r)
{
    #if defined(_OPENMP)
    return sparse_p_store_pieces(r);
    #else
    return (void)r, SPARSE_OK;
    #endif
}

/* Stores the batch, and empties it. */
SPARSE_P_OUTLINE sparse_result sparse_p_flush(sparse_p_reader *r)
{
    sparse_p_store *const s = &r->store;
    sparse_result result = sparse_p_store_pending(r);
    if (result)
        r->batch.count = 0;
    else if (s->count > 0)
        result = sparse_p_store_batch(s, (const size_t *)r->batch.coordinates.at, r->batch.values.at, r->batch.count);
    else {
        result = sparse_p_flush_first(r);
        /* the batch is still in memory, so the text need not be read again */
        if (s->unfit && s->way == SPARSE_P_STORE_APPEND) {
            s->way = SPARSE_P_CHOOSE;
            sparse_p_store_clear(s);
            result = sparse_p_flush_first(r);
        }
    }
    r->batch.count = 0;
    if (result && !s->unfit) (void)sparse_p_fail_sizes(r, result);
    return result;
}

/* Stores the number of entries that the file announces. Refuses it if the rest of the text is too short: an entry has at
   least `words` words, and a word takes two bytes, itself and a separator. */
SPARSE_P_COLD sparse_result sparse_p_announce(sparse_p_reader *r, size_t entries, size_t words)
{
    const size_t left = sparse_p_bytes_left(r);
    if (entries > (left / 2 + 1) / words)
        return sparse_p_fail(r, r->line, SPARSE_E_COUNT, "%zu entries are announced, but only %zu bytes follow", entries,
                             left);
    const bool twice = r->head.symmetry != SPARSE_SYMMETRY_GENERAL && !r->o.stored_half;
    r->head.announced = entries;
    if (left != SIZE_MAX && r->store.expected == 0) r->store.expected = twice ? 2 * entries : entries;
    return SPARSE_OK;
}

/* Reports what is wrong with the coordinate of dimension d at r->at. */
SPARSE_P_COLD sparse_result sparse_p_bad_coordinate(const sparse_p_reader *r, size_t d)
{
    uint64_t n;
    bool fits;
    const bool negative = r->at < r->window.end && *r->at == '-';
    const char *const end = sparse_p_natural(r->at + negative, r->window.end, &n, &fits);
    const sparse_p_quote word = sparse_p_quoted(r);
    if (sparse_p_ends_line(r->at, r->window.end))
        return sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "the line ends before coordinate %zu of %zu", d + 1, r->head.rank);
    if (end == NULL || !sparse_p_ends_word(end, r->window.end))
        return sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "%s is not a coordinate; those of an entry come first in its line",
                             word.text);
    if (negative || (fits && n < r->head.base))
        return sparse_p_fail(r, r->at, SPARSE_E_COORDINATE, "the coordinate %s is less than %zu%s", word.text, r->head.base,
                             negative ? "" : ": does the file count from 0 (option zero_based)?");
    return sparse_p_fail(r, r->at, SPARSE_E_COORDINATE, "the coordinate %s is beyond its dimension, of size %zu", word.text,
                         r->head.dim[d]);
}

/* Reads a coordinate of dimension d; *c counts from 0. */
SPARSE_P_OUTLINE sparse_result sparse_p_read_coordinate(sparse_p_reader *r, size_t d, size_t *c)
{
    uint64_t n;
    bool fits;
    sparse_p_skip_blanks(r);
    const char *const end = sparse_p_natural(r->at, r->window.end, &n, &fits);
    if (end == NULL || !fits || n - r->head.base >= r->head.dim[d] || !sparse_p_ends_word(end, r->window.end))
        return sparse_p_bad_coordinate(r, d);
    *c = (size_t)(n - r->head.base);
    r->at = end;
    return SPARSE_OK;
}

/* Sets the value before it is read: 1 for a pattern, else 0. */
static inline void sparse_p_clear_value(const sparse_p_reader *r, sparse_p_decimal part[2])
{
    memset(part, 0, 2 * sizeof *part);
    if (r->head.parts == 0) part[0].digits = 1;
}

/* Reads the numbers of a value: none for a pattern, whose value is 1; one; or real and imaginary part. */
SPARSE_P_OUTLINE sparse_result sparse_p_read_value(sparse_p_reader *r, sparse_p_decimal part[2])
{
    sparse_p_clear_value(r, part);
    sparse_p_skip_blanks(r);
    r->value = r->at;
    for (size_t i = 0; i < r->head.parts; ++i) {
        sparse_p_skip_blanks(r);
        const char *const end = sparse_p_scan(r->at, r->window.end, r->o.lenient, &part[i]);
        if (end == NULL || !sparse_p_ends_word(end, r->window.end))
            return sparse_p_ends_line(r->at, r->window.end)
                       ? sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "the line ends before its value")
                       : sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "%s is not a number", sparse_p_quoted(r).text);
        r->at = end;
    }
    return SPARSE_OK;
}

/* Returns a bound: coordinates below it are within the coordinate width of the tensor, and so are sums of two of them. */
static inline uint64_t sparse_p_near(const sparse_p_reader *r)
{
    return sparse_p_largest(sparse_crd_bits(r->t->encoding)) / 2;
}

/* Enlarges the inferred sizes to contain an entry at c. */
SPARSE_P_OUTLINE sparse_result sparse_p_infer_sizes(sparse_p_reader *r, const size_t c[])
{
    const uint64_t near = sparse_p_near(r);
    bool grown = false, far = false;
    for (size_t d = 0; d < r->head.rank; ++d)
        if (r->head.max[d] <= c[d]) {
            r->head.max[d] = c[d] + 1;
            grown = true;
            far |= c[d] >= near;
        }
    return grown && far ? sparse_p_check_width(r, r->head.max) : SPARSE_OK;
}

/* Returns whether values need not be read in this pass. */
static inline bool sparse_p_skips_values(const sparse_p_reader *r)
{
    return r->store.way == SPARSE_P_MEASURE && !r->o.drop_zeros;
}

/* Prepares the entry at the coordinates c, which count from 0: *value = where to store its value. */
static inline sparse_result sparse_p_start_entry(sparse_p_reader *r, const size_t c[], void **value)
{
    if (r->head.inferred) SPARSE_P_TRY(sparse_p_infer_sizes(r, c));
    if (r->batch.count == r->batch.room) SPARSE_P_TRY(sparse_p_flush(r));
    *value = (char *)r->batch.values.at + r->batch.count * r->t->encoding->value_size;
    return SPARSE_OK;
}

/* Reports why the entry at the coordinates c cannot be packed. */
SPARSE_P_COLD sparse_result sparse_p_fail_entry(const sparse_p_reader *r, const size_t c[])
{
    const bool graph = r->o.format == SPARSE_FILE_EDGES || r->o.format == SPARSE_FILE_METIS;
    char text[24 * SPARSE_MAX_RANK] = "";
    int n = 0;
    if (r->blamed.why != SPARSE_E_DUPLICATE)
        return sparse_p_fail(r, r->line, r->blamed.why, "%s", sparse_message(r->blamed.why));
    for (size_t d = 0; d < r->t->encoding->rank; d++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%zu", d == 0 ? "" : graph ? " to " : " ", c[d] + r->head.base);
    return sparse_p_fail(r, r->line, r->blamed.why,
                         graph ? "the edge from %s is there already (option duplicates)"
                               : "there is an entry at %s already (option duplicates)",
                         text);
}

/* Adds the entry at c, whose value is already stored at `value`, to the batch. */
SPARSE_P_OUTLINE sparse_result sparse_p_keep_entry(sparse_p_reader *r, const size_t c[], const void *value)
{
    const sparse_encoding *const e = r->t->encoding;
    if (r->o.drop_zeros && sparse_p_is_fill(e, value)) return SPARSE_OK;
    if (r->store.count + r->batch.count == r->blamed.entry) return sparse_p_fail_entry(r, c);
    size_t *const to = (size_t *)r->batch.coordinates.at + r->batch.count++ * e->rank;
    for (size_t d = 0; d < e->rank; ++d) to[d] = c[d];
    return SPARSE_OK;
}

/* Adds the entry at c, whose value the text spells. */
SPARSE_P_OUTLINE sparse_result sparse_p_add_entry(sparse_p_reader *r, const size_t c[], const sparse_p_decimal part[2])
{
    const sparse_kind kind = r->t->encoding->kind;
    const bool promised = r->head.field == SPARSE_P_FIELD_INTEGER && kind <= SPARSE_U64;
    void *value = NULL;
    SPARSE_P_TRY(sparse_p_start_entry(r, c, &value));
    if (sparse_p_skips_values(r)) return sparse_p_keep_entry(r, c, value);
    if ((promised && !part[0].integer) || !sparse_p_to_value(part, kind, r->o.allow_overflow, value))
        return sparse_p_fail(r, r->value, SPARSE_E_VALUE_RANGE, "the value does not fit the value type of %s",
                             sparse_p_type_name(r));
    return sparse_p_keep_entry(r, c, value);
}

/* Replaces an entry by its mirror image: A(j, i) = A(i, j), -A(i, j) or conj(A(i, j)). */
static inline void sparse_p_mirror(const sparse_p_reader *r, size_t c[], sparse_p_decimal part[2])
{
    const size_t row = c[0];
    c[0] = c[1];
    c[1] = row;
    part[0].negative ^= r->head.symmetry == SPARSE_SYMMETRY_SKEW;
    part[1].negative ^= r->head.symmetry == SPARSE_SYMMETRY_SKEW || r->head.symmetry == SPARSE_SYMMETRY_HERMITIAN;
}

/* Returns whether a matrix in sorted COO has an entry at the coordinates c. If t is null, it has none. */
static inline bool sparse_p_holds(const sparse_tensor *t, const size_t c[])
{
    size_t begin = 0, end = t ? t->val.length : 0;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        const uint64_t *const at = (const uint64_t *)t->crd[0].at + 2 * middle;
        if (at[0] == c[0] && at[1] == c[1]) return true;
        if (at[0] < c[0] || (at[0] == c[0] && at[1] < c[1]))
            begin = middle + 1;
        else
            end = middle;
    }
    return false;
}

/* Adds an entry and, if the file is symmetric, its mirror image, too. */
SPARSE_P_OUTLINE sparse_result sparse_p_add_symmetric(sparse_p_reader *r, size_t c[], sparse_p_decimal part[2])
{
    if (r->head.symmetry == SPARSE_SYMMETRY_GENERAL) return sparse_p_add_entry(r, c, part);
    if (c[0] < c[1]) {
        if (!r->o.lenient)
            return sparse_p_fail(r, r->line, SPARSE_E_SYMMETRY, "the entry is above the diagonal of a symmetric matrix");
        sparse_p_mirror(r, c, part);
        r->triangle.seen |= SPARSE_P_UPPER;
        if (r->triangle.only == SPARSE_P_LOWER || sparse_p_holds(r->triangle.lower, c)) return SPARSE_OK;
        if (r->triangle.twin[0] == c[0] && r->triangle.twin[1] == c[1])
            return sparse_p_fail(r, r->line, SPARSE_E_SYMMETRY, "the entry is not the image of the one below the diagonal");
    } else {
        if (c[0] > c[1]) r->triangle.seen |= SPARSE_P_LOWER;
        if (r->triangle.only == SPARSE_P_UPPER) return SPARSE_OK;
    }
    const bool zero = sparse_p_spells_zero(&part[0]) && sparse_p_spells_zero(&part[1]);
    if (r->head.symmetry == SPARSE_SYMMETRY_SKEW && c[0] == c[1] && !zero)
        return sparse_p_fail(r, r->line, SPARSE_E_SYMMETRY, "the diagonal of a skew-symmetric matrix must be zero");
    SPARSE_P_TRY(sparse_p_add_entry(r, c, part));
    if (c[0] == c[1] || r->o.stored_half) return SPARSE_OK;
    sparse_p_mirror(r, c, part);
    return sparse_p_add_entry(r, c, part);
}

/* Reads the rest of an entry, from its value to the end of the line, and adds the entry. */
SPARSE_P_OUTLINE sparse_result sparse_p_finish_entry(sparse_p_reader *r, size_t c[])
{
    sparse_p_decimal part[2];
    if (sparse_p_skips_values(r)) {
        sparse_p_clear_value(r, part);
        sparse_p_skip_line(r);
        return sparse_p_add_symmetric(r, c, part);
    }
    SPARSE_P_TRY(sparse_p_read_value(r, part));
    sparse_p_skip_blanks(r);
    if (r->o.lenient && r->o.format == SPARSE_FILE_MATRIX_MARKET) sparse_p_skip_line(r);
    if (!sparse_p_ends_line(r->at, r->window.end))
        return sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "%s should not follow the entry", sparse_p_quoted(r).text);
    return sparse_p_add_symmetric(r, c, part);
}

/* Reads a line that holds one entry, "3 1 0.5". */
static inline sparse_result sparse_p_read_entry(sparse_p_reader *r)
{
    size_t c[SPARSE_MAX_RANK] = {0};
    for (size_t d = 0; d < r->head.rank; ++d) SPARSE_P_TRY(sparse_p_read_coordinate(r, d, &c[d]));
    return sparse_p_finish_entry(r, c);
}

/* Returns whether the entries may be read by the fast way for common lines (sparse_p_read_common_lines). */
static inline bool sparse_p_may_be_common(const sparse_p_reader *r)
{
    return !r->head.array && !r->syntax.by_words && r->head.parts <= 1 && r->head.rank == r->t->encoding->rank &&
           !r->o.drop_zeros && r->head.symmetry <= SPARSE_SYMMETRY_SYMMETRIC && r->blamed.entry == SIZE_MAX &&
           r->triangle.only == 0;
}

/* Returns whether c may separate two numbers of a common line. */
SPARSE_P_INLINE bool sparse_p_is_between(const sparse_p_reader *r, char c)
{
    return c == r->syntax.between[0] || c == r->syntax.between[1];
}

/* Reads the coordinates of a common line: digits with one separator between two numbers. Returns their end, or null if
   the line is not a common one. */
SPARSE_P_INLINE const char *sparse_p_common_coordinates(sparse_p_reader *r, const char *at, size_t rank, size_t c[])
{
    const uint64_t near = sparse_p_near(r);
    bool grows = false, far = false;
    for (size_t d = 0; d < rank; d++) {
        uint64_t n = 0;
        if (d > 0 && !sparse_p_is_between(r, *at++)) return NULL;
        const char *const digits = at;
        at = sparse_p_digits(at, r->window.end, &n);
        n -= r->head.base;
        if ((size_t)(at - digits) - 1 >= 19 || n >= r->head.dim[d]) return NULL;
        grows |= n >= r->head.max[d];
        far |= n >= near;
        c[d] = (size_t)n;
    }
    if (r->head.inferred && far) return NULL;
    if (r->head.inferred && grows) (void)sparse_p_infer_sizes(r, c); /* cannot fail, because the coordinates are small */
    return r->head.symmetry != SPARSE_SYMMETRY_GENERAL && c[0] < c[1] ? NULL : at;
}

/* Reads the value of a common line. Returns its end, or null if the line is not a common one. */
SPARSE_P_INLINE const char *sparse_p_common_value(const sparse_p_reader *r, const char *at, void *value)
{
    const sparse_kind kind = r->t->encoding->kind;
    sparse_p_decimal part[2];
    uint64_t bits;
    if (!sparse_p_is_between(r, *at)) return NULL;
    at = sparse_p_scan(at + 1, r->window.end, false, &part[0]);
    if (!at) return NULL;
    if (kind == SPARSE_F64 && sparse_p_quick_double(&part[0], &bits)) {
        memcpy(value, &bits, sizeof bits);
        return at;
    }
    if (kind <= SPARSE_U64 && r->head.field == SPARSE_P_FIELD_INTEGER && !part[0].integer) return NULL;
    memset(&part[1], 0, sizeof part[1]);
    return sparse_p_to_value(part, kind, r->o.allow_overflow, value) ? at : NULL;
}

/* Reads up to `most` common lines into the batch, while it has room. Returns how many lines were read. */
static inline size_t sparse_p_read_lines_here(sparse_p_reader *r, size_t most)
{
    const size_t rank = r->head.rank, size = r->t->encoding->value_size;
    const bool twice = r->head.symmetry == SPARSE_SYMMETRY_SYMMETRIC && !r->o.stored_half, skips = sparse_p_skips_values(r);
    size_t lines = 0;
    size_t *c = (size_t *)r->batch.coordinates.at + r->batch.count * rank;
    char *value = (char *)r->batch.values.at + r->batch.count * size;
    const char *at = r->at, *const whole = r->window.whole;
    while (lines < most && at < whole && r->batch.count + 2 <= r->batch.room) {
        const char *end = sparse_p_common_coordinates(r, at, rank, c);
        if (!end) break;
        if (skips)
            end = sparse_p_line_end(end, r->window.end);
        else if (r->head.parts == 1)
            end = sparse_p_common_value(r, end, value);
        else
            memcpy(value, r->batch.one, size);
        if (!end) break;
        end += *end == '\r';
        if (*end != '\n') break;
        at = end + 1;
        lines++;
        const size_t *const here = c;
        const char *const same = value;
        r->batch.count++;
        c += rank;
        value += size;
        if (here[0] != here[rank > 1]) r->triangle.seen |= SPARSE_P_LOWER;
        if (twice && here[0] != here[1]) {
            c[0] = here[1];
            c[1] = here[0];
            sparse_p_move(value, same, size);
            r->batch.count++;
            c += rank;
            value += size;
        }
    }
    r->at = at;
    return lines;
}

    #if defined(_OPENMP)
/* Reads the common lines of piece k into the buffers of that piece. */
static inline void sparse_p_read_piece(const sparse_p_reader *r, const sparse_p_pieces *p, unsigned k, sparse_p_piece *piece)
{
    sparse_p_reader part = *r;
    part.at = piece->begin;
    part.window.whole = piece->end;
    part.batch.coordinates.at = (size_t *)p->coordinates[p->turn].at + k * p->room * r->head.rank;
    part.batch.values.at = (char *)p->values[p->turn].at + k * p->room * r->t->encoding->value_size;
    part.batch.count = 0;
    part.batch.room = p->room;
    piece->lines = sparse_p_read_lines_here(&part, SIZE_MAX);
    piece->stopped = part.at < piece->end;
    piece->end = part.at;
    piece->count = part.batch.count;
    piece->seen = part.triangle.seen;
    memcpy(piece->max, part.head.max, sizeof part.head.max);
}

/* Allocates the buffers of the pieces. Returns false, and reads with one thread from now on, if memory runs out. */
static inline bool sparse_p_open_pieces(sparse_p_reader *r)
{
    const sparse_hooks *const hooks = r->t->hooks;
    sparse_p_pieces *const p = r->pieces;
    if (p->room > 0) return true;
    p->room =
        SPARSE_P_PIECE / (2 * (r->head.rank + r->head.parts)) * (r->head.symmetry != SPARSE_SYMMETRY_GENERAL ? 2 : 1) + 4;
    for (unsigned k = 0; k < 2; k++)
        if (sparse_p_allocate(hooks, &p->coordinates[k], SPARSE_P_PIECES * p->room, r->head.rank * sizeof(size_t)) ||
            sparse_p_allocate(hooks, &p->values[k], SPARSE_P_PIECES * p->room, r->t->encoding->value_size)) {
            r->o.threads = 1;
            return false;
        }
    return true;
}

static inline void sparse_p_close_pieces(sparse_p_reader *r)
{
    const sparse_encoding *const e = r->t->encoding;
    for (unsigned k = 0; k < 2; k++) {
        sparse_p_release(r->t->hooks, &r->pieces->coordinates[k], e->rank * sizeof(size_t));
        sparse_p_release(r->t->hooks, &r->pieces->values[k], e->value_size);
    }
    sparse_p_release(r->t->hooks, &r->pieces->ahead, 1);
}

/* Cuts the unread complete lines of the window into pieces that end at line ends. */
static inline void sparse_p_cut_pieces(const sparse_p_reader *r, sparse_p_pieces *p)
{
    const char *at = r->at;
    for (p->used = 0; p->used < SPARSE_P_PIECES && at < r->window.whole; p->used++) {
        const char *end = r->window.whole - at > SPARSE_P_PIECE ? at + SPARSE_P_PIECE : r->window.whole;
        while (end > at && end[-1] != '\n') end--;
        if (end == at) return; /* a line is longer than a piece */
        p->piece[p->used].begin = at;
        p->piece[p->used].end = at = end;
    }
}

/* Reads the common lines of the window with several threads. Reading ends at the first line that is not common, and
   before a piece that would exceed `most` lines. What the threads read behind that point is dropped, and read again later.
   *lines = how many lines were read. */
static inline sparse_result sparse_p_read_in_parallel(sparse_p_reader *r, size_t most, size_t *lines)
{
    sparse_p_pieces *const p = r->pieces;
    sparse_result result = SPARSE_OK;
    if (!sparse_p_open_pieces(r)) return SPARSE_OK;
    if (r->batch.count > 0) SPARSE_P_TRY(sparse_p_flush(r));
    sparse_p_cut_pieces(r, p);
    const int parts = (int)p->used, threads = (int)r->o.threads;
    const sparse_p_reader shared = *r;
        #pragma omp parallel num_threads(threads)
    {
        #pragma omp master
        {
            result = sparse_p_store_pieces(r);
            sparse_p_fill_ahead(r);
        }
        #pragma omp for schedule(dynamic, 1) nowait
        for (int k = 0; k < parts; k++) sparse_p_read_piece(&shared, p, (unsigned)k, &p->piece[k]);
    }
    if (result && !r->store.unfit) return sparse_p_fail_sizes(r, result);
    if (result) return result;
    for (unsigned k = 0; k < p->used && p->piece[k].lines <= most - *lines; k++) {
        const sparse_p_piece *const piece = &p->piece[k];
        *lines += piece->lines;
        p->counts[p->pending++] = piece->count;
        r->at = piece->end;
        r->triangle.seen |= piece->seen;
        for (size_t d = 0; d < r->head.rank; d++)
            if (r->head.max[d] < piece->max[d]) r->head.max[d] = piece->max[d];
        if (piece->stopped) break;
    }
    p->turn = !p->turn;
    return SPARSE_OK;
}
    #endif

/* Reads up to `most` lines in the fast way, as long as they are common lines. A common line holds only one entry, and its
   numbers are one separator apart. Stops before any other line, correct or not, and the caller reads it by the general
   way. *lines = how many lines were read. */
SPARSE_P_OUTLINE sparse_result sparse_p_read_common_lines(sparse_p_reader *r, size_t most, size_t *lines)
{
    *lines = 0;
    if (!sparse_p_may_be_common(r)) return SPARSE_OK;
    r->at += r->at < r->window.whole && *r->at == '\r';
    r->at += r->at < r->window.whole && *r->at == '\n';
    if (r->at >= r->window.safe && !r->window.ended) sparse_p_refill(r);
    #if defined(_OPENMP)
    if (r->o.threads > 1 && r->store.count > 0 && r->window.whole - r->at > 2 * SPARSE_P_PIECE) {
        SPARSE_P_TRY(sparse_p_read_in_parallel(r, most, lines));
        if (*lines > 0) return SPARSE_OK;
    }
    #endif
    if (r->batch.count + 2 > r->batch.room) SPARSE_P_TRY(sparse_p_flush(r));
    *lines = sparse_p_read_lines_here(r, most);
    return SPARSE_OK;
}

/* Reads a line with one value of an array file. The coordinates follow from the position of the value: the first
   dimension is the fastest. For a symmetric matrix, the file holds only the lower triangle. */
static inline sparse_result sparse_p_read_array_entry(sparse_p_reader *r)
{
    size_t c[SPARSE_MAX_RANK], d = 0;
    memcpy(c, r->batch.next, sizeof c);
    while (d < r->head.rank && ++r->batch.next[d] == r->head.dim[d]) r->batch.next[d++] = 0;
    const size_t least = r->batch.next[1] + (r->head.symmetry == SPARSE_SYMMETRY_SKEW);
    if (r->head.symmetry != SPARSE_SYMMETRY_GENERAL && r->batch.next[0] < least) r->batch.next[0] = least;
    return sparse_p_finish_entry(r, c);
}

/* Reads as many entries as the size line has announced, then requires the end of the text. */
SPARSE_P_OUTLINE sparse_result sparse_p_read_entries(sparse_p_reader *r)
{
    size_t lines = 0;
    for (size_t n = 0; n<r->head.announced; n += lines> 0 ? lines : 1) {
        SPARSE_P_TRY(sparse_p_read_common_lines(r, r->head.announced - n, &lines));
        if (lines > 0) continue;
        if (!sparse_p_next_line(r))
            return sparse_p_fail(r, r->window.end, SPARSE_E_COUNT, "the file ends after %zu of %zu entries", n,
                                 r->head.announced);
        SPARSE_P_TRY(r->head.array ? sparse_p_read_array_entry(r) : sparse_p_read_entry(r));
    }
    if (sparse_p_next_line(r))
        return sparse_p_fail(r, r->at, SPARSE_E_COUNT, "more follows the %zu entries of the file", r->head.announced);
    return SPARSE_OK;
}

/* >>market
   Matrix Market. Boisvert, Pozo, Remington: "The Matrix Market Exchange Formats: Initial Design" (NISTIR 5935, 1996).
   Extensions: the object `vector` and, from TACO, the object `tensor`, whose size line has one size per dimension. */

/* Skips the first word of a Matrix Market file. Returns false if the text does not begin with it. */
SPARSE_P_COLD bool sparse_p_skip_tag(sparse_p_reader *r)
{
    r->at = r->window.begin;
    if (r->o.lenient) {
        r->at += sparse_p_prefix(r->at, r->window.end, "\xEF\xBB\xBF"); /* the byte-order mark in UTF-8 */
        sparse_p_skip_blanks(r);
    }
    const char *const tag = r->o.lenient && sparse_p_prefix(r->at, r->window.end, "%m") ? "%matrixmarket" : "%%matrixmarket";
    const size_t length = sparse_p_prefix(r->at, r->window.end, tag);
    r->at += length;
    return length > 0 && sparse_p_ends_word(r->at, r->window.end);
}

static inline bool sparse_p_is_market(sparse_p_reader *r) { return sparse_p_skip_tag(r); }

/* Reads a word of the banner; *index = its index in the list: "array" of "coordinate array" -> 1. Refuses a word that the
   list does not have. `what` names the word in messages. */
SPARSE_P_COLD sparse_result sparse_p_read_keyword(sparse_p_reader *r, const char *what, const char *list, int *index)
{
    sparse_p_skip_blanks(r);
    const char *end = r->at;
    while (!sparse_p_ends_word(end, r->window.end)) end++;
    *index = sparse_p_index_in(list, r->at, end);
    if (*index < 0) return sparse_p_fail(r, r->at, SPARSE_E_BANNER, "the banner's %s must be one of: %s", what, list);
    r->at = end;
    return SPARSE_OK;
}

/* Refuses a file whose values the value type of the tensor cannot hold. */
SPARSE_P_COLD sparse_result sparse_p_check_values(const sparse_p_reader *r)
{
    const sparse_kind kind = r->t->encoding->kind;
    if (r->head.parts == 2 && !sparse_p_is_complex(r->t->encoding))
        return sparse_p_fail(r, r->at, SPARSE_E_VALUE_TYPE, "complex values do not go into real ones");
    if (r->head.symmetry == SPARSE_SYMMETRY_SKEW && kind >= SPARSE_U8 && kind <= SPARSE_U64)
        return sparse_p_fail(r, r->at, SPARSE_E_VALUE_TYPE,
                             "the values of a skew-symmetric matrix do not go into unsigned ones");
    return SPARSE_OK;
}

/* Refuses a banner that contradicts itself, or whose values the value type of the tensor cannot hold. */
SPARSE_P_COLD sparse_result sparse_p_check_banner(const sparse_p_reader *r)
{
    const char *wrong = NULL;
    if (!sparse_p_ends_line(r->at, r->window.end))
        wrong = "the banner must end after five words";
    else if (r->head.array && r->head.parts == 0)
        wrong = "an array cannot be a pattern";
    else if (r->head.symmetry != SPARSE_SYMMETRY_GENERAL && r->head.object != SPARSE_P_OBJECT_MATRIX)
        wrong = "only a matrix can have a symmetry";
    else if (r->head.symmetry == SPARSE_SYMMETRY_SKEW && r->head.parts == 0)
        wrong = "a pattern cannot be skew-symmetric";
    else if (r->head.symmetry == SPARSE_SYMMETRY_HERMITIAN && r->head.parts != 2)
        wrong = "only a complex matrix can be Hermitian";
    return wrong ? sparse_p_fail(r, r->at, SPARSE_E_BANNER, "%s", wrong) : sparse_p_check_values(r);
}

/* Reads the first line, "%%MatrixMarket matrix coordinate real general". */
static inline sparse_result sparse_p_read_banner(sparse_p_reader *r)
{
    int format;
    if (!sparse_p_skip_tag(r))
        return sparse_p_fail(r, r->window.begin, SPARSE_E_BANNER, "the first line must start with %%%%MatrixMarket");
    SPARSE_P_TRY(sparse_p_read_keyword(r, "object", "matrix vector tensor", &r->head.object));
    SPARSE_P_TRY(sparse_p_read_keyword(r, "format", "coordinate array", &format));
    SPARSE_P_TRY(sparse_p_read_keyword(r, "field", "real double integer complex pattern", &r->head.field));
    SPARSE_P_TRY(sparse_p_read_keyword(r, "symmetry", "general symmetric skew-symmetric hermitian", &r->head.symmetry));
    sparse_p_skip_blanks(r);
    r->head.array = format == 1;
    r->head.parts = r->head.field == SPARSE_P_FIELD_PATTERN ? 0 : r->head.field == SPARSE_P_FIELD_COMPLEX ? 2 : 1;
    return sparse_p_check_banner(r);
}

/* *length = the number of values in an array file; 0 if a size is 0. */
static inline sparse_result sparse_p_array_length(const sparse_p_reader *r, size_t *length)
{
    size_t n = 1;
    for (size_t d = 0; d < r->head.rank; ++d) {
        if (r->head.dim[d] != 0 && n > SIZE_MAX / r->head.dim[d])
            return sparse_p_fail(r, r->line, SPARSE_E_OVERFLOW, "the array has more values than can be counted");
        n *= r->head.dim[d];
    }
    if (r->head.symmetry != SPARSE_SYMMETRY_GENERAL)
        n = (n - r->head.dim[0]) / 2 + (r->head.symmetry == SPARSE_SYMMETRY_SKEW ? 0 : r->head.dim[0]);
    *length = n;
    return SPARSE_OK;
}

/* Reads the size line: the sizes and, in a coordinate file, the number of entries. */
static inline sparse_result sparse_p_read_size_line(sparse_p_reader *r)
{
    const size_t counts = r->head.array ? 0 : 1;
    const size_t least = counts + (r->head.object == SPARSE_P_OBJECT_MATRIX ? 2 : 1);
    const size_t most = r->head.object == SPARSE_P_OBJECT_TENSOR ? counts + SPARSE_MAX_RANK : least;
    size_t size[SPARSE_MAX_RANK + 1], n;
    SPARSE_P_TRY(sparse_p_read_sizes(r, "size line", least, most, size, &n));
    r->head.rank = n - counts;
    memcpy(r->head.dim, size, r->head.rank * sizeof *size);
    if (r->head.symmetry != SPARSE_SYMMETRY_GENERAL && r->head.dim[0] != r->head.dim[1])
        return sparse_p_fail(r, r->line, SPARSE_E_HEADER, "a symmetric matrix must be square, not %zu by %zu",
                             r->head.dim[0], r->head.dim[1]);
    SPARSE_P_TRY(sparse_p_check_shape(r));
    if (!r->head.array) return sparse_p_announce(r, size[n - 1], r->head.rank + r->head.parts);
    SPARSE_P_TRY(sparse_p_array_length(r, &n));
    return sparse_p_announce(r, n, r->head.parts);
}

SPARSE_P_COLD sparse_result sparse_p_read_market(sparse_p_reader *r)
{
    SPARSE_P_TRY(sparse_p_read_banner(r));
    r->head.stated = (sparse_symmetry)r->head.symmetry;
    SPARSE_P_TRY(sparse_p_read_size_line(r));
    r->batch.next[0] = r->head.symmetry == SPARSE_SYMMETRY_SKEW ? 1 : 0;
    return sparse_p_read_entries(r);
}

/* >>frostt
   FROSTT and extended FROSTT: frostt.io/tensors/file-formats.html. A .tns file has no header, so the first line with an
   entry determines the rank. A file of ParTI is an exception: it starts with a line for the rank and a line for the
   sizes. A line with one number cannot be an entry, so these files are recognised. The extended format of MLIR starts
   with a line for the rank and the number of entries, and a line for the sizes. These could be mistaken for entries, so
   the first line must be a comment that names the format, unless the option format does. Entries of a complex tensor may
   have two numbers for the value. */

/* Returns whether the first line names the extended format. The line begins with # or, from older tools, with ;. */
static inline bool sparse_p_is_extended(sparse_p_reader *r)
{
    static const char *const line[] = {"# extended frostt format", "; extended frostt format"};
    return sparse_p_prefix(r->window.begin, r->window.end, line[0]) != 0 ||
           sparse_p_prefix(r->window.begin, r->window.end, line[1]) != 0;
}

/* Returns whether the next entry has two numbers for a complex value. */
static inline bool sparse_p_frostt_is_complex(sparse_p_reader *r)
{
    return sparse_p_is_complex(r->t->encoding) && sparse_p_next_line(r) && sparse_p_count_words(r) == r->head.rank + 2;
}

/* Reads a line with the sizes of all dimensions; r->head.rank is known. */
static inline sparse_result sparse_p_read_dims(sparse_p_reader *r)
{
    size_t n;
    SPARSE_P_TRY(sparse_p_check_rank(r)); /* head.dim has no room for more sizes */
    SPARSE_P_TRY(sparse_p_read_sizes(r, "line of sizes", r->head.rank, r->head.rank, r->head.dim, &n));
    return sparse_p_check_shape(r);
}

SPARSE_P_COLD sparse_result sparse_p_read_extended(sparse_p_reader *r)
{
    size_t size[2], n;
    if (r->window.begin < r->window.end && *r->window.begin == ';') sparse_p_skip_line(r);
    SPARSE_P_TRY(sparse_p_read_sizes(r, "line of rank and number of entries", 2, 2, size, &n));
    r->head.rank = size[0];
    SPARSE_P_TRY(sparse_p_read_dims(r));
    r->head.parts = sparse_p_frostt_is_complex(r) ? 2 : 1;
    SPARSE_P_TRY(sparse_p_announce(r, size[1], r->head.rank + r->head.parts));
    return sparse_p_read_entries(r);
}

/* Determines rank and sizes: from the first lines of a ParTI file; else the rank from the first entry, and the sizes from
   the option dim or from all entries. */
static inline sparse_result sparse_p_read_frostt_shape(sparse_p_reader *r)
{
    const size_t columns = sparse_p_next_line(r) ? sparse_p_count_words(r) : 0;
    size_t n;
    if (columns == 0 && r->o.dim == NULL)
        return sparse_p_fail(r, r->window.end, SPARSE_E_HEADER, "without an entry the file does not tell its rank");
    if (columns == 1) {
        SPARSE_P_TRY(sparse_p_read_sizes(r, "line of the rank", 1, 1, &r->head.rank, &n));
        return sparse_p_read_dims(r);
    }
    r->head.rank = r->t->encoding->rank;
    if (columns != 0 && !sparse_p_frostt_is_complex(r)) r->head.rank = columns - 1;
    return sparse_p_start_sizes(r);
}

/* Reads an entry from each remaining line. */
SPARSE_P_OUTLINE sparse_result sparse_p_read_lines(sparse_p_reader *r)
{
    for (;;) {
        size_t lines;
        SPARSE_P_TRY(sparse_p_read_common_lines(r, SIZE_MAX, &lines));
        if (lines > 0) continue;
        if (!sparse_p_next_line(r)) break;
        const sparse_result result = sparse_p_read_entry(r);
        if (result == SPARSE_OK) continue;
        r->at = r->line;
        const size_t columns = sparse_p_count_words(r), wanted = r->head.rank + r->head.parts;
        if (result == SPARSE_E_ENTRY && columns != wanted)
            (void)sparse_p_fail(r, r->line, result, "the line has %zu columns, not %zu", columns, wanted);
        return result;
    }
    return SPARSE_OK;
}

SPARSE_P_COLD sparse_result sparse_p_read_frostt(sparse_p_reader *r)
{
    SPARSE_P_TRY(sparse_p_read_frostt_shape(r));
    r->head.parts = sparse_p_frostt_is_complex(r) ? 2 : 1;
    return sparse_p_read_lines(r);
}

/* >>smtx
   The format of the Deep Learning Matrix Collection (DLMC), a pattern that counts from 0. Its lines are "rows, cols,
   nnz", then all row offsets, then all column indices. */

/* Returns whether the first line has three sizes with commas, and the second line has matching row offsets. */
SPARSE_P_COLD bool sparse_p_is_smtx(sparse_p_reader *r)
{
    const char *at = r->window.begin;
    uint64_t size[3], last = 0, n = 0, rows = 0;
    while (at < r->window.end && *at == '%') at = sparse_p_line_after(r, at);
    for (unsigned k = 0; k < 3; k++) {
        if (!sparse_p_look_at_natural(&at, r->window.end, &size[k])) return false;
        if (k < 2 && (at == r->window.end || *at++ != ',')) return false;
    }
    while (at < r->window.end && sparse_p_is_space(*at)) at++;
    if (at == r->window.end || !sparse_p_ends_line(at, r->window.end)) return false;
    for (at = sparse_p_line_after(r, at); sparse_p_look_at_natural(&at, r->window.end, &n); last = n, rows++) {
        /* the line, and perhaps this number, continues after the window */
        if (at == r->window.end && !r->window.ended) return rows > 0;
        if (!sparse_p_ends_word(at, r->window.end) || n < last || n > (rows > 0 ? size[2] : 0)) return false;
    }
    if (at == r->window.end && !r->window.ended) return rows > 0;
    return sparse_p_ends_line(at, r->window.end) && rows > 0 && rows - 1 == size[0] && last == size[2];
}

/* Goes to the next word of a line that may be longer than the window. Returns false at the end of the line. */
static inline bool sparse_p_next_word(sparse_p_reader *r)
{
    for (;;) {
        sparse_p_skip_blanks(r);
        if (r->at < r->window.safe || r->window.ended) return !sparse_p_ends_line(r->at, r->window.end);
        sparse_p_refill(r);
    }
}

/* Reads the row offsets. They must not decrease, the first must be 0 and the last must be the number of entries. */
SPARSE_P_OUTLINE sparse_result sparse_p_read_smtx_offsets(sparse_p_reader *r)
{
    size_t last = 0;
    for (size_t row = 0; row <= r->head.dim[0]; row++) {
        const size_t most = row > 0 ? r->head.announced : 0;
        uint64_t n;
        bool fits;
        if (!sparse_p_next_word(r))
            return sparse_p_fail(r, r->at, SPARSE_E_POSITIONS, "the line has %zu row offsets, but %zu rows have %zu", row,
                                 r->head.dim[0], r->head.dim[0] + 1);
        const char *const end = sparse_p_natural(r->at, r->window.end, &n, &fits);
        if (!end || !fits || n < last || n > most || !sparse_p_ends_word(end, r->window.end))
            return sparse_p_fail(r, r->at, SPARSE_E_POSITIONS, "%s is no row offset from %zu to %zu",
                                 sparse_p_quoted(r).text, last, most);
        sparse_result result = sparse_p_grow(r->t->hooks, &r->head.offsets, row + 1, sizeof(size_t));
        if (result) return sparse_p_fail(r, NULL, result, "%s", sparse_message(result));
        ((size_t *)r->head.offsets.at)[row] = last = (size_t)n;
        r->at = end;
    }
    if (last == r->head.announced) return SPARSE_OK;
    return sparse_p_fail(r, r->at, SPARSE_E_POSITIONS, "the last row offset is %zu, but there are %zu entries", last,
                         r->head.announced);
}

/* Reads the column indices of all rows. */
SPARSE_P_OUTLINE sparse_result sparse_p_read_smtx_columns(sparse_p_reader *r)
{
    sparse_p_decimal one[2];
    size_t c[SPARSE_MAX_RANK] = {0};
    SPARSE_P_TRY(sparse_p_read_value(r, one));
    for (size_t p = 0; p < r->head.announced; p++) {
        while (((const size_t *)r->head.offsets.at)[c[0] + 1] <= p) c[0]++;
        sparse_p_next_word(r);
        r->line = r->at;
        SPARSE_P_TRY(sparse_p_read_coordinate(r, 1, &c[1]));
        SPARSE_P_TRY(sparse_p_add_entry(r, c, one));
    }
    return SPARSE_OK;
}

/* Refuses any number that follows the last expected one of a line. `what` names such a number. */
static inline sparse_result sparse_p_smtx_line_end(sparse_p_reader *r, const char *what, sparse_result result)
{
    if (!sparse_p_next_word(r)) return SPARSE_OK;
    return sparse_p_fail(r, r->at, result, "%s is one %s too many", sparse_p_quoted(r).text, what);
}

SPARSE_P_COLD sparse_result sparse_p_read_smtx(sparse_p_reader *r)
{
    size_t size[3], n;
    r->head.field = SPARSE_P_FIELD_PATTERN;
    r->head.base = 0;
    r->head.rank = 2;
    SPARSE_P_TRY(sparse_p_read_sizes(r, "size line", 3, 3, size, &n));
    memcpy(r->head.dim, size, r->head.rank * sizeof *size);
    SPARSE_P_TRY(sparse_p_check_shape(r));
    SPARSE_P_TRY(sparse_p_announce(r, size[2], 1));
    r->syntax.by_words = true;
    if (!sparse_p_next_line(r))
        return sparse_p_fail(r, r->window.end, SPARSE_E_COUNT, "the file ends before its row offsets");
    SPARSE_P_TRY(sparse_p_read_smtx_offsets(r));
    SPARSE_P_TRY(sparse_p_smtx_line_end(r, "row offset", SPARSE_E_POSITIONS));
    if (size[2] > 0) sparse_p_next_line(r);
    SPARSE_P_TRY(sparse_p_read_smtx_columns(r));
    SPARSE_P_TRY(sparse_p_smtx_line_end(r, "column index", SPARSE_E_COUNT));
    if (sparse_p_next_line(r)) return sparse_p_fail(r, r->at, SPARSE_E_COUNT, "more follows the column indices");
    return SPARSE_OK;
}

/* >>sptensor
   The text format of Tensor Toolbox and pyttb: the word sptensor, the rank, the sizes, the number of entries, each on its
   own line; then one line per entry. Files of GenTen count from 0 and need the option zero_based. */

SPARSE_P_COLD bool sparse_p_is_sptensor(sparse_p_reader *r)
{
    const size_t length = sparse_p_prefix(r->window.begin, r->window.end, "sptensor");
    return length > 0 && sparse_p_ends_word(r->window.begin + length, r->window.end);
}

SPARSE_P_COLD sparse_result sparse_p_read_sptensor(sparse_p_reader *r)
{
    size_t entries, n;
    if (!sparse_p_is_sptensor(r))
        return sparse_p_fail(r, r->window.begin, SPARSE_E_BANNER, "the first line must be sptensor");
    sparse_p_skip_line(r);
    SPARSE_P_TRY(sparse_p_read_sizes(r, "line of the rank", 1, 1, &r->head.rank, &n));
    SPARSE_P_TRY(sparse_p_read_dims(r));
    SPARSE_P_TRY(sparse_p_read_sizes(r, "line of the number of entries", 1, 1, &entries, &n));
    r->head.parts = sparse_p_frostt_is_complex(r) ? 2 : 1;
    SPARSE_P_TRY(sparse_p_announce(r, entries, r->head.rank + r->head.parts));
    return sparse_p_read_entries(r);
}

/* >>edges
   A graph as a list of edges, as SNAP and others publish it. Each line is "from to" or "from to weight"; comments begin
   with # or %. A(from, to) = weight, or 1. Vertices count from 0. They count from 1 if the option one_based is set, or if
   the file is from KONECT, which begins with "% sym", "% asym" or "% bip". The matrix is square and its size is the
   largest vertex, with two exceptions: the option dim states the sizes, or the file is a bipartite graph of KONECT. The
   edges of an undirected graph are not mirrored: the matrix has what the file lists. */

/* Returns the index of the word with which a KONECT file begins: 0 sym, 1 asym, 2 bip. Returns -1 for other files. */
SPARSE_P_COLD int sparse_p_konect(const sparse_p_reader *r)
{
    const char *at = r->window.begin, *end;
    if (at == r->window.end || *at++ != '%') return -1;
    at = sparse_p_past(at, r->window.end, "\t");
    for (end = at; !sparse_p_ends_word(end, r->window.end);) end++;
    return sparse_p_index_in("sym asym bip", at, end);
}

/* Returns whether the comments at the beginning mention nodes, as the comments of SNAP do, or the file is from KONECT. */
SPARSE_P_COLD bool sparse_p_is_edges(sparse_p_reader *r)
{
    for (const char *at = r->window.begin; at < r->window.end && *at == '#'; at = sparse_p_line_after(r, at))
        for (const char *word = at; !sparse_p_ends_line(word, r->window.end); word++)
            if (sparse_p_prefix(word, r->window.end, "nodes:") || sparse_p_prefix(word, r->window.end, "fromnodeid"))
                return true;
    return sparse_p_konect(r) >= 0;
}

/* If the sizes are inferred and the graph is not bipartite, both become the larger one. */
SPARSE_P_COLD sparse_result sparse_p_read_edges(sparse_p_reader *r)
{
    const int konect = sparse_p_konect(r);
    r->syntax.comment[1] = '%';
    r->head.rank = 2;
    r->head.base = r->o.one_based || (konect >= 0 && !r->o.zero_based);
    SPARSE_P_TRY(sparse_p_start_sizes(r));
    const size_t columns = sparse_p_next_line(r) ? sparse_p_count_words(r) : 2;
    if (columns != 2 && columns != 3)
        return sparse_p_fail(r, r->line, SPARSE_E_ENTRY, "the line has %zu columns, not 2 or 3", columns);
    r->head.parts = columns - 2;
    SPARSE_P_TRY(sparse_p_read_lines(r));
    if (konect < 2) r->head.max[0] = r->head.max[1] = r->head.max[r->head.max[0] < r->head.max[1]];
    return SPARSE_OK;
}

/* Returns whether a list of edges was read as counting from 0, although the file does not say so and has no vertex 0. It
   may then count from 1, and the message warns. */
SPARSE_P_COLD bool sparse_p_is_shifted(const sparse_p_reader *r)
{
    const sparse_tensor *const t = &r->store.made;
    if (r->o.format != SPARSE_FILE_EDGES || r->head.base != 0 || r->o.zero_based || r->head.said) return false;
    SPARSE_FOREACH(c, t) if (c.dim[0] == 0 || c.dim[1] == 0) return false;
    return sparse_entries(t) > 0;
}

/* >>csv
   Comma-separated values: each line holds the coordinates and the value of one entry, separated by commas, semicolons or
   tabs. If the first line does not start with a number, it names the columns. Without a value, the entries are a pattern.
   Two numbers after the coordinates are a complex value. As in .tns files, the sizes are the largest coordinates, unless
   the option dim states them. */

/* Returns the separator of the fields: the first comma, semicolon or tab of the line. Returns NUL if there is none. */
SPARSE_P_COLD char sparse_p_separator(const char *at, const char *end)
{
    for (; !sparse_p_ends_line(at, end); at++)
        if (*at == ',' || *at == ';' || *at == '\t') return *at;
    return '\0';
}

/* Returns the number of fields of a line. */
SPARSE_P_COLD size_t sparse_p_count_fields(const char *at, const char *end, char separator)
{
    size_t count = 1;
    for (; !sparse_p_ends_line(at, end); at++) count += *at == separator;
    return count;
}

/* Returns whether a line starts with a number that is followed by the separator. */
SPARSE_P_COLD bool sparse_p_starts_with_number(const char *at, const char *end, char separator)
{
    sparse_p_decimal n;
    while (at < end && *at == ' ') at++;
    at = sparse_p_scan(at, end, false, &n);
    while (at && at < end && *at == ' ') at++;
    return at && at < end && *at == separator;
}

/* Returns whether a line names the coordinates of a matrix, such as "row,column,value". */
SPARSE_P_COLD bool sparse_p_names_coordinates(const char *at, const char *end, char separator)
{
    static const char *const names[2] = {"row rows i r source from", "column columns col j c target to"};
    for (unsigned k = 0; k < 2; k++) {
        while (at < end && (*at == ' ' || *at == '"')) at++;
        const char *name = at;
        while (!sparse_p_ends_line(at, end) && *at != separator && *at != ' ' && *at != '"') at++;
        if (sparse_p_index_in(names[k], name, at) < 0) return false;
        while (!sparse_p_ends_line(at, end) && *at != separator) at++;
        at += at < end;
    }
    return true;
}

/* Returns whether a line of numbers may be an entry of a tensor of any rank, with coordinates from 1. */
SPARSE_P_COLD bool sparse_p_may_be_entry(const char *at, const char *end, char separator, size_t fields)
{
    for (size_t k = 0; k + 1 < fields; k++, at += at < end) {
        uint64_t n;
        bool fits;
        while (at < end && *at == ' ') at++;
        at = sparse_p_natural(at, end, &n, &fits);
        if (!at || (fits && n == 0)) return false;
        while (at < end && *at == ' ') at++;
        if (at == end || *at != separator) return false;
    }
    return fields <= SPARSE_MAX_RANK + 1;
}

/* Returns the first line that is neither empty nor a comment. */
SPARSE_P_COLD const char *sparse_p_first_line(const char *at, const char *end)
{
    at += sparse_p_prefix(at, end, "\xEF\xBB\xBF"); /* the byte-order mark, which spreadsheets write */
    while (at < end && (sparse_p_ends_word(at, end) || *at == '#')) at = *at == '#' ? sparse_p_line_end(at, end) : at + 1;
    return at;
}

/* Decides whether a .csv file holds entries or a table, if it is read into a tensor of this rank. Returns SPARSE_FILE_CSV
   or SPARSE_FILE_TABLE, or SPARSE_FILE_AUTO if both are possible. */
SPARSE_P_COLD sparse_file_format sparse_p_csv_or_table(const char *at, const char *end, size_t rank, bool is_complex)
{
    at = sparse_p_first_line(at, end);
    const char separator = sparse_p_separator(at, end);
    const size_t fields = sparse_p_count_fields(at, end, separator);
    if (rank > 2 || at == end || (rank == 1 && separator)) return SPARSE_FILE_CSV;
    if (!separator) return SPARSE_FILE_TABLE;
    const bool names = !sparse_p_starts_with_number(at, end, separator);
    if (fields <= (is_complex ? 4u : 3u))
        return names && sparse_p_names_coordinates(at, end, separator) ? SPARSE_FILE_CSV : SPARSE_FILE_AUTO;
    if (names) at = sparse_p_first_line(sparse_p_line_end(at, end), end);
    return sparse_p_may_be_entry(at, end, separator, fields) ? SPARSE_FILE_AUTO : SPARSE_FILE_TABLE;
}

/* Returns whether the first two lines have equally many fields and the second line starts with a number. If the first
   line starts with a number too, a text with tabs is not regarded as .csv, because other formats allow tabs as blanks. */
SPARSE_P_COLD bool sparse_p_is_csv(sparse_p_reader *r)
{
    const char *at = r->window.begin;
    while (at < r->window.end && *at == '#') at = sparse_p_line_after(r, at);
    const char *const second = sparse_p_line_after(r, at);
    const char separator = sparse_p_separator(at, r->window.end);
    if (separator == '\t' && sparse_p_starts_with_number(at, r->window.end, separator)) return false;
    return separator && second < r->window.end && sparse_p_starts_with_number(second, r->window.end, separator) &&
           sparse_p_count_fields(at, r->window.end, separator) == sparse_p_count_fields(second, r->window.end, separator);
}

/* Skips the separator after field k of `fields`. After the last field, the line must end. */
static inline sparse_result sparse_p_end_field(sparse_p_reader *r, char separator, size_t k, size_t fields)
{
    while (r->at < r->window.end && *r->at == ' ') r->at++;
    const bool last = k + 1 == fields, ends = sparse_p_ends_line(r->at, r->window.end);
    if (last && ends) return SPARSE_OK;
    if (!last && !ends && *r->at == separator) {
        for (r->at++; r->at < r->window.end && *r->at == ' ';) r->at++;
        return SPARSE_OK;
    }
    const size_t found = k + (ends || *r->at == separator ? sparse_p_count_fields(r->at, r->window.end, separator) : 0);
    if (found > k) return sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "the line has %zu fields, not %zu", found, fields);
    return sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "%s should not follow field %zu of %zu", sparse_p_quoted(r).text, k + 1,
                         fields);
}

/* Reads a line, "3,1,0.5". */
static inline sparse_result sparse_p_read_csv_line(sparse_p_reader *r, char separator)
{
    const size_t fields = r->head.rank + r->head.parts;
    size_t c[SPARSE_MAX_RANK] = {0}, k = 0;
    sparse_p_decimal part[2];
    for (; k < r->head.rank; k++) {
        uint64_t n;
        bool fits;
        const char *const end = sparse_p_natural(r->at, r->window.end, &n, &fits);
        const bool word = end && (end == r->window.end || sparse_p_ends_word(end, r->window.end) || *end == separator);
        if (word && (!fits || n < r->head.base || n - r->head.base >= r->head.dim[k]))
            return sparse_p_fail(r, r->at, SPARSE_E_COORDINATE, "the coordinate is not from %zu to its size%s", r->head.base,
                                 n < r->head.base ? ": does the file count from 0 (option zero_based)?" : "");
        if (!word) return sparse_p_bad_coordinate(r, k);
        c[k] = (size_t)(n - r->head.base);
        r->at = end;
        SPARSE_P_TRY(sparse_p_end_field(r, separator, k, fields));
    }
    sparse_p_clear_value(r, part);
    r->value = r->at;
    if (sparse_p_skips_values(r)) {
        sparse_p_skip_line(r);
        return sparse_p_add_entry(r, c, part);
    }
    for (; k < fields; k++) {
        const char *const end = sparse_p_scan(r->at, r->window.end, r->o.lenient, &part[k - r->head.rank]);
        if (!end) return sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "%s is not a number", sparse_p_quoted(r).text);
        r->at = end;
        SPARSE_P_TRY(sparse_p_end_field(r, separator, k, fields));
    }
    return sparse_p_add_entry(r, c, part);
}

SPARSE_P_COLD sparse_result sparse_p_read_csv(sparse_p_reader *r)
{
    const size_t rank = r->t->encoding->rank;
    r->head.rank = rank;
    SPARSE_P_TRY(sparse_p_start_sizes(r));
    (void)sparse_p_next_line(r);
    r->at += sparse_p_prefix(r->at, r->window.end, "\xEF\xBB\xBF"); /* the byte-order mark, which spreadsheets write */
    const char separator = sparse_p_separator(r->at, r->window.end);
    if (!separator && r->at < r->window.end)
        return sparse_p_fail(r, r->line, SPARSE_E_ENTRY,
                             "neither commas, semicolons nor tabs separate the fields of the line");
    const size_t fields = sparse_p_count_fields(r->at, r->window.end, separator);
    r->head.parts = fields - rank;
    if (r->at < r->window.end && (fields < rank || r->head.parts > (sparse_p_is_complex(r->t->encoding) ? 2u : 1u)))
        return sparse_p_fail(r, r->line, SPARSE_E_DIMENSIONS,
                             "the line has %zu fields, but %s has %zu coordinates and a value", fields,
                             sparse_p_type_name(r), rank);
    if (!sparse_p_starts_with_number(r->at, r->window.end, separator)) sparse_p_skip_line(r); /* the names of the columns */
    r->syntax.between[0] = r->syntax.between[1] = separator;
    for (size_t lines = 0;;) {
        SPARSE_P_TRY(sparse_p_read_common_lines(r, SIZE_MAX, &lines));
        if (lines > 0) continue;
        if (!sparse_p_next_line(r)) break;
        SPARSE_P_TRY(sparse_p_read_csv_line(r, separator));
    }
    if (r->head.inferred && r->head.max[0] == 0)
        return sparse_p_fail(r, r->window.end, SPARSE_E_HEADER, "without an entry the file does not tell its sizes");
    return SPARSE_OK;
}

/* >>table
   A dense table: each line is a row of the matrix, its numbers separated by commas, semicolons, tabs or blanks, as
   savetxt of NumPy and writematrix of MATLAB write it. If the first line has no number, it names the columns. A vector is
   read from a table of one column. */

/* Returns whether no field of a line is a number, so that the line names the columns. */
SPARSE_P_COLD bool sparse_p_has_names(const char *at, const char *end, char separator)
{
    sparse_p_decimal n;
    while (!sparse_p_ends_line(at, end)) {
        const char *const after = sparse_p_scan(at, end, false, &n);
        if (after && (sparse_p_ends_word(after, end) || *after == separator)) return false;
        while (separator ? !sparse_p_ends_line(at, end) && *at != separator : !sparse_p_ends_word(at, end)) at++;
        while (!sparse_p_ends_line(at, end) && (*at == separator || sparse_p_is_space(*at))) at++;
    }
    return true;
}

/* Determines the separator and the number of columns from the first line, and skips the names of columns. */
SPARSE_P_COLD sparse_result sparse_p_start_table(sparse_p_reader *r, char *separator)
{
    (void)sparse_p_next_line(r);
    r->at += sparse_p_prefix(r->at, r->window.end, "\xEF\xBB\xBF"); /* the byte-order mark, which spreadsheets write */
    if (r->at == r->window.end) return sparse_p_fail(r, r->at, SPARSE_E_HEADER, "the table has no numbers");
    *separator = sparse_p_separator(r->at, r->window.end);
    if (*separator) r->syntax.between[0] = r->syntax.between[1] = *separator;
    r->head.rank = 2;
    r->head.parts = 1;
    r->head.inferred = true;
    r->head.max[0] = r->head.max[1] = 0;
    r->head.dim[0] = r->store.sized ? r->store.size[0] : SIZE_MAX;
    r->head.dim[1] = *separator ? sparse_p_count_fields(r->at, r->window.end, *separator) : sparse_p_count_words(r);
    SPARSE_P_TRY(sparse_p_check_shape(r));
    if (*r->at == *separator)
        return sparse_p_fail(r, r->line, SPARSE_E_ENTRY,
                             "the first field is empty, as where a column without a name counts the rows: leave that out");
    if (sparse_p_has_names(r->at, r->window.end, *separator)) sparse_p_skip_line(r);
    return SPARSE_OK;
}

/* Goes from the end of number k of a row to the next number. After the last number, the line must end. */
static inline sparse_result sparse_p_end_number(sparse_p_reader *r, char separator, size_t k)
{
    const size_t columns = r->head.dim[1];
    if (separator) return sparse_p_end_field(r, separator, k, columns);
    if (!sparse_p_ends_word(r->at, r->window.end))
        return sparse_p_fail(r, r->value, SPARSE_E_ENTRY, "%s is not a number", sparse_p_quoted(r).text);
    sparse_p_skip_blanks(r);
    if ((k + 1 == columns) == sparse_p_ends_line(r->at, r->window.end)) return SPARSE_OK;
    return sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "the line has %zu fields, not %zu", k + 1 + sparse_p_count_words(r),
                         columns);
}

/* Reads row number `row` of the table. */
static inline sparse_result sparse_p_read_row(sparse_p_reader *r, char separator, size_t row)
{
    size_t c[SPARSE_MAX_RANK] = {row};
    sparse_p_decimal part[2];
    for (; c[1] < r->head.dim[1]; c[1]++) {
        sparse_p_clear_value(r, part);
        r->value = r->at;
        const char *const end = sparse_p_scan(r->at, r->window.end, r->o.lenient, &part[0]);
        if (!end) return sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "%s is not a number", sparse_p_quoted(r).text);
        r->at = end;
        SPARSE_P_TRY(sparse_p_end_number(r, separator, c[1]));
        SPARSE_P_TRY(sparse_p_add_entry(r, c, part));
    }
    return SPARSE_OK;
}

SPARSE_P_COLD sparse_result sparse_p_read_table(sparse_p_reader *r)
{
    size_t row = 0;
    char separator = '\0';
    SPARSE_P_TRY(sparse_p_start_table(r, &separator));
    bool changed = r->store.sized && r->head.dim[1] != r->store.size[1];
    for (; !changed && sparse_p_next_line(r); row++) {
        changed = row == r->head.dim[0];
        if (!changed) SPARSE_P_TRY(sparse_p_read_row(r, separator, row));
    }
    changed |= r->store.sized && row != r->head.dim[0] && !r->window.failure;
    if (changed) return sparse_p_fail(r, r->line, SPARSE_E_READ, "%s", sparse_message(SPARSE_E_READ));
    return row > 0 ? SPARSE_OK : sparse_p_fail(r, r->at, SPARSE_E_HEADER, "the table has no numbers");
}

/* >>metis
   A graph in the format of METIS 5.1 (manual, section 4.1): the line "vertices edges fmt ncon", then one line per vertex,
   which lists its neighbours, from 1. If the last digit of fmt is 1, each neighbour is followed by the weight of the
   edge. The other digits of fmt announce sizes and weights of vertices, which are skipped. A(vertex, neighbour) = weight,
   or 1. Every edge is listed at both of its vertices. */

/* Returns whether the text may be a METIS graph: its first line states as many vertices and edges as the text has (at
   least as many, if only the beginning of the text is visible), and no vertex is its own neighbour. *even is set if all
   lines have equally many numbers; then the text may also be in another format. */
SPARSE_P_COLD bool sparse_p_may_be_metis(const sparse_p_reader *r, bool *even)
{
    bool all;
    const char *const end = sparse_p_end_of_look(r, &all), *at = r->window.begin;
    uint64_t head[4] = {0, 0, 0, 1}, vertices = 0, neighbours = 0, n;
    size_t count = 0;
    while (at < end && *at == '%') at = sparse_p_line_after(r, at);
    while (count < 4 && sparse_p_look_at_natural(&at, end, &head[count])) count++;
    const uint64_t edge = head[2] % 10, weight = head[2] / 10 % 10, extra = head[2] / 100;
    const uint64_t skipped = extra + (weight ? head[3] : 0);
    while (at < end && sparse_p_is_space(*at)) at++;
    if (count < 2 || head[1] == 0 || edge > 1 || weight > 1 || extra > 1 || !sparse_p_ends_line(at, end)) return false;
    *even = true;
    while ((at = sparse_p_line_after(r, at)) < end) {
        uint64_t k = 0;
        if (*at == '%') continue;
        vertices++;
        for (; sparse_p_look_at_natural(&at, end, &n); k++) {
            if (!sparse_p_ends_word(at, end)) return false;
            if (k < skipped || (k - skipped) % (1 + edge) == 1) continue;
            if (n == 0 || n > head[0] || n == vertices) return false;
            neighbours++;
        }
        while (at < end && sparse_p_is_space(*at)) at++;
        if (!sparse_p_ends_line(at, end) || (k > 0 && (k < skipped || (k - skipped) % (1 + edge) != 0))) return false;
        if (k == 0 && vertices > head[0])
            vertices--; /* an empty line after the last vertex */
        else
            *even = *even && k == count;
    }
    /* the line of the last vertex may be missing if that vertex has no neighbours */
    return (all ? vertices == head[0] || vertices + 1 == head[0] : vertices > 0 && vertices <= head[0]) &&
           (all ? neighbours % 2 == 0 && neighbours / 2 == head[1] : neighbours / 2 <= head[1]);
}

/* Recognises a METIS graph only if lines differ in the number of their numbers. Otherwise the text might also be a list
   of edges or a table, so the file name or the number of columns decides. */
SPARSE_P_COLD bool sparse_p_is_metis(sparse_p_reader *r)
{
    bool even;
    return sparse_p_may_be_metis(r, &even) && !even;
}

/* Reads the line of a vertex. *left counts down the neighbours that the first line announced. */
static inline sparse_result sparse_p_read_vertex(sparse_p_reader *r, size_t vertex, size_t skipped, size_t *left)
{
    size_t c[SPARSE_MAX_RANK] = {vertex};
    sparse_p_decimal part[2];
    for (size_t k = 0; sparse_p_skip_blanks(r), !sparse_p_ends_line(r->at, r->window.end); k++) {
        uint64_t n;
        bool fits;
        r->line = r->at;
        if (k < skipped) {
            const char *const end = sparse_p_natural(r->at, r->window.end, &n, &fits);
            if (!end || !sparse_p_ends_word(end, r->window.end))
                return sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "%s is no weight of a vertex", sparse_p_quoted(r).text);
            r->at = end;
            continue;
        }
        SPARSE_P_TRY(sparse_p_read_coordinate(r, 1, &c[1]));
        SPARSE_P_TRY(sparse_p_read_value(r, part));
        if ((*left)-- == 0)
            return sparse_p_fail(r, r->line, SPARSE_E_COUNT, "there are more neighbours than twice the number of edges");
        SPARSE_P_TRY(sparse_p_add_entry(r, c, part));
    }
    return SPARSE_OK;
}

/* Needs the whole text in the window, because an empty line is a vertex without neighbours, and sparse_p_next_line skips
   empty lines. */
SPARSE_P_COLD sparse_result sparse_p_read_metis(sparse_p_reader *r)
{
    size_t size[4] = {0, 0, 0, 1}, n = 0;
    r->head.base = 1;
    r->head.rank = 2;
    SPARSE_P_TRY(sparse_p_read_whole(r));
    SPARSE_P_TRY(sparse_p_read_sizes(r, "line of vertices and edges", 2, 4, size, &n));
    const size_t edge = size[2] % 10, weight = size[2] / 10 % 10, extra = size[2] / 100, weights = weight ? size[3] : 0;
    if (edge > 1 || weight > 1 || extra > 1)
        return sparse_p_fail(r, r->line, SPARSE_E_HEADER, "the third number must have three digits, each 0 or 1");
    r->head.dim[0] = r->head.dim[1] = size[0];
    r->head.parts = edge;
    SPARSE_P_TRY(sparse_p_check_shape(r));
    if (size[1] > SIZE_MAX / 2 || weights > (size_t)(r->window.end - r->at))
        return sparse_p_fail(r, r->line, SPARSE_E_OVERFLOW, "the numbers of the first line exceed all sizes");
    size_t left = 2 * size[1];
    for (size_t vertex = 0; vertex < size[0]; vertex++) {
        do r->at = sparse_p_line_after(r, r->at);
        while (r->at < r->window.end && sparse_p_is_comment(r));
        if (r->at == r->window.end && vertex + 1 < size[0])
            return sparse_p_fail(r, r->window.end, SPARSE_E_COUNT, "the file ends after %zu of %zu vertices", vertex,
                                 size[0]);
        SPARSE_P_TRY(sparse_p_read_vertex(r, vertex, extra + weights, &left));
    }
    if (sparse_p_next_line(r))
        return sparse_p_fail(r, r->at, SPARSE_E_COUNT, "more follows the %zu vertices of the file", size[0]);
    if (left == 0) return SPARSE_OK;
    return sparse_p_fail(r, r->window.end, SPARSE_E_COUNT, "the file lacks %zu neighbours of twice %zu edges", left,
                         size[1]);
}

/* >>boeing
   Harwell-Boeing and Rutherford-Boeing. Duff, Grimes, Lewis: "Users' Guide for the Harwell-Boeing Sparse Matrix
   Collection" (RAL-92-086, 1992) and "The Rutherford-Boeing Sparse Matrix Collection" (RAL-TR-97-031, 1997). Four or five
   header lines are followed by compressed columns in three sections: pointers, row indices, values. Each section consists
   of lines with columns of fixed width, which a Fortran FORMAT in the header describes. Three walks (sparse_p_walk) read
   the sections in parallel. If the FORMAT is wrong, fields cut numbers in two or join two numbers. This is found out in
   four ways: a field is empty or contains a blank, a line has characters left over, a section has another number of
   lines, or a pointer or index is out of range. Right-hand sides are not read. */

/* A FORMAT such as (1P,5D16.9): 5 numbers a line, each in a field of 16 characters. If a number has no decimal point, its
   last 9 digits are the fraction. If a number has no exponent, it is multiplied by 10^-scale; here 1P sets scale = 1. */
typedef struct sparse_p_layout {
    const char *at;               /* where the file states it */
    size_t repeat, width, digits; /* fields of a line; characters of a field; digits of the fraction */
    size_t before, between;       /* characters to skip before the first field, and between two fields */
    int64_t scale;
} sparse_p_layout;

/* Reads the numbers of one section, one after another. */
typedef struct sparse_p_walk {
    sparse_p_layout layout;
    const char *at, *end; /* beginning of the next field, and end of its line */
    size_t fields, left;  /* fields left in the line; numbers left in the section */
    bool words;           /* the numbers of this line are separated by blanks */
} sparse_p_walk;

typedef struct sparse_p_boeing {
    char type[3];    /* "rsa", in lower case */
    bool harwell;    /* Harwell-Boeing, not Rutherford-Boeing */
    size_t lines[5]; /* number of lines: total, pointers, indices, values, right-hand sides */
    /* elements: the number of values of all elements, if the matrix is not assembled */
    size_t rows, columns, indices, elements;
    sparse_p_walk walk[3]; /* pointers, indices, values */
} sparse_p_boeing;

enum { SPARSE_P_POINTERS, SPARSE_P_PART_INDICES, SPARSE_P_VALUES };

/* Returns whether line 3 begins with a matrix type and line 4 with a FORMAT. */
SPARSE_P_COLD bool sparse_p_is_boeing(sparse_p_reader *r)
{
    const char *at = sparse_p_line_after(r, sparse_p_line_after(r, r->window.begin));
    if (r->window.end - at < 4 || !sparse_p_is_one_of(sparse_p_lower(at[0]), "rcipqx")) return false;
    if (!sparse_p_is_one_of(sparse_p_lower(at[1]), "suhzrx")) return false;
    if (!sparse_p_is_one_of(sparse_p_lower(at[2]), "aex") || !sparse_p_is_space(at[3])) return false;
    at = sparse_p_line_after(r, at);
    while (at < r->window.end && sparse_p_is_space(*at)) at++;
    return at < r->window.end && *at == '(';
}

/* Reads the number at *at and moves *at to its end. Returns 1 if there is no number, because a FORMAT may omit a count of
   1. */
SPARSE_P_COLD uint64_t sparse_p_count_at(const char **at, const char *end)
{
    uint64_t n;
    bool fits;
    const char *const after = sparse_p_natural(*at, end, &n, &fits);
    if (after != NULL) *at = after;
    return after == NULL ? 1 : fits ? n : UINT64_MAX;
}

/* Reads the end of a FORMAT after its field, as ",1X))": closes `open` parentheses. *between = the characters to skip
   that stand inside of the inner parenthesis. Returns false if anything else follows. */
SPARSE_P_COLD bool sparse_p_end_layout(const char **at, const char *end, int open, uint64_t *between)
{
    for (*between = 0; open > 0; open--) {
        *at = sparse_p_past(*at, end, ",");
        const char *const here = *at;
        const uint64_t n = sparse_p_count_at(at, end);
        *at = sparse_p_past(*at, end, "");
        if (*at < end && sparse_p_lower(**at) == 'x' && n < 10000) {
            if (open == 2) *between = n;
            *at = sparse_p_past(*at + 1, end, "");
        } else {
            *at = here;
        }
        if (*at == end || **at != ')') return false;
        ++*at;
    }
    return true;
}

/* Reads a FORMAT: "(1P,5D16.9)", "(1P3D24.15)", "(3(1PE25.16E3))" or "(1X,8(1X,I8))". r->at moves behind it. `what` names
   the section in messages. */
SPARSE_P_COLD sparse_result sparse_p_read_layout(sparse_p_reader *r, const char *what, sparse_p_layout *layout)
{
    const char *at = (sparse_p_skip_blanks(r), r->at), *const end = r->window.end;
    uint64_t repeat = 1, width = 0, digits = 0, skipped[3] = {0, 0, 0}, between = 0;
    int open = 0;
    layout->at = at;
    layout->scale = 0;
    for (bool good = true; good && width == 0;) {
        at = sparse_p_past(at, end, ",");
        const bool negative = at < end && *at == '-';
        at += negative;
        const uint64_t n = sparse_p_count_at(&at, end);
        at = sparse_p_past(at, end, "");
        const char c = (char)(at < end ? sparse_p_lower(*at++) : '\0');
        if (c == '(' && open < 2 && !negative) {
            open++;
            repeat = n;
        } else if (c == 'p' && open > 0 && n < 100) {
            layout->scale = negative ? -(int64_t)n : (int64_t)n;
        } else if (c == 'x' && open > 0 && n < 10000 && !negative) {
            skipped[open] += n;
        } else if (sparse_p_is_one_of(c, "idefg") && open > 0 && !negative) {
            if (at < end && sparse_p_is_one_of(sparse_p_lower(*at), "sn")) at++; /* S or N: the descriptors ES and EN */
            at = sparse_p_past(at, end, "");
            good = at < end && sparse_p_is_digit(*at) && (open < 2 || n == 1 || skipped[2] == 0);
            repeat = n < 10000 && repeat < 10000 ? repeat * n : 0;
            width = good ? sparse_p_count_at(&at, end) : 0;
            at = sparse_p_past(at, end, "");
            if (at < end && *at == '.') at = sparse_p_past(at + 1, end, ""), digits = sparse_p_count_at(&at, end);
            if (at < end && sparse_p_lower(*at) == 'e') at++, sparse_p_count_at(&at, end);
            good = good && sparse_p_end_layout(&at, end, open, &between) && (n == 1 || between == 0);
        } else {
            good = false;
        }
        if (!good) width = 0;
    }
    if (width == 0 || width > 10000 || digits > 1000 || repeat == 0 || repeat > 10000 || skipped[1] + skipped[2] > 10000)
        return sparse_p_fail(r, layout->at, SPARSE_E_HEADER, "the format of the %s is none that is read here, as (16I5) is",
                             what);
    layout->before = (size_t)(skipped[1] + skipped[2]);
    layout->between = (size_t)(skipped[2] + between);
    layout->repeat = (size_t)repeat;
    layout->width = (size_t)width;
    layout->digits = (size_t)digits;
    r->at = at;
    return SPARSE_OK;
}

/* Goes to the next line of a section. In lenient mode, the numbers of a line are separated at blanks instead of by width,
   if that gives as many numbers as expected. SciPy writes files whose fields are narrower than their FORMAT states. */
SPARSE_P_COLD void sparse_p_next_card(const sparse_p_reader *r, sparse_p_walk *walk)
{
    const size_t repeat = walk->layout.repeat, expected = walk->left < repeat ? walk->left : repeat;
    size_t words = 0;
    walk->at = walk->end ? sparse_p_line_after(r, walk->end) : walk->at;
    walk->end = sparse_p_line_end(walk->at, r->window.end);
    walk->fields = repeat;
    for (const char *at = walk->at; r->o.lenient && at < walk->end; at++)
        words += !sparse_p_is_space(*at) && sparse_p_ends_word(at + 1, walk->end);
    walk->words = r->o.lenient && words == expected;
}

/* Reports what is wrong with the field [from, to): it contains a blank, so the FORMAT is wrong; or the error `result`,
   which `what` describes. */
SPARSE_P_COLD sparse_result sparse_p_bad_field(const sparse_p_reader *r, const sparse_p_walk *walk, const char *from,
                                               const char *to, sparse_result result, const char *what)
{
    for (const char *c = from; c < to; c++)
        if (sparse_p_is_space(*c))
            return sparse_p_fail(r, c, SPARSE_E_ENTRY, "two numbers in a field of %zu columns: the format lies%s",
                                 walk->layout.width, r->o.lenient ? "" : " (option lenient goes by the blanks)");
    return sparse_p_fail(r, from, result, "\"%.*s\" is %s", to - from < 30 ? (int)(to - from) : 30, from, what);
}

/* Finds the field of the next number: [*from, *to), without surrounding blanks. */
static inline sparse_result sparse_p_next_field(const sparse_p_reader *r, sparse_p_walk *walk, const char **from,
                                                const char **to)
{
    if (walk->fields == 0) sparse_p_next_card(r, walk);
    const size_t skipped = walk->fields == walk->layout.repeat ? walk->layout.before : walk->layout.between;
    if (skipped > 0 && !walk->words)
        walk->at += (size_t)(walk->end - walk->at) < skipped ? walk->end - walk->at : (ptrdiff_t)skipped;
    const size_t left = (size_t)(walk->end - walk->at);
    const char *at = walk->at, *end = at + (left < walk->layout.width ? left : walk->layout.width);
    const char *const field = at;
    if (walk->words) {
        while (at < walk->end && sparse_p_is_space(*at)) at++;
        for (end = at; !sparse_p_ends_word(end, walk->end);) end++;
    }
    walk->at = end;
    walk->fields--;
    walk->left--;
    while (at < end && sparse_p_is_space(*at)) at++;
    while (at < end && sparse_p_is_space(end[-1])) end--;
    *from = at;
    *to = end;
    if (at == end && field == r->window.end)
        return sparse_p_fail(r, at, SPARSE_E_COUNT, "the file ends before its last number");
    if (at == end)
        return sparse_p_fail(r, field, SPARSE_E_ENTRY,
                             "the field of a number is blank: the file is cut, or its format lies");
    for (const char *c = walk->at; walk->fields == 0 && c < walk->end; c++)
        if (!sparse_p_is_space(*c))
            return sparse_p_fail(r, c, SPARSE_E_ENTRY, "the line goes on after %zu fields of %zu columns: the format lies",
                                 walk->layout.repeat, walk->layout.width);
    return SPARSE_OK;
}

/* Reads an integer from `least` to `most`. Otherwise reports the error `why`; `what` names the integer. */
static inline sparse_result sparse_p_next_integer(sparse_p_reader *r, sparse_p_walk *walk, size_t least, size_t most,
                                                  const char *what, sparse_result why, size_t *n)
{
    const char *from, *to;
    uint64_t value = 0;
    bool fits = true;
    SPARSE_P_TRY(sparse_p_next_field(r, walk, &from, &to));
    r->line = from;
    const char *end = sparse_p_digits(from, r->window.end, &value);
    if (end > to || end - from >= 20) end = sparse_p_natural(from, to, &value, &fits);
    if (end != to || !fits || value < least || value > most) {
        char sentence[80];
        snprintf(sentence, sizeof sentence, "no %s from %zu to %zu", what, least, most);
        return sparse_p_bad_field(r, walk, from, to, why, sentence);
    }
    *n = (size_t)value;
    return SPARSE_OK;
}

/* Reads the parts of a value in Fortran notation: 1.5D+01; 1.5+01; or 15, which means 1.5 if the FORMAT is F4.1. */
static inline sparse_result sparse_p_next_value(sparse_p_reader *r, sparse_p_walk *walk, sparse_p_decimal part[2])
{
    for (size_t k = 0; k < r->head.parts; k++) {
        sparse_p_decimal *const n = &part[k];
        const char *from, *to;
        SPARSE_P_TRY(sparse_p_next_field(r, walk, &from, &to));
        if (k == 0) r->value = from;
        const char *at = sparse_p_scan(from, r->window.end, true, n);
        if (!at || at > to) at = sparse_p_scan(from, to, true, n); /* the digits of the next field follow without a blank */
        const bool number = at != NULL && !n->infinite && !n->nan;
        const bool point = number && memchr(n->first, '.', (size_t)(n->end - n->first)) != NULL;
        bool exponent = number && at > n->end;
        if (number && !exponent && at + 1 < to && (*at == '+' || *at == '-')) { /* an exponent without a letter */
            const bool negative = *at++ == '-';
            const uint64_t e = sparse_p_is_digit(*at) ? sparse_p_count_at(&at, to) : 0;
            n->exponent += negative ? -(int64_t)(e < 99999 ? e : 99999) : (int64_t)(e < 99999 ? e : 99999);
            exponent = true;
            n->integer = false;
        }
        if (at != to) return sparse_p_bad_field(r, walk, from, to, SPARSE_E_ENTRY, "not a number");
        const int64_t shift =
            (number && !point ? (int64_t)walk->layout.digits : 0) + (number && !exponent ? walk->layout.scale : 0);
        n->exponent -= shift;
        if (shift != 0) n->integer = false;
    }
    return SPARSE_OK;
}

/* Reads line 3: the type and the sizes. Refuses types that are not supported. */
SPARSE_P_COLD sparse_result sparse_p_read_boeing_type(sparse_p_reader *r, sparse_p_boeing *h)
{
    static const char *const symmetry = "uszhr";
    size_t size[4] = {0}, n;
    const char *const at = r->at;
    for (size_t k = 0; k < 3; k++) h->type[k] = (char)(r->window.end - at > 3 ? sparse_p_lower(at[k]) : ' ');
    if (!sparse_p_is_one_of(h->type[0], "rcip") || !sparse_p_is_one_of(h->type[1], symmetry) ||
        !sparse_p_is_one_of(h->type[2], "ae"))
        return sparse_p_fail(r, at, SPARSE_E_BANNER, "the type of the matrix must be three letters of rcip, %s, ae",
                             symmetry);
    r->at += 3;
    SPARSE_P_TRY(sparse_p_read_sizes(r, "line of sizes", 3, 4, size, &n));
    h->rows = size[0];
    h->columns = size[1];
    h->indices = size[2];
    h->elements = size[3];
    r->line = at;
    r->head.rank = 2;
    r->head.dim[0] = h->rows;
    /* if the matrix is not assembled, the second number counts elements */
    r->head.dim[1] = h->type[2] == 'e' ? h->rows : h->columns;
    r->head.field = h->type[0] == 'i' ? SPARSE_P_FIELD_INTEGER : SPARSE_P_FIELD_REAL;
    r->head.parts = h->type[0] == 'p' ? 0 : h->type[0] == 'c' ? 2 : 1;
    r->head.symmetry = h->type[1] == 's'   ? SPARSE_SYMMETRY_SYMMETRIC
                       : h->type[1] == 'z' ? SPARSE_SYMMETRY_SKEW
                       : h->type[1] == 'h' ? SPARSE_SYMMETRY_HERMITIAN
                                           : SPARSE_SYMMETRY_GENERAL;
    const bool square = r->head.symmetry == SPARSE_SYMMETRY_GENERAL || r->head.dim[0] == r->head.dim[1];
    if (!square || (h->type[2] == 'e' && h->type[1] == 'r'))
        return sparse_p_fail(r, at, SPARSE_E_HEADER, "a matrix of type %.3s must be square, not %zu by %zu", h->type,
                             h->rows, h->columns);
    SPARSE_P_TRY(sparse_p_check_values(r));
    return sparse_p_check_shape(r);
}

/* Starts to read `count` numbers of a section that begins at r->at; r->at moves behind the section. `lines` is the number
   of lines that the header states. */
SPARSE_P_COLD sparse_result sparse_p_start_walk(sparse_p_reader *r, sparse_p_walk *walk, const char *what, size_t count,
                                                size_t lines)
{
    const size_t left = (size_t)(r->window.end - r->at), repeat = walk->layout.repeat;
    if (count > left)
        return sparse_p_fail(r, r->line, SPARSE_E_COUNT, "%zu %s are announced, but only %zu bytes follow", count, what,
                             left);
    const size_t taken = count / repeat + (count % repeat != 0);
    if (taken != lines && !r->o.lenient)
        return sparse_p_fail(r, walk->layout.at, SPARSE_E_HEADER,
                             "%zu %s take %zu lines in this format, but line 2 says %zu", count, what, taken, lines);
    walk->at = r->at;
    walk->left = count;
    for (size_t k = 0; k < taken && r->at < r->window.end; k++) r->at = sparse_p_line_after(r, r->at);
    return SPARSE_OK;
}

/* Reads the header, and finds the beginnings of the three sections. */
SPARSE_P_COLD sparse_result sparse_p_read_boeing_header(sparse_p_reader *r, sparse_p_boeing *h)
{
    static const char *const section[] = {"pointers", "indices", "values"};
    size_t n = 0, count[3];
    r->at = sparse_p_line_after(r, r->window.begin); /* line 1 is the title */
    SPARSE_P_TRY(sparse_p_read_sizes(r, "line of counts", 4, 5, h->lines, &n));
    h->harwell = n == 5;
    r->at = sparse_p_line_after(r, r->at);
    SPARSE_P_TRY(sparse_p_read_boeing_type(r, h));
    r->at = sparse_p_line_after(r, r->at);
    for (size_t k = 0; k < (r->head.parts > 0 ? 3u : 2u); k++)
        SPARSE_P_TRY(sparse_p_read_layout(r, section[k], &h->walk[k].layout));
    r->at = sparse_p_line_after(r, r->at);
    if (h->harwell && h->lines[4] > 0) r->at = sparse_p_line_after(r, r->at); /* the line about right-hand sides */
    if (h->columns == SIZE_MAX || h->indices > SIZE_MAX / 2 || h->elements > SIZE_MAX / 2)
        return sparse_p_fail(r, r->line, SPARSE_E_OVERFLOW, "the sizes exceed all sizes");
    count[0] = h->columns + 1;
    count[1] = h->indices;
    count[2] = r->head.parts * (h->type[2] == 'e' ? h->elements : h->indices);
    for (size_t k = 0; k < (r->head.parts > 0 ? 3u : 2u); k++)
        SPARSE_P_TRY(sparse_p_start_walk(r, &h->walk[k], section[k], count[k], h->lines[1 + k]));
    if (h->harwell && h->lines[4] > 0) return SPARSE_OK;
    r->syntax.comment[0] = r->syntax.comment[1] = '\n';
    if (sparse_p_next_line(r))
        return sparse_p_fail(r, r->at, SPARSE_E_COUNT, "more follows the %zu %s of the file",
                             count[r->head.parts > 0 ? 2 : 1], section[r->head.parts > 0 ? 2 : 1]);
    return SPARSE_OK;
}

/* Reads the value of an entry, and adds the entry. If the matrix is symmetric, its mirror image is added, too. */
static inline sparse_result sparse_p_read_boeing_entry(sparse_p_reader *r, sparse_p_boeing *h, size_t row, size_t column)
{
    size_t c[SPARSE_MAX_RANK] = {row, column};
    sparse_p_decimal part[2];
    sparse_p_clear_value(r, part);
    if (!sparse_p_skips_values(r)) SPARSE_P_TRY(sparse_p_next_value(r, &h->walk[SPARSE_P_VALUES], part));
    return sparse_p_add_symmetric(r, c, part);
}

/* Reads a column of an assembled matrix. */
static inline sparse_result sparse_p_read_boeing_column(sparse_p_reader *r, sparse_p_boeing *h, size_t column, size_t count)
{
    size_t row = 1;
    for (; count > 0; count--) {
        SPARSE_P_TRY(
            sparse_p_next_integer(r, &h->walk[SPARSE_P_PART_INDICES], 1, h->rows, "row", SPARSE_E_COORDINATE, &row));
        SPARSE_P_TRY(sparse_p_read_boeing_entry(r, h, row - 1, column));
    }
    return SPARSE_OK;
}

/* Reads an element: a dense matrix over the variables that it lists, stored by columns. If the matrix is symmetric, each
   column begins at the diagonal. A pattern has no values in the file, so a short list of variables stands for many
   entries; the option expansion limits them. */
static inline sparse_result sparse_p_read_element(sparse_p_reader *r, sparse_p_boeing *h, sparse_buffer *list, size_t count)
{
    SPARSE_P_TRY(sparse_p_enlarge(r->t->hooks, list, count, sizeof(size_t)));
    size_t *const variable = (size_t *)list->at;
    for (size_t k = 0; k < count; k++) {
        SPARSE_P_TRY(sparse_p_next_integer(r, &h->walk[SPARSE_P_PART_INDICES], 1, h->rows, "variable", SPARSE_E_COORDINATE,
                                           &variable[k]));
        variable[k]--;
    }
    if (r->head.parts == 0 && count > sparse_p_expansion(&r->o))
        return sparse_p_fail(r, r->line, SPARSE_E_COUNT,
                             "an element of %zu variables stands for their square of entries (option expansion)", count);
    for (size_t j = 0; j < count; j++)
        for (size_t i = r->head.symmetry == SPARSE_SYMMETRY_GENERAL ? 0 : j; i < count; i++) {
            if (r->head.parts > 0 && h->elements-- == 0)
                return sparse_p_fail(r, r->line, SPARSE_E_COUNT, "the elements have more values than line 3 says");
            const bool upper = r->head.symmetry != SPARSE_SYMMETRY_GENERAL && variable[i] < variable[j];
            size_t c[SPARSE_MAX_RANK] = {variable[i], variable[j]};
            sparse_p_decimal part[2];
            sparse_p_clear_value(r, part);
            SPARSE_P_TRY(sparse_p_next_value(r, &h->walk[SPARSE_P_VALUES], part));
            if (upper) sparse_p_mirror(r, c, part);
            SPARSE_P_TRY(sparse_p_add_symmetric(r, c, part));
        }
    return SPARSE_OK;
}

/* Reads all columns, or elements. Each has a pointer to its end. */
SPARSE_P_COLD sparse_result sparse_p_read_boeing_columns(sparse_p_reader *r, sparse_p_boeing *h, sparse_buffer *list)
{
    sparse_p_walk *const pointers = &h->walk[SPARSE_P_POINTERS];
    size_t from = 1, to = 1;
    SPARSE_P_TRY(sparse_p_next_integer(r, pointers, 1, 1, "pointer", SPARSE_E_POSITIONS, &from));
    for (size_t j = 0; j < h->columns; j++, from = to) {
        /* the last pointer must be the number of indices, plus 1 */
        const size_t least = j + 1 < h->columns ? from : h->indices + 1;
        SPARSE_P_TRY(sparse_p_next_integer(r, pointers, least, h->indices + 1, "pointer", SPARSE_E_POSITIONS, &to));
        SPARSE_P_TRY(h->type[2] == 'e' ? sparse_p_read_element(r, h, list, to - from)
                                       : sparse_p_read_boeing_column(r, h, j, to - from));
    }
    if (from != h->indices + 1 || (h->type[2] == 'e' && r->head.parts > 0 && h->elements != 0))
        return sparse_p_fail(r, r->line, SPARSE_E_COUNT, "the columns end before the %zu indices and their values do",
                             h->indices);
    return SPARSE_OK;
}

/* Returns whether a matrix has entries on both sides of the diagonal. Some files claim to be symmetric, but store both
   triangles. In lenient mode, such a file is read as a general matrix. */
SPARSE_P_COLD bool sparse_p_has_both_triangles(sparse_p_reader *r, sparse_p_boeing h)
{
    size_t end = 1, row = 1;
    bool lower = false, upper = false;
    r->o.error = NULL; /* errors are reported later, when the entries are read */
    if (sparse_p_next_integer(r, &h.walk[SPARSE_P_POINTERS], 1, 1, "", SPARSE_E_POSITIONS, &end)) return false;
    for (size_t j = 1, at = 1; j <= h.columns; j++) {
        if (sparse_p_next_integer(r, &h.walk[SPARSE_P_POINTERS], at, h.indices + 1, "", SPARSE_E_POSITIONS, &end))
            return false;
        for (; at < end; at++) {
            if (sparse_p_next_integer(r, &h.walk[SPARSE_P_PART_INDICES], 1, h.rows, "", SPARSE_E_COORDINATE, &row))
                return false;
            lower |= row > j;
            upper |= row < j;
        }
    }
    return lower && upper;
}

/* In lenient mode, a matrix that claims symmetry but stores both triangles is read as general. If the option duplicates
   is `sum`, an assembled matrix must not repeat coordinates, and a pattern of elements counts a repeated entry once. */
SPARSE_P_COLD sparse_result sparse_p_read_boeing(sparse_p_reader *r)
{
    sparse_p_boeing h;
    sparse_buffer list = {NULL, 0, 0};
    memset(&h, 0, sizeof h);
    SPARSE_P_TRY(sparse_p_read_whole(r));
    SPARSE_P_TRY(sparse_p_read_boeing_header(r, &h));
    if (r->o.lenient && r->head.symmetry != SPARSE_SYMMETRY_GENERAL && h.type[2] == 'a') {
        sparse_io_error *const error = r->o.error;
        if (sparse_p_has_both_triangles(r, h)) r->head.symmetry = SPARSE_SYMMETRY_GENERAL;
        r->o.error = error;
    }
    r->head.stated = (sparse_symmetry)r->head.symmetry;
    if (r->o.duplicates == SPARSE_DUPLICATES_SUM && h.type[2] == 'a') r->o.duplicates = SPARSE_DUPLICATES_ERROR;
    if (r->o.duplicates == SPARSE_DUPLICATES_SUM && r->head.parts == 0) r->o.duplicates = SPARSE_DUPLICATES_LAST;
    const sparse_result result = sparse_p_read_boeing_columns(r, &h, &list);
    sparse_p_release(r->t->hooks, &list, sizeof(size_t));
    return result;
}

/* >>numpy
   NumPy's .npy ("numpy.lib.format", versions 1 to 3): a dense array, in any byte order, row-major or column-major. And
   .npz files: zip archives of such arrays, as scipy.sparse.save_npz (CSR, CSC, BSR, COO, DIA) and PyData/Sparse
   (coordinates of any rank) write them. Sizes, offsets and CRC-32 of an archive are checked. */

/* An array of a .npy file. */
typedef struct sparse_p_array {
    const char *name;        /* name for messages: of the archive member, or of the file */
    const char *origin;      /* where the array begins in the file */
    const unsigned char *at; /* the first element */
    size_t count, size;      /* the number of elements, the bytes of an element */
    char type;               /* bool, integers, floating-point, complex: b i u f c; text: S U */
    bool big;                /* big-endian: the most significant byte comes first */
    bool fortran;            /* column-major: the first dimension is the fastest */
    size_t rank, dim[SPARSE_MAX_RANK];
    sparse_buffer owned; /* memory of the array if it was decompressed, else empty */
} sparse_p_array;

/* A number from a binary file. */
typedef struct sparse_p_number {
    double real;
    uint64_t magnitude; /* absolute value, if `integer` */
    bool integer, negative;
} sparse_p_number;

/* Returns the unsigned integer of `size` bytes at `at`. */
static inline uint64_t sparse_p_bytes(const unsigned char *at, size_t size, bool big)
{
    uint64_t n = 0;
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint32_t four;
    if (!big && size == 8) {
        memcpy(&n, at, 8);
        return n;
    }
    if (!big && size == 4) {
        memcpy(&four, at, 4);
        return four;
    }
    #endif
    for (size_t k = 0; k < size; k++) n |= (uint64_t)at[big ? size - 1 - k : k] << (8 * k);
    return n;
}

/* Returns part 0 (real) or 1 (imaginary) of element k of an array of numbers. */
static inline sparse_p_number sparse_p_element(const sparse_p_array *a, size_t k, size_t part)
{
    const size_t size = a->type == 'c' ? a->size / 2 : a->size;
    const uint64_t bits = sparse_p_bytes(a->at + k * a->size + part * size, size, a->big);
    sparse_p_number n = {0, bits, a->type != 'f' && a->type != 'c', false};
    if (!n.integer && size == 8) {
        memcpy(&n.real, &bits, sizeof n.real);
    } else if (!n.integer && size == 4) {
        const uint32_t word = (uint32_t)bits;
        float f;
        memcpy(&f, &word, sizeof f);
        n.real = (double)f;
    } else if (!n.integer) {
        const sparse_f16 half = {(uint16_t)bits};
        n.real = (double)sparse_float_of_f16(half);
    } else if (a->type == 'b') {
        n.magnitude = bits != 0;
    } else if (a->type == 'i' && bits >> (8 * size - 1) != 0) {
        n.negative = true;
        n.magnitude = (0 - bits) & UINT64_MAX >> (64 - 8 * size);
    }
    if (n.integer) n.real = n.negative ? -(double)n.magnitude : (double)n.magnitude;
    return n;
}

/* *f = x rounded to float. If `odd` is false, rounds to nearest. If `odd` is true, truncates, and sets the last bit if
   anything was cut off; a second rounding, to a 16-bit type, then gives the correctly rounded result. Returns false, with
   *f infinite, if x is too large. */
static inline bool sparse_p_narrow(double x, bool odd, float *f)
{
    const double size = x < 0 ? -x : x;
    const bool large = size <= DBL_MAX && size >= 3.4028235677973366e+38; /* would round to 2^128 or more */
    uint32_t bits = (uint32_t)(x < 0) << 31 | UINT32_C(0xFF) << 23;
    *f = large ? 0 : (float)x;
    if (large) memcpy(f, &bits, sizeof *f);
    const double back = (double)*f;
    if (!odd || large || !(back < x || back > x)) return !large;
    memcpy(&bits, f, sizeof bits);
    if ((back < 0 ? -back : back) > size) bits--;
    bits |= 1;
    memcpy(f, &bits, sizeof bits);
    return true;
}

/* Stores a number as an integer. Returns false if it is not an integer or does not fit. */
SPARSE_P_COLD bool sparse_p_number_to_integer(const sparse_p_number *n, sparse_kind kind, void *value)
{
    char text[32];
    sparse_p_decimal part[2];
    uint64_t whole = n->magnitude;
    if (!n->integer) {
        const double size = n->real < 0 ? -n->real : n->real;
        if (!(size < 18446744073709551616.0)) return false;
        whole = (uint64_t)size;
        if ((double)whole < size || (double)whole > size) return false;
    }
    const int length = snprintf(text, sizeof text, "%s%llu", n->real < 0 ? "-" : "", (unsigned long long)whole);
    memset(part, 0, sizeof part);
    return sparse_p_scan(text, text + length, false, &part[0]) && sparse_p_to_value(part, kind, false, value);
}

/* Stores a number, given as real and imaginary part, as a value of type `kind`. Returns false if it does not fit. */
static inline bool sparse_p_number_to_value(const sparse_p_number part[2], sparse_kind kind, bool allow_overflow,
                                            void *value)
{
    const bool half = sparse_p_is_half(kind), wide = sparse_p_real_type_of(kind) == SPARSE_P_DOUBLE;
    bool fits = true;
    if (kind <= SPARSE_U64) return sparse_p_number_to_integer(part, kind, value);
    for (size_t k = 0; k < (kind == SPARSE_C64 || kind == SPARSE_C128 ? 2u : 1u); k++) {
        const double x = part[k].real;
        float f;
        if (wide) {
            memcpy((char *)value + k * sizeof x, &x, sizeof x);
            continue;
        }
        fits &= sparse_p_narrow(x, half, &f);
        if (part[k].integer && !half) f = part[k].negative ? -(float)part[k].magnitude : (float)part[k].magnitude;
        if (!half) {
            memcpy((char *)value + k * sizeof f, &f, sizeof f);
            continue;
        }
        sparse_p_store_half(kind, value, f);
        const float stored = sparse_p_load_half(kind, value);
        fits &= stored - stored == 0 || x - x != 0;
    }
    return fits || allow_overflow;
}

/* Returns the position in the file of the data at an address, for messages. For decompressed data, this is the beginning
   of the array. */
static inline const char *sparse_p_place_in(const sparse_p_array *a, const void *at)
{
    return a->owned.at ? a->origin : (const char *)at;
}
static inline const char *sparse_p_place_of(const sparse_p_array *a, size_t k)
{
    return sparse_p_place_in(a, a->at + k * a->size);
}

/* Adds an entry with a number at the coordinates c. The number is from element k of the array a, which an error message
   names. */
static inline sparse_result sparse_p_add_number(sparse_p_reader *r, const size_t c[], const sparse_p_number part[2],
                                                const sparse_p_array *a, size_t k)
{
    void *value;
    SPARSE_P_TRY(sparse_p_start_entry(r, c, &value));
    if (!sparse_p_number_to_value(part, r->t->encoding->kind, r->o.allow_overflow, value))
        return sparse_p_fail(r, r->line, SPARSE_E_VALUE_RANGE, "element %zu of %s does not fit the value type of %s", k,
                             a->name, sparse_p_type_name(r));
    return sparse_p_keep_entry(r, c, value);
}

/* Adds an entry with element k of an array at the coordinates c. */
static inline sparse_result sparse_p_add_element(sparse_p_reader *r, const size_t c[], const sparse_p_array *a, size_t k)
{
    const size_t parts = a->type == 'c' ? 2 : 1;
    sparse_p_number part[2];
    memset(part, 0, sizeof part);
    for (size_t i = 0; i < parts; i++) part[i] = sparse_p_element(a, k, i);
    r->line = sparse_p_place_of(a, k);
    return sparse_p_add_number(r, c, part, a, k);
}

/* Skips white space, then the character c. Returns false if c does not follow. */
SPARSE_P_COLD bool sparse_p_take_char(const char **at, const char *end, char c)
{
    while (*at < end && (sparse_p_is_space(**at) || **at == '\n')) ++*at;
    const bool there = *at < end && **at == c;
    *at += there;
    return there;
}

/* Reads a Python string, 'descr', into `text`. */
SPARSE_P_COLD bool sparse_p_take_string(const char **at, const char *end, char text[24])
{
    const char quote = sparse_p_take_char(at, end, '\'') ? '\'' : '"';
    size_t n = 0;
    if (quote == '"' && !sparse_p_take_char(at, end, '"')) return false;
    while (*at < end && **at != quote && n < 23) text[n++] = *(*at)++;
    text[n] = '\0';
    return sparse_p_take_char(at, end, quote);
}

/* Reads a Python tuple of sizes, (3, 4). */
SPARSE_P_COLD bool sparse_p_take_sizes(const char **at, const char *end, sparse_p_array *a)
{
    bool more = true;
    if (!sparse_p_take_char(at, end, '(')) return false;
    for (a->rank = 0; !sparse_p_take_char(at, end, ')'); a->rank++) {
        uint64_t size;
        bool fits;
        const char *const after = sparse_p_natural(*at, end, &size, &fits);
        if (!more || after == NULL || !fits || size > SIZE_MAX || a->rank == SPARSE_MAX_RANK) return false;
        a->dim[a->rank] = (size_t)size;
        *at = after;
        more = sparse_p_take_char(at, end, ',');
    }
    return true;
}

/* Returns the byte order of this machine in NumPy's notation: '<' (little-endian) or '>' (big-endian). */
SPARSE_P_COLD char sparse_p_byte_order(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1 ? '<' : '>';
}

/* text = NumPy's name of a value type, "<f8"; empty if NumPy has none. */
SPARSE_P_COLD void sparse_p_type_in_numpy(sparse_kind kind, char text[8])
{
    static const char letter[] = "iiiiuuuuffccf";
    const size_t size = sparse_p_kind_size(kind);
    text[0] = '\0';
    if ((size_t)kind < sizeof letter - 1)
        snprintf(text, 8, "%c%c%u", size > 1 ? sparse_p_byte_order() : '|', letter[kind], (unsigned)size % 100);
}

/* Reads a type of elements, "<f8". Returns null, or the end of a sentence that says why the type is not supported. */
SPARSE_P_COLD const char *sparse_p_read_type(const char *text, sparse_p_array *a)
{
    const char *at = text, *const end = text + strlen(text);
    uint64_t size = 0;
    bool fits = true;
    a->big = *at == '>' || (*at != '<' && sparse_p_byte_order() == '>');
    at += sparse_p_is_one_of(*at, "<>|=");
    a->type = (char)(at < end ? *at++ : ' ');
    if (a->type == '?')
        a->type = 'b', size = 1;
    else
        at = sparse_p_natural(at, end, &size, &fits);
    if (a->type == 'O') return "are Python objects, which would have to be executed";
    if (a->type == 'M' || a->type == 'm') return "are times";
    if (a->type == 'V') return "are raw bytes";
    if (at != end || !fits || size > 1 << 20) return "have a type that is not known";
    a->size = (size_t)size * (a->type == 'U' ? 4 : 1);
    if (a->type == 'S' || a->type == 'U') return NULL;
    if ((a->type == 'f' && size > 8) || (a->type == 'c' && size > 16))
        return "are long doubles, which differ among machines";
    const size_t least = a->type == 'f' ? 2 : a->type == 'c' ? 8 : 1;
    const size_t most = a->type == 'b' ? 1 : a->type == 'c' ? 16 : sparse_p_is_one_of(a->type, "iuf") ? 8 : 0;
    if (size < least || size > most || (size & (size - 1)) != 0) return "have a type that is not known";
    return NULL;
}

/* Reads the header of a .npy file: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }. */
SPARSE_P_COLD sparse_result sparse_p_read_dictionary(const sparse_p_reader *r, const char *at, const char *end,
                                                     sparse_p_array *a)
{
    const char *const begin = at;
    char key[24], type[24] = "";
    bool good = sparse_p_take_char(&at, end, '{'), more = true;
    unsigned seen = 0;
    while (good && !sparse_p_take_char(&at, end, '}')) {
        good = more && sparse_p_take_string(&at, end, key) && sparse_p_take_char(&at, end, ':');
        if (good && strcmp(key, "descr") == 0) {
            seen |= 1;
            if (sparse_p_take_char(&at, end, '['))
                return sparse_p_fail(r, sparse_p_place_in(a, at), SPARSE_E_VALUE_TYPE, "the elements of %s are structures",
                                     a->name);
            good = sparse_p_take_string(&at, end, type);
        } else if (good && strcmp(key, "fortran_order") == 0) {
            seen |= 2;
            a->fortran = sparse_p_take_char(&at, end, 'T');
            const char *const rest = a->fortran ? "rue" : "False";
            good = (size_t)(end - at) > strlen(rest) && memcmp(at, rest, strlen(rest)) == 0;
            if (good) at += strlen(rest);
        } else if (good) {
            seen |= 4;
            good = strcmp(key, "shape") == 0 && sparse_p_take_sizes(&at, end, a);
        }
        more = sparse_p_take_char(&at, end, ',');
    }
    if (!good || seen != 7)
        return sparse_p_fail(r, sparse_p_place_in(a, at), SPARSE_E_HEADER,
                             "the header of %s is damaged, or its array has more than %d dimensions", a->name,
                             SPARSE_MAX_RANK);
    const char *const wrong = sparse_p_read_type(type, a);
    if (wrong != NULL)
        return sparse_p_fail(r, sparse_p_place_in(a, begin), SPARSE_E_VALUE_TYPE, "the elements of %s, of type \"%s\", %s",
                             a->name, type, wrong);
    return SPARSE_OK;
}

/* Returns whether the text is a .npy file. */
SPARSE_P_COLD bool sparse_p_is_npy(sparse_p_reader *r)
{
    return r->window.end - r->window.begin >= 6 && memcmp(r->window.begin, "\x93NUMPY", 6) == 0;
}

/* Opens the bytes of a .npy file as an array. The elements are not copied. */
SPARSE_P_COLD sparse_result sparse_p_open_array(const sparse_p_reader *r, const char *at, size_t length, sparse_p_array *a)
{
    const unsigned char *const byte = (const unsigned char *)at;
    const size_t wide = length > 6 && byte[6] > 1 ? 4 : 2, start = 8 + wide;
    if (length < start || memcmp(at, "\x93NUMPY", 6) != 0 || byte[6] < 1 || byte[6] > 3)
        return sparse_p_fail(r, sparse_p_place_in(a, at), SPARSE_E_FILE_FORMAT, "%s is no .npy array of version 1 to 3",
                             a->name);
    const uint64_t header = sparse_p_bytes(byte + 8, wide, false);
    if (header > length - start)
        return sparse_p_fail(r, sparse_p_place_in(a, at + 8), SPARSE_E_HEADER, "the header of %s goes beyond its end",
                             a->name);
    SPARSE_P_TRY(sparse_p_read_dictionary(r, at + start, at + start + (size_t)header, a));
    const size_t left = length - start - (size_t)header;
    a->at = byte + start + (size_t)header;
    a->count = 1;
    bool empty = false;
    for (size_t d = 0; d < a->rank; d++) {
        empty |= a->dim[d] == 0;
        if (a->dim[d] > 0 && !sparse_p_mul(&a->count, a->count, a->dim[d])) a->count = SIZE_MAX;
    }
    if (empty) a->count = 0;
    if (!empty && a->count == SIZE_MAX)
        return sparse_p_fail(r, sparse_p_place_in(a, a->at), SPARSE_E_COUNT,
                             "%s should have more elements than there can be", a->name);
    if (a->size == 0 ? left > 0 : left % a->size != 0 || left / a->size != a->count)
        return sparse_p_fail(r, sparse_p_place_in(a, a->at), SPARSE_E_COUNT,
                             "%s should have %zu elements of %zu bytes, but has %zu bytes", a->name, a->count, a->size,
                             left);
    return SPARSE_OK;
}

/* Refuses an array of text, and a complex array if the tensor is real. */
SPARSE_P_COLD sparse_result sparse_p_check_numbers(sparse_p_reader *r, const sparse_p_array *a)
{
    r->at = sparse_p_place_in(a, a->at);
    if (a->type == 'S' || a->type == 'U')
        return sparse_p_fail(r, r->at, SPARSE_E_VALUE_TYPE, "the elements of %s are text", a->name);
    r->head.parts = a->type == 'c' ? 2 : 1;
    return sparse_p_check_values(r);
}

/* Adds every element of the array as an entry, in the order of the file. */
SPARSE_P_COLD sparse_result sparse_p_read_npy(sparse_p_reader *r)
{
    sparse_p_array a;
    size_t c[SPARSE_MAX_RANK] = {0};
    memset(&a, 0, sizeof a);
    a.name = "the array";
    SPARSE_P_TRY(sparse_p_read_whole(r));
    a.origin = r->window.begin;
    SPARSE_P_TRY(sparse_p_open_array(r, r->window.begin, (size_t)(r->window.end - r->window.begin), &a));
    SPARSE_P_TRY(sparse_p_check_numbers(r, &a));
    r->line = r->window.begin;
    r->head.rank = a.rank;
    memcpy(r->head.dim, a.dim, a.rank * sizeof *a.dim);
    SPARSE_P_TRY(sparse_p_check_shape(r));
    r->head.array = true;
    if (r->store.expected == 0) r->store.expected = a.count;
    for (size_t k = 0; k < a.count; k++) {
        SPARSE_P_TRY(sparse_p_add_element(r, c, &a, k));
        for (size_t n = 0; n < a.rank; n++) {
            const size_t d = a.fortran ? n : a.rank - 1 - n;
            if (++c[d] < a.dim[d]) break;
            c[d] = 0;
        }
    }
    return SPARSE_OK;
}

/* A zip archive in memory. */
typedef struct sparse_p_zip {
    const unsigned char *at, *directory;
    size_t length, bytes, members; /* the central directory: its size in bytes, its number of entries */
    int64_t hdf5;                  /* if not 0: an open HDF5 file that is read instead of a zip archive */
} sparse_p_zip;
    #if SPARSE_HDF5
SPARSE_P_COLD sparse_result sparse_p_open_dataset(const sparse_p_reader *r, int64_t file, const char *name,
                                                  sparse_p_array *a);
    #endif

/* A file that is stored in a zip archive. `at` is its first byte, or null if the archive has no such file. */
typedef struct sparse_p_member {
    const unsigned char *at;
    uint64_t stored, size; /* size in the archive, size after decompression */
    uint32_t crc;
    unsigned method; /* 0: stored, 8: deflated */
} sparse_p_member;

/* Computes the CRC-32 of zip and gzip (ISO 3309). `crc` is the CRC-32 of the preceding bytes, 0 if there are none; the
   result covers these bytes and `length` more. The loop handles four bytes per step, so it needs four tables: table[k][n]
   is the contribution of a byte with the value n that is followed by k other bytes. */
static inline uint32_t sparse_p_crc32(uint32_t crc, const void *bytes, size_t length)
{
    uint32_t table[4][256];
    const unsigned char *at = (const unsigned char *)bytes;
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int bit = 0; bit < 8; bit++) c = c >> 1 ^ (c & 1 ? UINT32_C(0xEDB88320) : 0);
        table[0][n] = c;
    }
    for (size_t k = 1; k < 4; k++)
        for (size_t n = 0; n < 256; n++) table[k][n] = table[k - 1][n] >> 8 ^ table[0][table[k - 1][n] & 0xFF];
    for (crc = ~crc; length >= 4; at += 4, length -= 4)
        crc = table[3][(crc ^ at[0]) & 0xFF] ^ table[2][(crc >> 8 ^ at[1]) & 0xFF] ^ table[1][(crc >> 16 ^ at[2]) & 0xFF] ^
              table[0][crc >> 24 ^ at[3]];
    for (; length > 0; length--) crc = crc >> 8 ^ table[0][(crc ^ *at++) & 0xFF];
    return ~crc;
}

/* Do the data begin with the signature of a zip archive, which may be an empty one? */
SPARSE_P_COLD bool sparse_p_is_npz(sparse_p_reader *r)
{
    return r->window.end - r->window.begin >= 4 &&
           (memcmp(r->window.begin, "PK\3\4", 4) == 0 || memcmp(r->window.begin, "PK\5\6", 4) == 0);
}

/* Finds the central directory of a zip archive. The end record of the archive (PKWARE's APPNOTE, 4.3.6) gives its
   position; if the archive has a zip64 end record, its wider fields are used instead. */
SPARSE_P_COLD sparse_result sparse_p_open_zip(const sparse_p_reader *r, sparse_p_zip *z)
{
    const unsigned char *const at = z->at = (const unsigned char *)r->window.begin;
    const size_t length = z->length = (size_t)(r->window.end - r->window.begin);
    size_t end = length >= 22 ? length - 22 : 0;
    while (length >= 22 && end > 0 && length - end < 22 + 65535 && memcmp(at + end, "PK\5\6", 4) != 0) end--;
    if (length < 22 || memcmp(at + end, "PK\5\6", 4) != 0)
        return sparse_p_fail(r, r->window.end, SPARSE_E_HEADER,
                             "the zip archive has no directory at its end: it is cut or damaged");
    uint64_t members = sparse_p_bytes(at + end + 10, 2, false), bytes = sparse_p_bytes(at + end + 12, 4, false);
    uint64_t offset = sparse_p_bytes(at + end + 16, 4, false);
    if (end >= 20 && memcmp(at + end - 20, "PK\6\7", 4) == 0) {
        const uint64_t wide = sparse_p_bytes(at + end - 12, 8, false);
        if (length < 56 || wide > length - 56 || memcmp(at + wide, "PK\6\6", 4) != 0)
            return sparse_p_fail(r, r->window.begin + end, SPARSE_E_HEADER, "the end of the zip archive is damaged");
        members = sparse_p_bytes(at + wide + 32, 8, false);
        bytes = sparse_p_bytes(at + wide + 40, 8, false);
        offset = sparse_p_bytes(at + wide + 48, 8, false);
    }
    if (offset > end || bytes > end - offset || members > bytes / 46)
        return sparse_p_fail(r, r->window.begin + end, SPARSE_E_HEADER,
                             "the directory of the zip archive goes beyond its end");
    z->directory = at + offset;
    z->bytes = (size_t)bytes;
    z->members = (size_t)members;
    return SPARSE_OK;
}

/* Reads the zip64 extra field of a directory entry. Every 32-bit number that is too small for its value (a size or the
   offset of the member) is set to UINT32_MAX, and this field holds its 64-bit value. */
SPARSE_P_COLD void sparse_p_read_wide(const unsigned char *extra, size_t length, sparse_p_member *m, uint64_t *offset)
{
    uint64_t *const number[] = {&m->size, &m->stored, offset};
    while (length >= 4) {
        const size_t bytes = (size_t)sparse_p_bytes(extra + 2, 2, false);
        if (bytes > length - 4) return;
        for (size_t k = 0, at = 0; k < 3 && sparse_p_bytes(extra, 2, false) == 1; k++)
            if (*number[k] == UINT32_MAX && at + 8 <= bytes) {
                *number[k] = sparse_p_bytes(extra + 4 + at, 8, false);
                at += 8;
            }
        extra += 4 + bytes;
        length -= 4 + bytes;
    }
}

/* Finds the member `name` of an archive. If there is no such member, m->at is null and the result is SPARSE_OK. */
SPARSE_P_COLD sparse_result sparse_p_find_member(const sparse_p_reader *r, const sparse_p_zip *z, const char *name,
                                                 sparse_p_member *m)
{
    const unsigned char *at = z->directory;
    size_t left = z->bytes;
    m->at = NULL;
    for (size_t k = 0; k < z->members; k++) {
        const size_t letters = left >= 46 ? (size_t)sparse_p_bytes(at + 28, 2, false) : 0;
        const size_t extra = left >= 46 ? (size_t)sparse_p_bytes(at + 30, 2, false) : 0;
        const size_t bytes = left >= 46 ? 46 + letters + extra + (size_t)sparse_p_bytes(at + 32, 2, false) : SIZE_MAX;
        if (bytes > left || memcmp(at, "PK\1\2", 4) != 0)
            return sparse_p_fail(r, (const char *)at, SPARSE_E_HEADER, "entry %zu of the zip directory is damaged", k);
        if (letters == strlen(name) && memcmp(at + 46, name, letters) == 0) {
            uint64_t offset = sparse_p_bytes(at + 42, 4, false);
            m->method = (unsigned)sparse_p_bytes(at + 10, 2, false);
            m->crc = (uint32_t)sparse_p_bytes(at + 16, 4, false);
            m->stored = sparse_p_bytes(at + 20, 4, false);
            m->size = sparse_p_bytes(at + 24, 4, false);
            sparse_p_read_wide(at + 46 + letters, extra, m, &offset);
            if ((at[8] & 1) != 0)
                return sparse_p_fail(r, (const char *)at, SPARSE_E_COMPRESSED_FILE, "%s is encrypted", name);
            const unsigned char *const local = z->at + (offset < z->length ? offset : 0);
            const uint64_t room = offset < z->length ? z->length - offset : 0;
            const uint64_t skip =
                room < 30 ? UINT64_MAX : 30 + sparse_p_bytes(local + 26, 2, false) + sparse_p_bytes(local + 28, 2, false);
            if (skip > room || m->stored > room - skip || memcmp(local, "PK\3\4", 4) != 0)
                return sparse_p_fail(r, (const char *)at, SPARSE_E_HEADER, "%s is not where the zip directory says", name);
            m->at = local + skip;
            return SPARSE_OK;
        }
        at += bytes;
        left -= bytes;
    }
    return SPARSE_OK;
}

/* Decompresses member `m` of the archive into `b`. `name` is for the error message. */
SPARSE_P_COLD sparse_result sparse_p_inflate_member(const sparse_p_reader *r, const char *name, const sparse_p_member *m,
                                                    sparse_buffer *b)
{
    #if SPARSE_ZLIB
    const char *wrong;
    size_t place;
    const sparse_result result =
        sparse_p_inflate(r->t->hooks, m->at, (size_t)m->stored, m->size, sparse_p_expansion(&r->o), b, &wrong, &place);
    return result ? sparse_p_fail(r, (const char *)m->at + place, result, "%s: %s", name, wrong) : SPARSE_OK;
    #else
    (void)b;
    return sparse_p_fail(r, (const char *)m->at, SPARSE_E_COMPRESSED_FILE, "%s is compressed: %s", name,
                         SPARSE_P_WITHOUT_ZLIB);
    #endif
}

/* Opens the array `name` of the archive, or of the HDF5 file. If it does not exist, a->at stays null and the result is
   SPARSE_OK. */
SPARSE_P_COLD sparse_result sparse_p_open_member(const sparse_p_reader *r, const sparse_p_zip *z, const char *name,
                                                 sparse_p_array *a)
{
    sparse_p_member m;
    a->name = name;
    #if SPARSE_HDF5
    if (z->hdf5) return sparse_p_open_dataset(r, z->hdf5, name, a);
    #endif
    SPARSE_P_TRY(sparse_p_find_member(r, z, name, &m));
    if (m.at == NULL) return SPARSE_OK;
    a->origin = (const char *)m.at;
    if (m.method == 8)
        SPARSE_P_TRY(sparse_p_inflate_member(r, name, &m, &a->owned));
    else if (m.method != 0 || m.stored != m.size)
        return sparse_p_fail(r, a->origin, SPARSE_E_COMPRESSED_FILE,
                             "%s is compressed by method %u of zip, which is not read", name, m.method);
    const char *const at = (const char *)(m.method == 8 ? a->owned.at : (const void *)m.at);
    if (!(r->o.unchecked && r->o.borrow) && sparse_p_crc32(0, at, (size_t)m.size) != m.crc)
        return sparse_p_fail(r, a->origin, SPARSE_E_READ, "%s is damaged: its CRC-32 is not what the zip directory says",
                             name);
    return sparse_p_open_array(r, at, (size_t)m.size, a);
}

/* Indices of the arrays that a SciPy or PyData/Sparse .npz file may contain. */
enum {
    SPARSE_P_NPZ_FORMAT,
    SPARSE_P_NPZ_SHAPE,
    SPARSE_P_NPZ_DATA,
    SPARSE_P_NPZ_POINTERS,
    SPARSE_P_NPZ_INDICES,
    SPARSE_P_NPZ_ROW,
    SPARSE_P_NPZ_COLUMN,
    SPARSE_P_NPZ_OFFSETS,
    SPARSE_P_NPZ_COORDINATES,
    SPARSE_P_NPZ_FILL,
    SPARSE_P_NPZ_ARRAYS
};

/* Returns an error if the array is missing, if its number of dimensions is not `rank`, or if `integers` is set and its
   elements are not integers. */
SPARSE_P_COLD sparse_result sparse_p_need(const sparse_p_reader *r, const sparse_p_array *a, size_t rank, bool integers)
{
    if (a->at == NULL) return sparse_p_fail(r, r->line, SPARSE_E_HEADER, "%s is not in the archive", a->name);
    if (a->rank != rank)
        return sparse_p_fail(r, a->origin, SPARSE_E_HEADER, "%s should have %zu dimensions, not %zu", a->name, rank,
                             a->rank);
    if (integers && a->type != 'i' && a->type != 'u')
        return sparse_p_fail(r, a->origin, SPARSE_E_HEADER, "%s should hold integers", a->name);
    return SPARSE_OK;
}

/* Sets *n to element k of an array of integers. If the element is not from `least` to `most`, the function returns the
   error `why`. */
static inline sparse_result sparse_p_index_at(const sparse_p_reader *r, const sparse_p_array *a, size_t k, size_t least,
                                              size_t most, sparse_result why, size_t *n)
{
    const sparse_p_number x = sparse_p_element(a, k, 0);
    if ((x.negative && x.magnitude > 0) || x.magnitude < least || x.magnitude > most)
        return sparse_p_fail(r, sparse_p_place_of(a, k), why, "element %zu of %s, %s%llu, is not from %zu to %zu", k,
                             a->name, x.negative ? "-" : "", (unsigned long long)x.magnitude, least, most);
    *n = (size_t)x.magnitude;
    return SPARSE_OK;
}

/* Reads entries in coordinate format (COO) of any rank. Entry k has the coordinate crd[d][first[d] + k] in dimension d. */
static inline sparse_result sparse_p_read_npz_entries(sparse_p_reader *r, const sparse_p_array *crd[], const size_t first[],
                                                      const sparse_p_array *data)
{
    size_t c[SPARSE_MAX_RANK] = {0};
    for (size_t k = 0; k < data->count; k++) {
        for (size_t d = 0; d < r->head.rank; d++)
            if (r->head.dim[d] == 0)
                return sparse_p_fail(r, sparse_p_place_of(data, 0), SPARSE_E_COORDINATE,
                                     "there are entries in a dimension of size 0");
        for (size_t d = 0; d < r->head.rank; d++)
            SPARSE_P_TRY(sparse_p_index_at(r, crd[d], first[d] + k, 0, r->head.dim[d] - 1, SPARSE_E_COORDINATE, &c[d]));
        SPARSE_P_TRY(sparse_p_add_element(r, c, data, k));
    }
    return SPARSE_OK;
}

/* Reads a matrix in CSR, BSR or CSC. In BSR each index belongs to a block of elements; CSR and CSC have blocks of one
   element. `major` is the dimension that the pointers compress: 0 for CSR and BSR, 1 for CSC. */
static inline sparse_result sparse_p_read_npz_rows(sparse_p_reader *r, const sparse_p_array a[], size_t major)
{
    const sparse_p_array *const data = &a[SPARSE_P_NPZ_DATA], *const pointers = &a[SPARSE_P_NPZ_POINTERS];
    const size_t block[2] = {data->rank == 3 ? data->dim[1] : 1, data->rank == 3 ? data->dim[2] : 1};
    const size_t stored = a[SPARSE_P_NPZ_INDICES].count, minor = 1 - major;
    if (block[0] == 0 || block[1] == 0 || r->head.dim[0] % block[0] != 0 || r->head.dim[1] % block[1] != 0 ||
        data->dim[0] != stored)
        return sparse_p_fail(r, data->origin, SPARSE_E_HEADER,
                             "shape, indices and data of the archive contradict each other");
    const size_t rows = r->head.dim[major] / block[0], columns = r->head.dim[minor] / block[1];
    size_t from = 0, to = 0, j = 0, c[SPARSE_MAX_RANK] = {0};
    if (pointers->count == 0 || pointers->count - 1 != rows)
        return sparse_p_fail(r, pointers->origin, SPARSE_E_POSITIONS, "indptr.npy should have %zu elements and one, not %zu",
                             rows, pointers->count);
    SPARSE_P_TRY(sparse_p_index_at(r, pointers, 0, 0, 0, SPARSE_E_POSITIONS, &from));
    for (size_t i = 0; i < rows; i++) {
        const size_t least = i + 1 < rows ? from : stored;
        SPARSE_P_TRY(sparse_p_index_at(r, pointers, i + 1, least, stored, SPARSE_E_POSITIONS, &to));
        for (; from < to; from++) {
            if (columns == 0)
                return sparse_p_fail(r, a[SPARSE_P_NPZ_INDICES].origin, SPARSE_E_COORDINATE,
                                     "there are entries in a dimension of size 0");
            SPARSE_P_TRY(sparse_p_index_at(r, &a[SPARSE_P_NPZ_INDICES], from, 0, columns - 1, SPARSE_E_COORDINATE, &j));
            for (size_t k = 0; k < block[0] * block[1]; k++) {
                const size_t y = k / block[1], x = k % block[1];
                const size_t in_c = from * block[0] * block[1] + k, in_fortran = from + stored * (y + block[0] * x);
                c[major] = i * block[0] + y;
                c[minor] = j * block[1] + x;
                SPARSE_P_TRY(sparse_p_add_element(r, c, data, data->fortran ? in_fortran : in_c));
            }
        }
    }
    if (from == stored) return SPARSE_OK;
    return sparse_p_fail(r, pointers->origin, SPARSE_E_POSITIONS, "indices.npy has more elements than indptr.npy says");
}

/* Reads a matrix in DIA format, which stores diagonals: A(j - offset, j) = data(diagonal, j). Zeros are dropped, because
   the format pads its diagonals with zeros. */
SPARSE_P_COLD sparse_result sparse_p_read_npz_diagonals(sparse_p_reader *r, const sparse_p_array *offsets,
                                                        const sparse_p_array *data)
{
    const size_t width = data->dim[1] < r->head.dim[1] ? data->dim[1] : r->head.dim[1];
    size_t c[SPARSE_MAX_RANK] = {0};
    if (data->dim[0] != offsets->count)
        return sparse_p_fail(r, offsets->origin, SPARSE_E_HEADER, "offsets.npy and data.npy contradict each other");
    r->o.drop_zeros = true;
    for (size_t k = 0; k < offsets->count; k++) {
        const sparse_p_number offset = sparse_p_element(offsets, k, 0);
        for (c[1] = 0; c[1] < width; c[1]++) {
            const uint64_t below = offset.negative ? offset.magnitude : 0, above = offset.negative ? 0 : offset.magnitude;
            if (c[1] < above || below > SIZE_MAX - c[1] || c[1] + below - above >= r->head.dim[0]) continue;
            c[0] = (size_t)(c[1] + below - above);
            SPARSE_P_TRY(
                sparse_p_add_element(r, c, data, data->fortran ? k + c[1] * data->dim[0] : k * data->dim[1] + c[1]));
        }
    }
    return SPARSE_OK;
}

/* Copies the word in an array of text, for example "csr", into `word`; at most 7 characters. */
SPARSE_P_COLD void sparse_p_read_word(const sparse_p_array *a, char word[8])
{
    const size_t step = a->type == 'U' ? 4 : 1;
    size_t n = 0;
    while (a->count > 0 && n < 7 && (n + 1) * step <= a->size && (a->type == 'U' || a->type == 'S')) {
        word[n] = (char)a->at[n * step + (a->type == 'U' && a->big ? 3 : 0)];
        if (word[n++] == '\0') break;
    }
    word[n] = '\0';
}

/* Returns the error of the option `borrow` for a tensor whose encoding stores other arrays than the file holds. */
SPARSE_P_COLD sparse_result sparse_p_cannot_borrow(const sparse_p_reader *r, const char *place)
{
    return sparse_p_fail(r, place, SPARSE_E_ENCODING,
                         "%s stores other arrays than the file has, or interleaved ones, so it cannot borrow them",
                         sparse_p_type_name(r));
}
SPARSE_P_COLD sparse_result sparse_p_borrow_rows(sparse_p_reader *r, const sparse_p_array a[], bool columns);

/* Reads the matrix or tensor that the arrays of a .npz file describe. The array "format" names the format that SciPy
   used; PyData/Sparse is recognised by its array "coords". */
SPARSE_P_COLD sparse_result sparse_p_read_npz_arrays(sparse_p_reader *r, sparse_p_array a[])
{
    sparse_p_array *const data = &a[SPARSE_P_NPZ_DATA], *const shape = &a[SPARSE_P_NPZ_SHAPE];
    sparse_p_array *const coordinates = &a[SPARSE_P_NPZ_COORDINATES];
    const sparse_p_array *crd[SPARSE_MAX_RANK] = {&a[SPARSE_P_NPZ_ROW], &a[SPARSE_P_NPZ_COLUMN]};
    size_t first[SPARSE_MAX_RANK] = {0};
    char word[8] = "";
    if (a[SPARSE_P_NPZ_FORMAT].at != NULL) sparse_p_read_word(&a[SPARSE_P_NPZ_FORMAT], word);
    SPARSE_P_TRY(sparse_p_need(r, shape, 1, true));
    if (shape->count > SPARSE_MAX_RANK || shape->count == 0)
        return sparse_p_fail(r, shape->origin, SPARSE_E_DIMENSIONS, "shape.npy has %zu dimensions, not 1 to %d",
                             shape->count, SPARSE_MAX_RANK);
    r->head.rank = shape->count;
    for (size_t d = 0; d < r->head.rank; d++)
        SPARSE_P_TRY(sparse_p_index_at(r, shape, d, 0, SIZE_MAX, SPARSE_E_OVERFLOW, &r->head.dim[d]));
    r->line = shape->origin;
    SPARSE_P_TRY(sparse_p_check_shape(r));
    const bool blocks = strcmp(word, "bsr") == 0, diagonals = strcmp(word, "dia") == 0;
    const bool columns = strcmp(word, "csc") == 0, rows = blocks || columns || strcmp(word, "csr") == 0;
    SPARSE_P_TRY(sparse_p_need(r, data, blocks ? 3 : diagonals ? 2 : 1, false));
    SPARSE_P_TRY(sparse_p_check_numbers(r, data));
    if ((rows || diagonals || strcmp(word, "coo") == 0) && r->head.rank != 2 && coordinates->at == NULL)
        return sparse_p_fail(r, shape->origin, SPARSE_E_HEADER, "shape.npy of a matrix has %zu dimensions", r->head.rank);
    if (r->o.borrow && (blocks || !rows)) return sparse_p_cannot_borrow(r, data->origin);
    if (rows) {
        SPARSE_P_TRY(sparse_p_need(r, &a[SPARSE_P_NPZ_POINTERS], 1, true));
        SPARSE_P_TRY(sparse_p_need(r, &a[SPARSE_P_NPZ_INDICES], 1, true));
        if (r->o.borrow) return sparse_p_borrow_rows(r, a, columns);
        return sparse_p_read_npz_rows(r, a, columns);
    }
    if (diagonals) {
        SPARSE_P_TRY(sparse_p_need(r, &a[SPARSE_P_NPZ_OFFSETS], 1, true));
        return sparse_p_read_npz_diagonals(r, &a[SPARSE_P_NPZ_OFFSETS], data);
    }
    if (coordinates->at != NULL) { /* PyData/Sparse: one array holds the coordinates of all dimensions */
        SPARSE_P_TRY(sparse_p_need(r, coordinates, 2, true));
        for (size_t d = 0; d < r->head.rank; d++) {
            crd[d] = coordinates;
            first[d] = d * data->count;
        }
        if (coordinates->fortran || coordinates->dim[0] != r->head.rank || coordinates->dim[1] != data->count)
            return sparse_p_fail(r, coordinates->origin, SPARSE_E_HEADER,
                                 "coords.npy, shape.npy and data.npy contradict each other");
        const sparse_p_array *const fill = &a[SPARSE_P_NPZ_FILL];
        for (size_t k = 0; fill->at != NULL && k < fill->count * fill->size; k++)
            if (fill->at[k] != 0)
                return sparse_p_fail(r, sparse_p_place_in(fill, fill->at), SPARSE_E_VALUE_TYPE,
                                     "what is not stored is not zero by fill_value.npy");
        return sparse_p_read_npz_entries(r, crd, first, data);
    }
    if (strcmp(word, "coo") != 0)
        return sparse_p_fail(r, a[SPARSE_P_NPZ_FORMAT].at ? a[SPARSE_P_NPZ_FORMAT].origin : r->line, SPARSE_E_FILE_FORMAT,
                             "the format \"%s\" of the archive is none of csr csc bsr coo dia", word);
    for (size_t d = 0; d < 2; d++) {
        SPARSE_P_TRY(sparse_p_need(r, crd[d], 1, true));
        if (crd[d]->count != data->count)
            return sparse_p_fail(r, crd[d]->origin, SPARSE_E_HEADER, "%s and data.npy differ in length", crd[d]->name);
    }
    return sparse_p_read_npz_entries(r, crd, first, data);
}

/* Opens all arrays that SciPy or PyData/Sparse may write, and reads what they describe. An array may be missing:
   sparse_p_read_npz_arrays checks which ones the format needs. */
SPARSE_P_COLD sparse_result sparse_p_read_scipy(sparse_p_reader *r, const sparse_p_zip *z)
{
    static const char *const name[SPARSE_P_NPZ_ARRAYS] = {"format.npy",  "shape.npy",     "data.npy", "indptr.npy",
                                                          "indices.npy", "row.npy",       "col.npy",  "offsets.npy",
                                                          "coords.npy",  "fill_value.npy"};
    sparse_p_array a[SPARSE_P_NPZ_ARRAYS];
    memset(a, 0, sizeof a);
    sparse_result result = SPARSE_OK;
    r->line = (const char *)z->directory;
    for (size_t k = 0; !result && k < SPARSE_P_NPZ_ARRAYS; k++) result = sparse_p_open_member(r, z, name[k], &a[k]);
    if (!result) result = sparse_p_read_npz_arrays(r, a);
    for (size_t k = 0; k < SPARSE_P_NPZ_ARRAYS; k++) sparse_p_release(r->t->hooks, &a[k].owned, 1);
    return result;
}

    /* >>hdf5
       Reads HDF5 files, from memory, with the library of the HDF Group. This needs a program that is compiled with
       SPARSE_HDF5 defined as 1 and linked with -lhdf5. The arrays are datasets of the root group. External links,
       external datasets and virtual datasets are refused, so that reading a file never opens another file. */
    #define SPARSE_P_WITHOUT_HDF5 "define SPARSE_HDF5 as 1 and link with -lhdf5"

/* Do the data begin with the signature of an HDF5 file? */
SPARSE_P_COLD bool sparse_p_is_hdf5(sparse_p_reader *r)
{
    return r->window.end - r->window.begin >= 8 && memcmp(r->window.begin, "\x89HDF\r\n\x1a\n", 8) == 0;
}

    #if SPARSE_HDF5
/* The library prints its errors unless its error handler is removed. These two functions remove the handler of the
   program and restore it. */
typedef struct sparse_p_hdf5_quiet {
    H5E_auto2_t tell;
    void *context;
} sparse_p_hdf5_quiet;
SPARSE_P_COLD void sparse_p_begin_hdf5(sparse_p_hdf5_quiet *quiet)
{
    (void)H5open();
    (void)H5Eget_auto2(H5E_DEFAULT, &quiet->tell, &quiet->context);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}
SPARSE_P_COLD void sparse_p_end_hdf5(const sparse_p_hdf5_quiet *quiet)
{
    (void)H5Eset_auto2(H5E_DEFAULT, quiet->tell, quiet->context);
}

/* Opens the data of reader `r` as an HDF5 file in memory. If `r` is null, the function creates a new HDF5 file in memory.
   A negative result means failure. */
SPARSE_P_COLD hid_t sparse_p_hdf5_in_memory(const sparse_p_reader *r)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (access < 0 || H5Pset_fapl_core(access, 1 << 20, 0) < 0) return -1;
    if (!r)
        file = H5Fcreate("tensor", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    else if (H5Pset_file_image(access, (void *)(uintptr_t)r->window.begin, (size_t)(r->window.end - r->window.begin)) >= 0)
        file = H5Fopen("tensor", H5F_ACC_RDONLY, access);
    (void)H5Pclose(access);
    return file;
}

/* *file = the file that sparse_p_hdf5_in_memory opens, for sparse_p_close_hdf5; 0, with the error E_HEADER, if it
   fails. */
SPARSE_P_COLD sparse_result sparse_p_open_hdf5(const sparse_p_reader *r, int64_t *file)
{
    *file = (int64_t)sparse_p_hdf5_in_memory(r);
    if (*file > 0) return SPARSE_OK;
    *file = 0;
    return sparse_p_fail(r, r->window.begin, SPARSE_E_HEADER, "the HDF5 library cannot open this: it is cut or damaged");
}
SPARSE_P_COLD void sparse_p_close_hdf5(int64_t file)
{
    if (file > 0) (void)H5Fclose((hid_t)file);
}

/* Allocates `bytes` bytes of a->owned, into which the library will write. A small file may announce a huge array, so a
   size far beyond the size of the file is refused; the option `expansion` sets the limit. */
SPARSE_P_COLD sparse_result sparse_p_hdf5_room(const sparse_p_reader *r, sparse_p_array *a, size_t bytes)
{
    const uint64_t whole = (uint64_t)(r->window.end - r->window.begin);
    if (sparse_p_expands(bytes, whole, sparse_p_expansion(&r->o), 1 << 20))
        return sparse_p_fail(r, a->origin, SPARSE_E_MEMORY, "%s is far larger than the file (option expansion)", a->name);
    const sparse_result result = sparse_p_allocate(r->t->hooks, &a->owned, bytes + 1, 1);
    return result ? sparse_p_fail(r, a->origin, result, "%s", sparse_message(result)) : SPARSE_OK;
}

/* Returns the native type into which the library should convert the elements, given their type in the file, and sets the
   type, size and byte order of `a`. A negative result means that the elements are not numbers of a supported type. */
SPARSE_P_COLD hid_t sparse_p_hdf5_type(hid_t type, sparse_p_array *a)
{
    const H5T_class_t kind = H5Tget_class(type);
    a->size = H5Tget_size(type);
    const unsigned log = a->size == 1 ? 0 : a->size == 2 ? 1 : a->size == 4 ? 2 : a->size == 8 ? 3 : 4;
    const hid_t with_sign[] = {H5T_NATIVE_INT8, H5T_NATIVE_INT16, H5T_NATIVE_INT32, H5T_NATIVE_INT64};
    const hid_t without[] = {H5T_NATIVE_UINT8, H5T_NATIVE_UINT16, H5T_NATIVE_UINT32, H5T_NATIVE_UINT64};
    a->big = sparse_p_byte_order() == '>';
    a->type = 'f';
    if (kind == H5T_FLOAT) return log == 2 ? H5T_NATIVE_FLOAT : log == 3 ? H5T_NATIVE_DOUBLE : -1;
    a->type = H5Tget_sign(type) == H5T_SGN_NONE ? 'u' : 'i';
    return kind != H5T_INTEGER || log == 4 ? -1 : a->type == 'u' ? without[log] : with_sign[log];
}

/* Are the elements of the dataset stored in the file itself, not in an external file or another dataset? */
SPARSE_P_COLD bool sparse_p_is_inside(hid_t set)
{
    const hid_t how = H5Dget_create_plist(set);
    const bool inside = how >= 0 && H5Pget_external_count(how) == 0 && H5Pget_layout(how) != H5D_VIRTUAL;
    if (how >= 0) (void)H5Pclose(how);
    return inside;
}

/* Reads the dimensions of a dataset and computes its number of elements. Returns false if there are too many of either. */
SPARSE_P_COLD bool sparse_p_hdf5_sizes(hid_t set, sparse_p_array *a)
{
    hsize_t size[SPARSE_MAX_RANK] = {0};
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    bool fits = rank >= 0 && rank <= SPARSE_MAX_RANK && H5Sget_simple_extent_dims(space, size, NULL) >= 0;
    a->rank = fits ? (size_t)rank : 0;
    a->count = 1;
    for (size_t d = 0; fits && d < a->rank; d++) {
        a->dim[d] = (size_t)size[d];
        fits = size[d] <= SIZE_MAX && sparse_p_mul(&a->count, a->count, a->dim[d]);
    }
    if (space >= 0) (void)H5Sclose(space);
    return fits && a->count <= (SIZE_MAX - 1) / 16;
}

/* Reads the elements of the open dataset `set` into a->owned. The library converts them to the byte order of the machine. */
SPARSE_P_COLD sparse_result sparse_p_read_dataset(const sparse_p_reader *r, hid_t set, sparse_p_array *a)
{
    if (!sparse_p_is_inside(set))
        return sparse_p_fail(r, a->origin, SPARSE_E_FILE_FORMAT, "the elements of %s are in another file", a->name);
    const hid_t type = H5Dget_type(set), memory = sparse_p_hdf5_type(type, a);
    (void)H5Tclose(type);
    if (memory < 0) return sparse_p_fail(r, a->origin, SPARSE_E_VALUE_TYPE, "the elements of %s are no numbers", a->name);
    if (!sparse_p_hdf5_sizes(set, a))
        return sparse_p_fail(r, a->origin, SPARSE_E_COUNT, "%s has more dimensions or elements than are read", a->name);
    SPARSE_P_TRY(sparse_p_hdf5_room(r, a, a->count * a->size));
    a->at = (const unsigned char *)a->owned.at;
    if (a->count == 0 || H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, a->owned.at) >= 0) return SPARSE_OK;
    return sparse_p_fail(r, a->origin, SPARSE_E_READ, "%s is damaged, or packed by a filter that is not there", a->name);
}

/* Opens the dataset that is called `name` without its last four characters, which are ".npy". If it does not exist, a->at
   stays null and the result is SPARSE_OK. */
SPARSE_P_COLD sparse_result sparse_p_open_dataset(const sparse_p_reader *r, int64_t file, const char *name,
                                                  sparse_p_array *a)
{
    char key[40];
    H5L_info_t link;
    snprintf(key, sizeof key, "%.*s", (int)strlen(name) - 4, name);
    a->origin = r->window.begin;
    if (H5Lexists((hid_t)file, key, H5P_DEFAULT) <= 0) return SPARSE_OK;
    const bool hard = H5Lget_info((hid_t)file, key, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD;
    const hid_t set = hard ? H5Dopen2((hid_t)file, key, H5P_DEFAULT) : -1;
    if (set < 0) return sparse_p_fail(r, a->origin, SPARSE_E_HEADER, "%s is no dataset of the file", key);
    const sparse_result result = sparse_p_read_dataset(r, set, a);
    (void)H5Dclose(set);
    return result;
}

/* Reads a text of HDF5 into `a`, from an attribute if `attribute` is true, otherwise from a dataset. HDF5 has strings of
   fixed and of variable length; the function reads both. */
SPARSE_P_COLD sparse_result sparse_p_read_text_of(const sparse_p_reader *r, hid_t from, bool attribute, sparse_p_array *a)
{
    const hid_t type = attribute ? H5Aget_type(from) : H5Dget_type(from);
    const hid_t space = attribute ? H5Aget_space(from) : H5Dget_space(from);
    const bool one = H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1;
    const bool variable = one && H5Tis_variable_str(type) > 0;
    char *text = NULL;
    sparse_result result = SPARSE_OK;
    void *to = &text;
    if (!one) result = sparse_p_fail(r, a->origin, SPARSE_E_HEADER, "the descriptor %s is not a text", "binsparse");
    if (!result && !variable) result = sparse_p_hdf5_room(r, a, a->count = H5Tget_size(type));
    if (!variable) to = a->owned.at;
    if (!result && (attribute ? H5Aread(from, type, to) : H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to)) < 0)
        result = sparse_p_fail(r, a->origin, SPARSE_E_READ, "the descriptor %s is damaged", "binsparse");
    if (!result && variable) {
        result = sparse_p_hdf5_room(r, a, a->count = text ? strlen(text) : 0);
        if (!result && text) memcpy(a->owned.at, text, a->count);
    }
    if (variable) (void)H5Dvlen_reclaim(type, space, H5P_DEFAULT, to);
    if (space >= 0) (void)H5Sclose(space);
    if (type >= 0) (void)H5Tclose(type);
    a->at = (const unsigned char *)a->owned.at;
    return result;
}

/* Finds and reads the descriptor "binsparse", which is an attribute of the file or, if there is no such attribute, a
   dataset. */
SPARSE_P_COLD sparse_result sparse_p_open_text(const sparse_p_reader *r, int64_t file, sparse_p_array *a)
{
    const bool attribute = H5Aexists((hid_t)file, "binsparse") > 0;
    a->name = "binsparse";
    a->origin = r->window.begin;
    a->type = 'S';
    a->size = 1;
    H5L_info_t link;
    const bool there =
        attribute || (H5Lexists((hid_t)file, "binsparse", H5P_DEFAULT) > 0 &&
                      H5Lget_info((hid_t)file, "binsparse", &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD);
    const hid_t from = !there      ? -1
                       : attribute ? H5Aopen((hid_t)file, "binsparse", H5P_DEFAULT)
                                   : H5Dopen2((hid_t)file, "binsparse", H5P_DEFAULT);
    if (from < 0)
        return sparse_p_fail(r, a->origin, SPARSE_E_HEADER, "%s is neither an attribute of the file nor a dataset", a->name);
    sparse_result result = SPARSE_OK;
    if (!attribute && !sparse_p_is_inside(from))
        result = sparse_p_fail(r, a->origin, SPARSE_E_FILE_FORMAT, "the elements of %s are in another file", a->name);
    if (!result) result = sparse_p_read_text_of(r, from, attribute, a);
    (void)(attribute ? H5Aclose(from) : H5Dclose(from));
    return result;
}
    #endif

/* >>binsparse
   Binsparse, specification 0.1, in a .npz archive. The text `binsparse.npy` is a JSON object that describes the tensor. One
   array holds the values, and each sparse level has its own arrays. Example, A(0, 1) = 5, A(2, 0) = 6, A(2, 2) = 7 as CSR:

       binsparse      {"binsparse": {"version": "0.1", "format": "CSR", "shape": [3, 3], "number_of_stored_values": 3,
                       "data_types": {"pointers_to_1": "uint32", "indices_1": "uint32", "values": "float64"}}}
       pointers_to_1  0 1 1 3
       indices_1      1 0 2
       values         5 6 7

   A format is a sequence of levels, outermost first. Each level is dense or sparse and covers one or more
   dimensions: CSR is a dense level, then a sparse level; COO is one sparse level of two dimensions. If the encoding of the
   tensor has the levels of the file, the reader copies the arrays, with their empty rows and stored zeros. Otherwise the
   reader adds the entries one by one, as it does for other file formats. */

/* A part of a JSON text that is still to be read: one value, or the rest of the text. */
typedef struct sparse_p_json {
    const char *at, *end;
} sparse_p_json;

static inline void sparse_p_json_blanks(sparse_p_json *j)
{
    while (j->at < j->end && sparse_p_is_one_of(*j->at, " \t\r\n")) j->at++;
}

/* Skips white space. If the next character is `c`, skips it too and returns true. */
SPARSE_P_COLD bool sparse_p_json_take(sparse_p_json *j, char c)
{
    sparse_p_json_blanks(j);
    const bool there = j->at < j->end && *j->at == c;
    j->at += there;
    return there;
}

/* Reads a JSON string into `text`. Escaped and non-ASCII characters become '?'. A string of more than 39 characters is
   cut; it cannot then equal a keyword, because all keywords are shorter. */
SPARSE_P_COLD bool sparse_p_json_string(sparse_p_json *j, char text[40])
{
    size_t n = 0;
    if (!sparse_p_json_take(j, '"')) return false;
    for (; j->at < j->end && *j->at != '"'; j->at++) {
        const bool escaped = *j->at == '\\';
        if (escaped && ++j->at == j->end) return false;
        if (n < 39) text[n++] = (char)(escaped || *j->at < ' ' || *j->at > '~' ? '?' : *j->at);
    }
    text[n] = '\0';
    return sparse_p_json_take(j, '"');
}

/* Skips one JSON value. Returns false if it is malformed, or if its objects and arrays are nested more than `depth` deep. */
SPARSE_P_COLD bool sparse_p_json_skip(sparse_p_json *j, unsigned depth)
{
    static const char *const word[] = {"true", "false", "null"};
    char text[40];
    sparse_p_decimal n;
    for (int k = 0; k < 2; k++) { /* k = 0: an object, k = 1: an array */
        const char close = "}]"[k];
        if (!sparse_p_json_take(j, "{["[k])) continue;
        if (depth == 0) return false;
        if (sparse_p_json_take(j, close)) return true;
        do {
            if (k == 0 && !(sparse_p_json_string(j, text) && sparse_p_json_take(j, ':'))) return false;
            if (!sparse_p_json_skip(j, depth - 1)) return false;
        } while (sparse_p_json_take(j, ','));
        return sparse_p_json_take(j, close);
    }
    for (size_t k = 0; k < 3; k++)
        if ((size_t)(j->end - j->at) >= strlen(word[k]) && memcmp(j->at, word[k], strlen(word[k])) == 0) {
            j->at += strlen(word[k]);
            return true;
        }
    if (j->at < j->end && *j->at == '"') return sparse_p_json_string(j, text);
    if (j->at == j->end || !(*j->at == '-' || sparse_p_is_digit(*j->at))) return false;
    const char *const end = sparse_p_scan(j->at, j->end, false, &n);
    if (!end || n.infinite || n.nan) return false;
    j->at = end;
    return true;
}

/* Counts how often the well-formed `object` has a member `key`. *value becomes the value of the first such member. */
SPARSE_P_COLD unsigned sparse_p_json_find(sparse_p_json object, const char *key, sparse_p_json *value)
{
    char text[40];
    unsigned found = 0;
    if (!sparse_p_json_take(&object, '{')) return 0;
    while (sparse_p_json_string(&object, text) && sparse_p_json_take(&object, ':')) {
        sparse_p_json_blanks(&object);
        if (strcmp(text, key) == 0 && found++ == 0) *value = object;
        (void)sparse_p_json_skip(&object, 64);
        (void)sparse_p_json_take(&object, ',');
    }
    return found;
}

/* Reads an array of sizes, for example [3, 4]. *count becomes the number of sizes. Returns false if there are more than
   SPARSE_MAX_RANK sizes, or if one is not a natural number. */
SPARSE_P_COLD bool sparse_p_json_sizes(sparse_p_json j, size_t size[], size_t *count)
{
    if (!sparse_p_json_take(&j, '[')) return false;
    for (*count = 0; !sparse_p_json_take(&j, ']'); ++*count) {
        uint64_t n;
        bool fits;
        if (*count == SPARSE_MAX_RANK || (*count > 0 && !sparse_p_json_take(&j, ','))) return false;
        sparse_p_json_blanks(&j);
        const char *const end = sparse_p_natural(j.at, j.end, &n, &fits);
        if (!end || !fits || n > SIZE_MAX) return false;
        size[*count] = (size_t)n;
        j.at = end;
    }
    return true;
}

/* The levels of a tensor as the specification describes them, from the outermost to the innermost. Neighbouring dense
   levels are merged into one, so that equal storage gives equal schemes. */
typedef struct sparse_p_scheme {
    unsigned levels, rank; /* rank: the number of dimensions of all levels together */
    bool sparse[SPARSE_MAX_RANK];
    unsigned width[SPARSE_MAX_RANK]; /* how many dimensions the level covers */
    size_t dim[SPARSE_MAX_RANK];     /* dimensions in storage order, outermost first */
} sparse_p_scheme;

/* The named formats and their levels: d and s are a dense and a sparse level of one dimension, D and S of two dimensions.
   `columns` reverses the order of dimensions. If formats have the same levels, the writer uses the first name. */
static inline const char *sparse_p_scheme_name(unsigned k, const char **levels, bool *columns)
{
    static const struct {
        const char *name, *levels;
        bool columns;
    } known[] = {{"DVEC", "d", false},  {"CVEC", "s", false}, {"VEC", "s", false},  {"DMATR", "D", false},
                 {"DMAT", "D", false},  {"DMATC", "D", true}, {"CSR", "ds", false}, {"CSC", "ds", true},
                 {"DCSR", "ss", false}, {"DCSC", "ss", true}, {"COOR", "S", false}, {"COO", "S", false},
                 {"COOC", "S", true}};
    if (k >= sizeof known / sizeof *known) return NULL;
    *levels = known[k].levels;
    *columns = known[k].columns;
    return known[k].name;
}

/* Adds a level of `width` dimensions. Returns false if `width` is 0 or the rank would exceed SPARSE_MAX_RANK. */
SPARSE_P_COLD bool sparse_p_scheme_add(sparse_p_scheme *s, bool sparse, size_t width)
{
    if (width == 0 || width > SPARSE_MAX_RANK - s->rank) return false;
    if (!sparse && s->levels > 0 && !s->sparse[s->levels - 1]) {
        s->width[s->levels - 1] += (unsigned)width;
    } else {
        s->sparse[s->levels] = sparse;
        s->width[s->levels++] = (unsigned)width;
    }
    s->rank += (unsigned)width;
    return true;
}

/* Sets *s to the scheme with the given level letters. The dimensions are stored in their order, or in reverse if
   `columns`. */
SPARSE_P_COLD void sparse_p_scheme_named(sparse_p_scheme *s, const char *levels, bool columns)
{
    memset(s, 0, sizeof *s);
    for (; *levels; levels++)
        (void)sparse_p_scheme_add(s, *levels == 's' || *levels == 'S', *levels == 'D' || *levels == 'S' ? 2 : 1);
    for (unsigned d = 0; d < s->rank; d++) s->dim[d] = columns ? s->rank - 1 - d : d;
}

/* Compares bytes: unused elements and padding are zero, because a scheme is cleared before it is filled. */
static inline bool sparse_p_same_scheme(const sparse_p_scheme *a, const sparse_p_scheme *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Does level `l` exist, and does it store one coordinate for each entry of the level above, as the inner levels of COO
   do? */
static inline bool sparse_p_is_listed(const sparse_encoding *e, unsigned l)
{
    return l < e->levels && sparse_p_traits(e->level[l].type) & SPARSE_TRAIT_SHARED;
}

/* Computes the scheme of an encoding. Returns false if the specification cannot describe the encoding. *strict is whether
   the encoding keeps entries sorted and unique, as the specification demands. */
SPARSE_P_COLD bool sparse_p_scheme_of(const sparse_encoding *e, sparse_p_scheme *s, bool *strict)
{
    unsigned width = 1;
    memset(s, 0, sizeof *s);
    *strict = true;
    if (e->levels != e->rank) return false;
    for (unsigned l = 0; l < e->levels; l += width) {
        const bool compressed = sparse_p_is_compressed_level(&e->level[l]);
        if (!compressed && !sparse_p_is_dense_level(&e->level[l])) return false;
        width = 1;
        while (compressed && sparse_p_is_listed(e, l + width)) width++;
        for (unsigned k = l; k < l + width; k++) {
            const unsigned properties = e->level[k].properties;
            if (e->level[k].map != SPARSE_MAP_DIM) return false;
            if (properties & SPARSE_NONORDERED || (k + 1 == l + width && properties & SPARSE_NONUNIQUE)) *strict = false;
            s->dim[k] = e->level[k].dim;
        }
        if (!sparse_p_scheme_add(s, compressed, width)) return false;
    }
    return true;
}

/* A tensor in the file: what its descriptor says, and its arrays. For a level that begins at dimension k in storage
   order, pointers[k] are its pointers, and indices[k], indices[k + 1], ... its coordinates, one array per dimension. */
typedef struct sparse_p_binsparse {
    sparse_p_json root; /* the JSON object that describes the tensor */
    sparse_p_scheme scheme;
    sparse_symmetry symmetry;
    bool upper;    /* the upper triangle is stored, not the lower one */
    bool iso;      /* the file has one value, which all entries share */
    bool parts;    /* real and imaginary parts are alternating elements of the array of values */
    size_t stored; /* the number of entries, which is also the number of values unless `iso` */
    sparse_p_array pointers[SPARSE_MAX_RANK], indices[SPARSE_MAX_RANK], values, fill, text;
    char name[2 * SPARSE_MAX_RANK][24];
    sparse_buffer plain; /* a copy of the descriptor in bytes, if the file stores it in wide characters */
} sparse_p_binsparse;

/* Reports an error in the descriptor at the position `at`. If the descriptor was copied from wide characters, `at` points
   into the copy, so the error is reported at the beginning of the descriptor. */
SPARSE_P_COLD sparse_result sparse_p_bad_descriptor(const sparse_p_reader *r, const sparse_p_binsparse *b, const char *at,
                                                    sparse_result result, const char *sentence, const char *word)
{
    const char *const place = b->plain.at ? b->text.origin : sparse_p_place_in(&b->text, at);
    return sparse_p_fail(r, place, result, sentence, word);
}

/* Parses the descriptor as JSON and finds its object "binsparse". The array that holds the descriptor may consist of
   bytes, of wide characters or of 8-bit integers. */
SPARSE_P_COLD sparse_result sparse_p_read_descriptor(sparse_p_reader *r, sparse_p_binsparse *b)
{
    sparse_p_array *const a = &b->text;
    const size_t step = a->type == 'U' ? 4 : 1, bytes = a->count * a->size;
    sparse_p_json all = {(const char *)a->at, (const char *)a->at + bytes}, last;
    if (a->type == 'U') {
        sparse_result result = sparse_p_allocate(r->t->hooks, &b->plain, bytes / step + 1, 1);
        if (result) return sparse_p_fail(r, NULL, result, "%s", sparse_message(result));
        char *const plain = (char *)b->plain.at;
        for (size_t k = 0; k < bytes / step; k++) {
            const uint64_t c = sparse_p_bytes(a->at + k * step, step, a->big);
            plain[k] = (char)(c < 128 ? c : '?');
        }
        all.at = plain;
        all.end = plain + bytes / step;
    } else if (a->type != 'S' && !((a->type == 'u' || a->type == 'i') && a->size == 1)) {
        return sparse_p_fail(r, a->origin, SPARSE_E_HEADER, "%s is not a text", a->name);
    }
    while (all.end > all.at && all.end[-1] == '\0') all.end--;
    last = all;
    const bool good = sparse_p_json_skip(&last, 32);
    sparse_p_json_blanks(&last);
    if (!good || last.at != all.end)
        return sparse_p_bad_descriptor(r, b, last.at, SPARSE_E_HEADER, "this is not JSON, in %s", a->name);
    if (sparse_p_json_find(all, "binsparse", &b->root) == 1 && sparse_p_json_take(&b->root, '{')) {
        b->root.at--;
        return SPARSE_OK;
    }
    return sparse_p_bad_descriptor(r, b, all.at, SPARSE_E_HEADER, "the descriptor has no object \"%s\", or two",
                                   "binsparse");
}

/* Finds the member `key` of an object. Returns an error if the member exists twice, or if it is missing and `needed`. */
SPARSE_P_COLD sparse_result sparse_p_key(const sparse_p_reader *r, const sparse_p_binsparse *b, sparse_p_json object,
                                         const char *key, bool needed, sparse_p_json *value, bool *found)
{
    const unsigned count = sparse_p_json_find(object, key, value);
    *found = count > 0;
    if (count > 1) return sparse_p_bad_descriptor(r, b, object.at, SPARSE_E_HEADER, "\"%s\" is there twice", key);
    if (needed && count == 0)
        return sparse_p_bad_descriptor(r, b, object.at, SPARSE_E_HEADER, "\"%s\" is not in the descriptor", key);
    return SPARSE_OK;
}

/* Reads the levels of a format that has no name: {"level": "dense", "rank": 1, "subformat": {...}}. */
SPARSE_P_COLD sparse_result sparse_p_read_levels(const sparse_p_reader *r, sparse_p_binsparse *b, sparse_p_json level)
{
    char word[40] = "";
    bool found;
    for (;;) {
        sparse_p_json value, rank;
        uint64_t width = 0;
        bool fits = true;
        SPARSE_P_TRY(sparse_p_key(r, b, level, "level", true, &value, &found));
        if (!sparse_p_json_string(&value, word))
            return sparse_p_bad_descriptor(r, b, value.at, SPARSE_E_HEADER, "the %s is not a word", "level");
        if (strcmp(word, "element") == 0) return SPARSE_OK;
        if (strcmp(word, "dense") != 0 && strcmp(word, "sparse") != 0)
            return sparse_p_bad_descriptor(r, b, value.at, SPARSE_E_FILE_FORMAT,
                                           "the level \"%s\" is none of dense, sparse and element", word);
        SPARSE_P_TRY(sparse_p_key(r, b, level, "rank", true, &rank, &found));
        if (!sparse_p_natural(rank.at, rank.end, &width, &fits) || !fits || width > SPARSE_MAX_RANK ||
            !sparse_p_scheme_add(&b->scheme, word[0] == 's', (size_t)width))
            return sparse_p_bad_descriptor(r, b, rank.at, SPARSE_E_DIMENSIONS,
                                           "the %s of a level is 0, or the levels have more than 8 dimensions", "rank");
        SPARSE_P_TRY(sparse_p_key(r, b, level, "subformat", true, &value, &found));
        level = value;
    }
}

/* Reads the format, which is a name or an object, and the order of dimensions ("swizzle"). */
SPARSE_P_COLD sparse_result sparse_p_read_scheme(const sparse_p_reader *r, sparse_p_binsparse *b)
{
    sparse_p_json format, swizzle, outer;
    char word[40] = "";
    bool found, above, columns;
    const char *name, *levels;
    size_t count = 0;
    unsigned seen = 0;
    SPARSE_P_TRY(sparse_p_key(r, b, b->root, "format", true, &format, &found));
    SPARSE_P_TRY(sparse_p_key(r, b, b->root, "swizzle", false, &outer, &above));
    sparse_p_json text = format;
    if (sparse_p_json_string(&text, word)) {
        for (unsigned k = 0; (name = sparse_p_scheme_name(k, &levels, &columns)) != NULL; k++)
            if (strcmp(name, word) == 0) sparse_p_scheme_named(&b->scheme, levels, columns);
        if (b->scheme.rank == 0)
            return sparse_p_bad_descriptor(r, b, format.at, SPARSE_E_FILE_FORMAT, "the format \"%s\" is not known", word);
        if (above)
            return sparse_p_bad_descriptor(r, b, outer.at, SPARSE_E_HEADER, "\"%s\" is beside a format that has a name",
                                           "swizzle");
        return SPARSE_OK;
    }
    SPARSE_P_TRY(sparse_p_read_levels(r, b, format));
    SPARSE_P_TRY(sparse_p_key(r, b, format, "swizzle", false, &swizzle, &found));
    for (unsigned d = 0; d < b->scheme.rank; d++) b->scheme.dim[d] = d;
    if (!found && !above) return SPARSE_OK;
    if (!found) swizzle = outer;
    bool good = !(found && above) && sparse_p_json_sizes(swizzle, b->scheme.dim, &count) && count == b->scheme.rank;
    for (size_t d = 0; good && d < count; d++) {
        good = b->scheme.dim[d] < count && !(seen >> b->scheme.dim[d] & 1);
        if (good) seen |= 1u << b->scheme.dim[d];
    }
    if (good) return SPARSE_OK;
    return sparse_p_bad_descriptor(r, b, swizzle.at, SPARSE_E_HEADER, "the %s is not a permutation of the dimensions",
                                   "swizzle");
}

/* Reads the version, which must be 0.1 or begin with "0.1.", and the structure, which is the symmetry of the matrix. */
SPARSE_P_COLD sparse_result sparse_p_read_kind(sparse_p_reader *r, sparse_p_binsparse *b)
{
    static const char list[] = "general symmetric_lower symmetric_upper skew_symmetric_lower skew_symmetric_upper "
                               "hermitian_lower hermitian_upper";
    sparse_p_json value;
    char word[40] = "";
    bool found;
    SPARSE_P_TRY(sparse_p_key(r, b, b->root, "version", false, &value, &found));
    if (found &&
        (!sparse_p_json_string(&value, word) || strncmp(word, "0.1", 3) != 0 || (word[3] != '\0' && word[3] != '.')))
        return sparse_p_bad_descriptor(r, b, value.at, SPARSE_E_FILE_FORMAT, "version \"%s\" of Binsparse is not 0.1", word);
    SPARSE_P_TRY(sparse_p_key(r, b, b->root, "structure", false, &value, &found));
    if (!found) return SPARSE_OK;
    const char *const at = value.at;
    const int which = sparse_p_json_string(&value, word) ? sparse_p_index_in(list, word, word + strlen(word)) : -1;
    if (which < 0) return sparse_p_bad_descriptor(r, b, at, SPARSE_E_SYMMETRY, "the structure \"%s\" is not known", word);
    b->symmetry = (sparse_symmetry)((which + 1) / 2);
    r->head.stated = b->symmetry;
    b->upper = which > 0 && which % 2 == 0;
    return SPARSE_OK;
}

/* Compares the type of an array with the type that the descriptor gives for it, for example "iso[complex[float32]]". For
   the array of values, the function also sets b->iso and b->parts. */
SPARSE_P_COLD sparse_result sparse_p_check_type(const sparse_p_reader *r, sparse_p_binsparse *b, const sparse_p_array *a,
                                                const char *key)
{
    static const struct {
        const char *name, *types;
        size_t size;
    } known[] = {{"uint8", "u", 1},   {"uint16", "u", 2},  {"uint32", "u", 4}, {"uint64", "u", 8},
                 {"int8", "i", 1},    {"int16", "i", 2},   {"int32", "i", 4},  {"int64", "i", 8},
                 {"float32", "f", 4}, {"float64", "f", 8}, {"bint8", "bui", 1}};
    const bool values = a == &b->values;
    sparse_p_json types, value;
    char word[40] = "", *at = word;
    bool found;
    SPARSE_P_TRY(sparse_p_key(r, b, b->root, "data_types", true, &types, &found));
    SPARSE_P_TRY(sparse_p_key(r, b, types, key, true, &value, &found));
    const char *const place = value.at;
    if (!sparse_p_json_string(&value, word))
        return sparse_p_bad_descriptor(r, b, place, SPARSE_E_HEADER, "the type of %s is not a word", key);
    const bool iso = values && strncmp(at, "iso[", 4) == 0;
    at += iso ? 4 : 0;
    const bool is_complex = a->type == 'c' || strncmp(at, "complex[", 8) == 0, named = strncmp(at, "complex[", 8) == 0;
    at += named ? 8 : 0;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const size_t length = strlen(known[k].name), brackets = (size_t)iso + named;
        if (strncmp(at, known[k].name, length) != 0 || strlen(at) != length + brackets) continue;
        if (strncmp(at + length, "]]", brackets) != 0) break;
        const bool whole = a->type == 'c' && named && known[k].types[0] == 'f' && a->size == 2 * known[k].size;
        if (!whole && (!sparse_p_is_one_of(a->type, known[k].types) || a->size != known[k].size)) break;
        if (is_complex && (!values && a != &b->fill)) break;
        if (values) {
            b->iso = iso;
            b->parts = named && !whole;
        }
        return SPARSE_OK;
    }
    return sparse_p_bad_descriptor(r, b, place, SPARSE_E_VALUE_TYPE,
                                   "the type \"%s\" is not that of the array, or not one of the specification", word);
}

/* Opens an array that the format requires, and checks its rank and its type. */
SPARSE_P_COLD sparse_result sparse_p_open_part(sparse_p_reader *r, sparse_p_binsparse *b, const sparse_p_zip *z,
                                               const char *name, sparse_p_array *a)
{
    char key[24] = "";
    memcpy(key, name, strlen(name) - 4); /* without the extension .npy */
    SPARSE_P_TRY(sparse_p_open_member(r, z, name, a));
    SPARSE_P_TRY(sparse_p_need(r, a, 1, a != &b->values && a != &b->fill));
    return sparse_p_check_type(r, b, a, key);
}

/* Opens the arrays of all sparse levels, and the values. */
SPARSE_P_COLD sparse_result sparse_p_open_parts(sparse_p_reader *r, sparse_p_binsparse *b, const sparse_p_zip *z)
{
    for (unsigned l = 0, k = 0; l < b->scheme.levels; k += b->scheme.width[l++]) {
        if (!b->scheme.sparse[l]) continue;
        for (unsigned i = k; i < k + b->scheme.width[l]; i++) {
            snprintf(b->name[i], sizeof b->name[i], "indices_%u.npy", i % 100);
            SPARSE_P_TRY(sparse_p_open_part(r, b, z, b->name[i], &b->indices[i]));
        }
        if (k == 0) continue;
        snprintf(b->name[SPARSE_MAX_RANK + k], sizeof b->name[0], "pointers_to_%u.npy", k % 100);
        SPARSE_P_TRY(sparse_p_open_part(r, b, z, b->name[SPARSE_MAX_RANK + k], &b->pointers[k]));
    }
    return sparse_p_open_part(r, b, z, "values.npy", &b->values);
}

/* Checks the arrays of a sparse level that covers `width` dimensions from dimension k in storage order, and that has
   `parents` parents. *count becomes the number of entries of the level. */
SPARSE_P_COLD sparse_result sparse_p_check_sparse(const sparse_p_reader *r, const sparse_p_binsparse *b, unsigned k,
                                                  unsigned width, size_t parents, size_t *count)
{
    const sparse_p_array *const pointers = &b->pointers[k], *const indices = &b->indices[k];
    const size_t stored = indices->count;
    size_t begin = 0, end = k == 0 ? stored : 0, c[SPARSE_MAX_RANK], last[SPARSE_MAX_RANK] = {0};
    for (unsigned i = 1; i < width; i++)
        if (indices[i].count != stored)
            return sparse_p_fail(r, indices[i].origin, SPARSE_E_HEADER, "%s and %s differ in length", indices[i].name,
                                 indices->name);
    if (k > 0 && (pointers->count == 0 || pointers->count - 1 != parents))
        return sparse_p_fail(r, pointers->origin, SPARSE_E_POSITIONS, "%s should have %zu elements and one, not %zu",
                             pointers->name, parents, pointers->count);
    if (k > 0) SPARSE_P_TRY(sparse_p_index_at(r, pointers, 0, 0, 0, SPARSE_E_POSITIONS, &begin));
    const bool unchecked = r->o.borrow && r->o.unchecked;
    if (unchecked && k > 0) SPARSE_P_TRY(sparse_p_index_at(r, pointers, parents, 0, stored, SPARSE_E_POSITIONS, &end));
    for (size_t parent = 0; parent < parents && !unchecked; parent++) {
        if (k > 0) SPARSE_P_TRY(sparse_p_index_at(r, pointers, parent + 1, begin, stored, SPARSE_E_POSITIONS, &end));
        for (size_t p = begin; p < end; p++) {
            int order = 0;
            for (unsigned i = 0; i < width; i++) {
                const size_t size = r->head.dim[b->scheme.dim[k + i]];
                if (size == 0)
                    return sparse_p_fail(r, indices->origin, SPARSE_E_COORDINATE,
                                         "there are entries in a dimension of size 0");
                SPARSE_P_TRY(sparse_p_index_at(r, &indices[i], p, 0, size - 1, SPARSE_E_COORDINATE, &c[i]));
                if (order == 0) order = c[i] > last[i] ? 1 : c[i] < last[i] ? -1 : 0;
            }
            if (p > begin && order <= 0)
                return sparse_p_fail(r, sparse_p_place_of(indices, p), order ? SPARSE_E_ORDER : SPARSE_E_DUPLICATE,
                                     "element %zu of %s %s", p, indices->name, order ? "is out of order" : "is there twice");
            memcpy(last, c, width * sizeof *c);
        }
        begin = end;
    }
    if (k > 0 && end != stored)
        return sparse_p_fail(r, pointers->origin, SPARSE_E_POSITIONS, "%s has more elements than %s says", indices->name,
                             pointers->name);
    *count = stored;
    return SPARSE_OK;
}

/* Checks the arrays against the shape and against each other. */
SPARSE_P_COLD sparse_result sparse_p_check_parts(sparse_p_reader *r, sparse_p_binsparse *b)
{
    sparse_p_json value;
    uint64_t n = 0;
    size_t count = 1;
    bool found, fits = true;
    for (unsigned l = 0, k = 0; l < b->scheme.levels; k += b->scheme.width[l++]) {
        if (b->scheme.sparse[l]) {
            SPARSE_P_TRY(sparse_p_check_sparse(r, b, k, b->scheme.width[l], count, &count));
            continue;
        }
        for (unsigned i = k; i < k + b->scheme.width[l]; i++)
            if (!sparse_p_mul(&count, count, r->head.dim[b->scheme.dim[i]]))
                return sparse_p_fail(r, r->line, SPARSE_E_OVERFLOW, "the shape has more elements than can be counted");
    }
    b->stored = count;
    if (b->iso && sparse_p_expands(count, (uint64_t)(r->window.end - r->window.begin), sparse_p_expansion(&r->o), 1 << 27))
        return sparse_p_fail(r, b->values.origin, SPARSE_E_MEMORY,
                             "one value stands for %zu, far more than the file has bytes"
                             " (option expansion)",
                             count);
    const size_t expected = b->iso ? 1 : count;
    const bool right = b->parts ? b->values.count % 2 == 0 && b->values.count / 2 == expected : b->values.count == expected;
    if (!right)
        return sparse_p_fail(r, b->values.origin, SPARSE_E_COUNT, "%s has %zu elements, where the other arrays say %zu%s",
                             b->values.name, b->values.count, expected, b->parts ? ", each of two parts" : "");
    SPARSE_P_TRY(sparse_p_key(r, b, b->root, "number_of_stored_values", false, &value, &found));
    if (found && (!sparse_p_natural(value.at, value.end, &n, &fits) || !fits || n != count))
        return sparse_p_bad_descriptor(r, b, value.at, SPARSE_E_COUNT, "the %s is not that of the arrays",
                                       "number_of_stored_values");
    return SPARSE_OK;
}

/* Reads value k of an array: part[0] is the real part, part[1] the imaginary part. If `parts` is true, the two parts are
   separate elements of the array. */
static inline void sparse_p_parts_at(const sparse_p_array *a, size_t k, bool parts, sparse_p_number part[2])
{
    memset(part, 0, 2 * sizeof *part);
    part[0] = sparse_p_element(a, parts ? 2 * k : k, 0);
    if (parts)
        part[1] = sparse_p_element(a, 2 * k + 1, 0);
    else if (a->type == 'c')
        part[1] = sparse_p_element(a, k, 1);
}

/* Negates a number, as a real and as an integer. An integer 0 stays without a sign. */
static inline void sparse_p_negate(sparse_p_number *n)
{
    n->real = -n->real;
    n->negative = n->integer && n->magnitude > 0 && !n->negative;
}

/* Is a number of the file the value of the elements that the tensor does not store? */
SPARSE_P_COLD bool sparse_p_is_fill_number(const sparse_p_reader *r, const sparse_p_number part[2])
{
    const sparse_encoding *const e = r->t->encoding;
    unsigned char value[16] = {0};
    return sparse_p_number_to_value(part, e->kind, r->o.allow_overflow, value) && sparse_p_is_fill(e, value);
}

/* Adds value k at the coordinates c. If the matrix is symmetric, also adds the mirror image, unless the option
   `stored_half` asks for the stored triangle only. A dense last level has padding in the other triangle. */
static inline sparse_result sparse_p_add_stored(sparse_p_reader *r, const sparse_p_binsparse *b, size_t c[], size_t k)
{
    const sparse_p_array *const a = &b->values;
    const size_t at = b->iso ? 0 : k;
    sparse_p_number part[2];
    sparse_p_parts_at(a, at, b->parts, part);
    r->line = sparse_p_place_of(a, b->parts ? 2 * at : at);
    const bool outside = b->symmetry && (b->upper ? c[0] > c[1] : c[0] < c[1]);
    if (outside && !b->scheme.sparse[b->scheme.levels - 1] && sparse_p_is_fill_number(r, part)) return SPARSE_OK;
    if (outside)
        return sparse_p_fail(r, r->line, SPARSE_E_SYMMETRY, "element %zu of %s is in the triangle that is not stored", k,
                             a->name);
    const bool zero = part[0].real == 0 && part[1].real == 0;
    if (b->symmetry == SPARSE_SYMMETRY_SKEW && c[0] == c[1] && !zero)
        return sparse_p_fail(r, r->line, SPARSE_E_SYMMETRY, "the diagonal of a skew-symmetric matrix must be zero");
    SPARSE_P_TRY(sparse_p_add_number(r, c, part, a, at));
    if (!b->symmetry || c[0] == c[1] || r->o.stored_half) return SPARSE_OK;
    size_t mirror[SPARSE_MAX_RANK] = {c[1], c[0]};
    if (b->symmetry == SPARSE_SYMMETRY_SKEW) sparse_p_negate(&part[0]);
    if (b->symmetry != SPARSE_SYMMETRY_SYMMETRIC) sparse_p_negate(&part[1]);
    return sparse_p_add_number(r, mirror, part, a, at);
}

/* Adds all entries below entry `parent` of the level above. Level `l` holds them; it begins at dimension k in storage
   order. `c` holds the coordinates of the outer levels. */
SPARSE_P_OUTLINE sparse_result sparse_p_add_below(sparse_p_reader *r, const sparse_p_binsparse *b, unsigned l, unsigned k,
                                                  size_t parent, size_t c[])
{
    if (l == b->scheme.levels) return sparse_p_add_stored(r, b, c, parent);
    const unsigned width = b->scheme.width[l];
    const size_t *const dim = b->scheme.dim + k;
    size_t begin = 0, end = b->indices[k].count, size = 1;
    if (!b->scheme.sparse[l]) {
        for (unsigned i = 0; i < width; i++) size *= r->head.dim[dim[i]];
        for (size_t p = 0; p < size; p++) {
            size_t rest = p;
            for (unsigned i = width; i-- > 0; rest /= r->head.dim[dim[i]]) c[dim[i]] = rest % r->head.dim[dim[i]];
            SPARSE_P_TRY(sparse_p_add_below(r, b, l + 1, k + width, parent * size + p, c));
        }
        return SPARSE_OK;
    }
    if (k > 0) {
        begin = (size_t)sparse_p_element(&b->pointers[k], parent, 0).magnitude;
        end = (size_t)sparse_p_element(&b->pointers[k], parent + 1, 0).magnitude;
    }
    for (size_t p = begin; p < end; p++) {
        for (unsigned i = 0; i < width; i++) c[dim[i]] = (size_t)sparse_p_element(&b->indices[k + i], p, 0).magnitude;
        SPARSE_P_TRY(sparse_p_add_below(r, b, l + 1, k + width, p, c));
    }
    return SPARSE_OK;
}

/* Can the tensor use the arrays of the file as they are, because its encoding has the levels of the file? */
SPARSE_P_COLD bool sparse_p_is_whole(const sparse_p_reader *r, const sparse_p_binsparse *b)
{
    const sparse_encoding *const e = r->t->encoding;
    sparse_p_scheme scheme;
    bool strict;
    if (e->constant || b->iso || r->o.drop_zeros || (b->symmetry && !r->o.stored_half) || r->store.way != SPARSE_P_CHOOSE)
        return false; /* the arrays cannot be borrowed either */
    for (unsigned l = 0; l < e->levels; l++)
        if (sparse_p_is_aos(e, l)) return false;
    for (unsigned l = 0; l < e->levels; l++) /* above a singleton, coordinates of the file may repeat */
        if (sparse_p_is_listed(e, l + 1) && !(e->level[l].properties & SPARSE_NONUNIQUE)) return false;
    return sparse_p_scheme_of(e, &scheme, &strict) && sparse_p_same_scheme(&scheme, &b->scheme);
}

/* Makes *to refer to the elements of an array in the file, without a copy. `same` is whether their type equals the type
   that the tensor stores; `size` is the size of that type in bytes. */
SPARSE_P_COLD sparse_result sparse_p_borrow_array(const sparse_p_reader *r, const sparse_p_array *a, bool same, size_t size,
                                                  sparse_buffer *to)
{
    if (a->owned.at)
        return sparse_p_fail(r, a->origin, SPARSE_E_COMPRESSED_FILE, "%s is compressed, so it cannot be borrowed", a->name);
    if (!same)
        return sparse_p_fail(r, a->origin, SPARSE_E_ELEMENT,
                             "%s has elements of another type than the tensor stores, so it cannot be borrowed", a->name);
    if (a->count > 0 && (uintptr_t)a->at % size != 0)
        return sparse_p_fail(r, (const char *)a->at, SPARSE_E_ELEMENT,
                             "%s does not begin at a multiple of %zu bytes, so it cannot be borrowed: write it with"
                             " sparse_write, which aligns arrays",
                             a->name, size);
    to->at = (void *)(uintptr_t)a->at;
    to->length = a->count * a->size / size;
    return SPARSE_OK;
}

/* Borrows an array of integers. Its elements must have `bits` bits and the byte order of the machine. */
SPARSE_P_COLD sparse_result sparse_p_borrow_integers(const sparse_p_reader *r, const sparse_p_array *a, unsigned bits,
                                                     sparse_buffer *to)
{
    const bool same = (a->type == 'u' || a->type == 'i') && a->size == bits / 8;
    return sparse_p_borrow_array(r, a, same && (a->size == 1 || a->big == (sparse_p_byte_order() == '>')), bits / 8, to);
}

/* Copies an array of integers into *to as integers of `bits` bits. Returns SPARSE_E_POSITION_WIDTH if one does not fit. */
SPARSE_P_COLD sparse_result sparse_p_take_integers(const sparse_p_reader *r, const sparse_p_array *a, unsigned bits,
                                                   sparse_buffer *to)
{
    SPARSE_P_TRY(sparse_p_allocate(r->store.made.hooks, to, a->count, bits / 8));
    for (size_t k = 0; k < a->count; k++) {
        const uint64_t n = sparse_p_element(a, k, 0).magnitude;
        if (n > sparse_p_largest(bits)) return SPARSE_E_POSITION_WIDTH;
        sparse_store(to->at, bits, k, (size_t)n);
    }
    return SPARSE_OK;
}

/* Converts all values to the value type of the tensor. If the types are equal, the values are copied with memcpy, which
   preserves NaN payloads; with the option `borrow` they are not copied at all. */
SPARSE_P_COLD sparse_result sparse_p_take_values(sparse_p_reader *r, const sparse_p_binsparse *b)
{
    sparse_tensor *const t = &r->store.made;
    const sparse_encoding *const e = t->encoding;
    const sparse_p_array *const a = &b->values;
    sparse_p_number part[2];
    char type[8];
    sparse_p_type_in_numpy(b->parts ? sparse_p_component(e->kind) : e->kind, type);
    const bool big = type[0] == '>', alike = type[1] == a->type && a->size * (b->parts ? 2 : 1) == e->value_size;
    const bool same = alike && (a->size == 1 || a->big == big) && (b->parts || a->type == 'c') == sparse_p_is_complex(e);
    if (r->o.borrow) return sparse_p_borrow_array(r, a, same, e->value_size, &t->val);
    sparse_result result = sparse_p_allocate(t->hooks, &t->val, b->stored, e->value_size);
    if (result) return sparse_p_fail_sizes(r, result);
    if (b->stored > 0 && same) {
        memcpy(t->val.at, a->at, b->stored * e->value_size);
        return SPARSE_OK;
    }
    for (size_t k = 0; k < b->stored; k++) {
        sparse_p_parts_at(a, k, b->parts, part);
        if (!sparse_p_number_to_value(part, e->kind, r->o.allow_overflow, (char *)t->val.at + k * e->value_size))
            return sparse_p_fail(r, sparse_p_place_of(a, b->parts ? 2 * k : k), SPARSE_E_VALUE_RANGE,
                                 "element %zu of %s does not fit the value type of %s", k, a->name, sparse_p_type_name(r));
    }
    return SPARSE_OK;
}

/* Builds the tensor from the arrays of the file, without sorting entries: copies the arrays or, with `borrow`, refers to
   them. */
SPARSE_P_COLD sparse_result sparse_p_take_whole(sparse_p_reader *r, const sparse_p_binsparse *b)
{
    sparse_tensor *const t = &r->store.made;
    const sparse_encoding *const e = t->encoding;
    const unsigned bits = sparse_pos_bits(e);
    sparse_result result = sparse_p_store_sizes(&r->store, r->head.dim);
    r->store.way = SPARSE_P_STORE_WHOLE;
    for (unsigned l = 0; r->o.borrow && !result && l < e->levels; l++) {
        if (b->indices[l].at) SPARSE_P_TRY(sparse_p_borrow_integers(r, &b->indices[l], sparse_crd_bits(e), &t->crd[l]));
        if (b->pointers[l].at) SPARSE_P_TRY(sparse_p_borrow_integers(r, &b->pointers[l], bits, &t->pos[l]));
    }
    for (unsigned l = 0; !result && l < e->levels; l++) {
        const bool taken = r->o.borrow;
        if (!taken && b->indices[l].at) result = sparse_p_take_integers(r, &b->indices[l], sparse_crd_bits(e), &t->crd[l]);
        if (!taken && !result && b->pointers[l].at) result = sparse_p_take_integers(r, &b->pointers[l], bits, &t->pos[l]);
        if (result || l > 0 || !b->scheme.sparse[0]) continue;
        if (b->indices[0].count > sparse_p_largest(bits)) result = SPARSE_E_POSITION_WIDTH;
        if (!result) result = sparse_p_allocate(t->hooks, &t->pos[0], 2, bits / 8);
        if (result) continue;
        sparse_store(t->pos[0].at, bits, 0, 0);
        sparse_store(t->pos[0].at, bits, 1, b->indices[0].count);
    }
    return result ? sparse_p_fail_sizes(r, result) : sparse_p_take_values(r, b);
}

/* Returns an error if the fill value of the file differs from the fill value of the tensor. Without a fill value in the
   file, it is 0. */
SPARSE_P_COLD sparse_result sparse_p_check_fill(sparse_p_reader *r, sparse_p_binsparse *b, const sparse_p_zip *z)
{
    sparse_p_json found_value;
    sparse_p_number part[2];
    bool found;
    memset(part, 0, sizeof part);
    SPARSE_P_TRY(sparse_p_key(r, b, b->root, "fill", false, &found_value, &found));
    if (found && found_value.at < found_value.end && *found_value.at == 't') {
        SPARSE_P_TRY(sparse_p_open_part(r, b, z, "fill_value.npy", &b->fill));
        const size_t parts = b->parts ? 2 : 1;
        if (b->fill.count != parts)
            return sparse_p_fail(r, b->fill.origin, SPARSE_E_COUNT, "%s should have one value", b->fill.name);
        sparse_p_parts_at(&b->fill, 0, b->parts, part);
    }
    if (sparse_p_is_fill_number(r, part)) return SPARSE_OK;
    return sparse_p_bad_descriptor(r, b, b->root.at, SPARSE_E_VALUE_TYPE,
                                   "what is not stored has another value than in %s (fill)", sparse_p_type_name(r));
}

/* Borrows the arrays of a SciPy matrix in CSR or, if `columns`, in CSC. */
SPARSE_P_COLD sparse_result sparse_p_borrow_rows(sparse_p_reader *r, const sparse_p_array a[], bool columns)
{
    sparse_p_binsparse b;
    memset(&b, 0, sizeof b);
    sparse_p_scheme_named(&b.scheme, "ds", columns);
    b.pointers[1] = a[SPARSE_P_NPZ_POINTERS];
    b.indices[1] = a[SPARSE_P_NPZ_INDICES];
    b.values = a[SPARSE_P_NPZ_DATA];
    b.stored = b.indices[1].count;
    if (b.values.count != b.stored)
        return sparse_p_fail(r, b.values.origin, SPARSE_E_HEADER, "indices.npy and data.npy differ in length");
    SPARSE_P_TRY(sparse_p_check_sparse(r, &b, 1, 1, r->head.dim[columns], &b.stored));
    return sparse_p_is_whole(r, &b) ? sparse_p_take_whole(r, &b) : sparse_p_cannot_borrow(r, b.values.origin);
}

/* Reads the descriptor, opens and checks the arrays, and then stores their content. */
SPARSE_P_COLD sparse_result sparse_p_read_parts(sparse_p_reader *r, sparse_p_binsparse *b, const sparse_p_zip *z)
{
    sparse_p_json shape;
    size_t rank = 0, c[SPARSE_MAX_RANK] = {0};
    bool found;
    SPARSE_P_TRY(sparse_p_read_descriptor(r, b));
    SPARSE_P_TRY(sparse_p_read_kind(r, b));
    SPARSE_P_TRY(sparse_p_read_scheme(r, b));
    SPARSE_P_TRY(sparse_p_key(r, b, b->root, "shape", true, &shape, &found));
    if (!sparse_p_json_sizes(shape, r->head.dim, &rank) || rank != b->scheme.rank)
        return sparse_p_bad_descriptor(r, b, shape.at, SPARSE_E_DIMENSIONS, "the %s is not as many sizes as the format has",
                                       "shape");
    r->head.rank = rank;
    r->line = b->plain.at ? b->text.origin : sparse_p_place_in(&b->text, shape.at);
    SPARSE_P_TRY(sparse_p_check_shape(r));
    SPARSE_P_TRY(sparse_p_open_parts(r, b, z));
    SPARSE_P_TRY(sparse_p_check_numbers(r, &b->values));
    if (b->parts) r->head.parts = 2;
    r->head.symmetry = (int)b->symmetry;
    SPARSE_P_TRY(sparse_p_check_values(r));
    if (b->symmetry && (rank != 2 || r->head.dim[0] != r->head.dim[1]))
        return sparse_p_bad_descriptor(r, b, shape.at, SPARSE_E_SYMMETRY, "only a square matrix has a %s", "structure");
    if (b->symmetry == SPARSE_SYMMETRY_HERMITIAN && r->head.parts != 2)
        return sparse_p_bad_descriptor(r, b, shape.at, SPARSE_E_SYMMETRY, "only a complex matrix is %s", "Hermitian");
    SPARSE_P_TRY(sparse_p_check_parts(r, b));
    SPARSE_P_TRY(sparse_p_check_fill(r, b, z));
    if (sparse_p_is_whole(r, b)) return sparse_p_take_whole(r, b);
    if (r->o.borrow) return sparse_p_cannot_borrow(r, b->values.origin);
    return b->stored > 0 ? sparse_p_add_below(r, b, 0, 0, 0, c) : SPARSE_OK;
}

/* Reads a tensor with the descriptor `text`, which the caller has opened and will release. */
SPARSE_P_COLD sparse_result sparse_p_read_described(sparse_p_reader *r, const sparse_p_zip *z, const sparse_p_array *text)
{
    const sparse_hooks *const hooks = r->t->hooks;
    sparse_p_binsparse b;
    memset(&b, 0, sizeof b);
    b.text = *text;
    const sparse_result result = sparse_p_read_parts(r, &b, z);
    for (unsigned k = 0; k < SPARSE_MAX_RANK; k++) {
        sparse_p_release(hooks, &b.pointers[k].owned, 1);
        sparse_p_release(hooks, &b.indices[k].owned, 1);
    }
    sparse_p_release(hooks, &b.values.owned, 1);
    sparse_p_release(hooks, &b.fill.owned, 1);
    sparse_p_release(hooks, &b.plain, 1);
    return result;
}

/* Reads a .npz archive: a Binsparse tensor if it has a descriptor, otherwise a matrix of SciPy or PyData/Sparse. */
SPARSE_P_COLD sparse_result sparse_p_read_npz(sparse_p_reader *r)
{
    sparse_p_zip z;
    sparse_p_array text;
    memset(&z, 0, sizeof z);
    memset(&text, 0, sizeof text);
    SPARSE_P_TRY(sparse_p_see_whole(r));
    SPARSE_P_TRY(sparse_p_open_zip(r, &z));
    r->line = (const char *)z.directory;
    sparse_result result = sparse_p_open_member(r, &z, "binsparse.npy", &text);
    if (!result && text.at)
        result = sparse_p_read_described(r, &z, &text);
    else if (!result && r->o.format == SPARSE_FILE_BINSPARSE)
        result = sparse_p_need(r, &text, 0, false);
    else if (!result)
        result = sparse_p_read_scipy(r, &z);
    sparse_p_release(r->t->hooks, &text.owned, 1);
    return result;
}

/* sparse_p_read_npz for this format refuses an archive without a Binsparse descriptor. */
SPARSE_P_COLD sparse_result sparse_p_read_binsparse(sparse_p_reader *r) { return sparse_p_read_npz(r); }

    #if SPARSE_HDF5
/* Reads an HDF5 file, which must contain a Binsparse descriptor. */
SPARSE_P_COLD sparse_result sparse_p_read_hdf5(sparse_p_reader *r)
{
    sparse_p_zip z;
    sparse_p_array text;
    sparse_p_hdf5_quiet quiet;
    memset(&z, 0, sizeof z);
    memset(&text, 0, sizeof text);
    SPARSE_P_TRY(sparse_p_see_whole(r));
    sparse_p_begin_hdf5(&quiet);
    sparse_result result = sparse_p_open_hdf5(r, &z.hdf5);
    if (!result) result = sparse_p_open_text(r, z.hdf5, &text);
    if (!result) result = sparse_p_read_described(r, &z, &text);
    sparse_p_release(r->t->hooks, &text.owned, 1);
    sparse_p_close_hdf5(z.hdf5);
    sparse_p_end_hdf5(&quiet);
    return result;
}
    #else
SPARSE_P_COLD sparse_result sparse_p_read_hdf5(sparse_p_reader *r)
{
    return sparse_p_fail(r, r->window.begin, SPARSE_E_FILE_FORMAT, "this is a file of HDF5: " SPARSE_P_WITHOUT_HDF5);
}
    #endif

/* >>read */

/* Detection function of the formats that have no signature. The reader recognises these formats by the file name or by
   the number of columns. */
static inline bool sparse_p_is_none(sparse_p_reader *r)
{
    (void)r;
    return false;
}

/* Does the file name end in .gz? */
SPARSE_P_COLD bool sparse_p_is_gzip_name(const char *path)
{
    const char *const end = path + strlen(path);
    return end - path > 3 && sparse_p_prefix(end - 3, end, ".gz") > 0;
}

/* Returns the file name extensions of a format, separated by blanks. */
SPARSE_P_COLD const char *sparse_p_extensions(sparse_file_format format)
{
    #define SPARSE_P_FILE_EXTENSIONS(name, extensions, mark, tell, read, write) extensions,
    static const char *const known[] = {"", SPARSE_FILE_FORMATS(SPARSE_P_FILE_EXTENSIONS)};
    return known[format];
}

/* Returns the extension of a file name, from its last dot up to *end. An extension .gz is skipped, so that "a.mtx.gz"
   gives ".mtx". */
SPARSE_P_COLD const char *sparse_p_extension(const char *path, const char **end)
{
    *end = path + strlen(path) - (sparse_p_is_gzip_name(path) ? 3 : 0);
    const char *dot = *end > path ? *end - 1 : *end;
    while (dot > path && *dot != '.') dot--;
    return dot;
}

/* Returns the format whose extension the file name ends in. If several extensions match, the longest one decides. If none
   matches, the result is SPARSE_FILE_AUTO. */
SPARSE_P_COLD sparse_file_format sparse_p_extension_format(const char *path)
{
    const char *end;
    size_t longest = 0;
    int format = SPARSE_FILE_AUTO;
    (void)sparse_p_extension(path, &end);
    for (int k = 1; k < SPARSE_P_FILE_COUNT; k++)
        for (const char *at = sparse_p_extensions((sparse_file_format)k); *at; at += strspn(at, " ")) {
            const size_t length = strcspn(at, " ");
            if (length > longest && length <= (size_t)(end - path) && sparse_p_index_in(at, end - length, end) == 0) {
                longest = length;
                format = k;
            }
            at += length;
        }
    return (sparse_file_format)format;
}

/* Returns the name of the compression method that the first bytes of the data indicate, or null if there is none. */
static inline const char *sparse_p_compression(const sparse_p_reader *r)
{
    static const char *const magic[][2] = {{"\x1F\x8B", "gzip"}, {"\x28\xB5\x2F\xFD", "zstd"}, {"\xFD\x37zXZ", "xz"},
                                           {"BZh", "bzip2"},     {"\x1F\x9D", "compress"},     {"\x04\x22\x4D\x18", "lz4"}};
    for (size_t i = 0; i < sizeof magic / sizeof *magic; ++i) {
        const size_t length = strlen(magic[i][0]);
        if ((size_t)(r->window.end - r->window.begin) >= length && memcmp(r->window.begin, magic[i][0], length) == 0)
            return magic[i][1];
    }
    return NULL;
}

    #define SPARSE_P_WITHOUT_FORMAT "this program does not know %.*s files: compile it with SPARSE_FILES_ALL 1"

/* Reports a format whose reader is not compiled into the program. */
SPARSE_P_COLD sparse_result sparse_p_read_absent(sparse_p_reader *r)
{
    const char *const known = sparse_p_extensions(r->o.format);
    return sparse_p_fail(r, NULL, SPARSE_E_FILE_FORMAT, SPARSE_P_WITHOUT_FORMAT, (int)strcspn(known, " "), known);
}

/* A row of the table of formats: the character that begins comments, a function that recognises the format, and the
   reader. */
typedef struct sparse_p_file_row {
    char mark;
    bool (*tell)(sparse_p_reader *r);
    sparse_result (*read)(sparse_p_reader *r);
} sparse_p_file_row;

/* The table of formats, indexed by sparse_file_format. Formats that are not compiled into the program have a reader that
   reports this. */
static inline const sparse_p_file_row *sparse_p_file_rows(void)
{
    #define SPARSE_P_FILE_ROW(name, extensions, mark, tell, read, write) {mark, sparse_p_##tell, sparse_p_##read},
    #if SPARSE_FILES_ALL
        #define SPARSE_P_FILE_ROW_ALL(name, extensions, mark, tell, read, write) {mark, sparse_p_##tell, sparse_p_##read},
    #else
        #define SPARSE_P_FILE_ROW_ALL(name, extensions, mark, tell, read, write)                                            \
            {mark, sparse_p_##tell, sparse_p_read_absent},
    #endif
    static const sparse_p_file_row row[] = {{0, sparse_p_is_none, NULL},
                                            SPARSE_P_FILE_FORMATS(SPARSE_P_FILE_ROW, SPARSE_P_FILE_ROW_ALL)};
    return row;
}

/* Appends a line, without blanks at its end, to the comments of the options. *length is the length of the comments so
   far. */
SPARSE_P_COLD void sparse_p_take_comment(const sparse_p_reader *r, const char *at, size_t *length)
{
    const char *end = at;
    while (!sparse_p_ends_line(end, r->window.end)) end++;
    while (end > at && sparse_p_is_space(end[-1])) end--;
    if (*length > 0 && *length + 1 < r->o.comments_size) r->o.comments[(*length)++] = '\n';
    for (; at < end && *length + 1 < r->o.comments_size; at++) r->o.comments[(*length)++] = *at;
    r->o.comments[*length] = '\0';
}

/* Copies the comments at the beginning of the text into the buffer of the options. Rutherford-Boeing files have no
   comments, but a title; the function copies the title instead. */
SPARSE_P_COLD void sparse_p_take_comments(const sparse_p_reader *r)
{
    const bool banner = r->o.format == SPARSE_FILE_MATRIX_MARKET || r->o.format == SPARSE_FILE_FROSTT_EXTENDED;
    const char *at = banner ? sparse_p_line_after(r, r->window.begin) : r->window.begin;
    size_t length = 0;
    const char mark = sparse_p_file_rows()[r->o.format].mark, other = r->o.format == SPARSE_FILE_EDGES ? '%' : mark;
    if (!r->o.comments || r->o.comments_size == 0) return;
    r->o.comments[0] = '\0';
    if (r->o.format == SPARSE_FILE_BOEING) sparse_p_take_comment(r, at, &length);
    for (; mark != '\0' && at < r->window.end; at = sparse_p_line_after(r, at)) {
        while (at < r->window.end && sparse_p_is_space(*at)) at++;
        if (at < r->window.end && (*at == mark || *at == other))
            sparse_p_take_comment(r, at + 1, &length);
        else if (!sparse_p_ends_line(at, r->window.end))
            break;
    }
}

/* Parses the data with the reader of the chosen format; the entries go to r->store. */
SPARSE_P_COLD sparse_result sparse_p_parse(sparse_p_reader *r)
{
    r->syntax.comment[0] = r->syntax.comment[1] = sparse_p_file_rows()[r->o.format].mark;
    r->syntax.between[0] = ' ';
    r->syntax.between[1] = '\t';
    sparse_result result = sparse_p_start_text(r);
    if (result) return sparse_p_fail(r, NULL, result, "%s", sparse_message(result));
    r->syntax.binary = r->o.format == SPARSE_FILE_NPY || r->o.format == SPARSE_FILE_NPZ ||
                       r->o.format == SPARSE_FILE_BINSPARSE || r->o.format == SPARSE_FILE_HDF5;
    r->head.object = r->head.field = r->head.symmetry = 0;
    r->head.array = r->head.inferred = false;
    r->head.base = r->o.zero_based ? 0 : 1;
    r->head.rank = r->head.parts = r->head.announced = r->batch.count = 0;
    for (size_t d = 0; d < SPARSE_MAX_RANK; ++d) {
        r->head.dim[d] = r->head.max[d] = 1;
        r->batch.next[d] = 0;
    }
    result = sparse_p_file_rows()[r->o.format].read(r);
    if (result) return result;
    if (r->window.failure) return sparse_p_fail(r, NULL, r->window.failure, "%s", sparse_message(r->window.failure));
    if (r->head.inferred) r->head.sizes = r->window.offset + (uint64_t)(r->at - r->window.begin);
    if (r->head.inferred && !r->store.sized) memcpy(r->head.dim, r->head.max, sizeof r->head.dim);
    r->head.inferred = false;
    return sparse_p_flush(r);
}

/* Parses the text again, but stores and packs only its first `limit` entries. Returns the result of that. */
static inline sparse_result sparse_p_record_some(sparse_p_reader *r, size_t limit)
{
    sparse_p_store *const s = &r->store;
    s->way = SPARSE_P_STORE_RECORD;
    s->limit = limit;
    sparse_p_store_clear(s);
    const sparse_result result = sparse_p_parse(r);
    return result ? result : sparse_p_store_finish(s);
}

/* Packing has failed with `why`; finds the entry to blame, so that the error message can name its line. Bisection over
   the number of entries gives the shortest beginning of the text that fails in this way, and the entry at its end is the
   cause. Parsing the text again up to this entry reports the error there. */
SPARSE_P_COLD sparse_result sparse_p_blame(sparse_p_reader *r, sparse_result why)
{
    size_t good = 0, bad = r->store.count;
    if (why != SPARSE_E_DUPLICATE && why != SPARSE_E_FULL && why != SPARSE_E_POSITION_WIDTH)
        return sparse_p_fail_sizes(r, why);
    while (bad - good > 1) {
        const size_t middle = good + (bad - good) / 2;
        const sparse_result result = sparse_p_record_some(r, middle);
        if (result == SPARSE_E_MEMORY || r->window.failure) return sparse_p_fail_sizes(r, result);
        if (result == why)
            bad = middle;
        else
            good = middle;
    }
    r->blamed.entry = bad - 1;
    r->blamed.why = why;
    r->store.way = SPARSE_P_DISCARD;
    sparse_p_store_clear(&r->store);
    const sparse_result result = sparse_p_parse(r);
    /* the text has no such entry any more: it has changed between two parses */
    return result ? result : sparse_p_fail_sizes(r, why);
}

/* Does a symmetric matrix have entries in both triangles, and has the reader not yet handled this? */
static inline bool sparse_p_has_twins(const sparse_p_reader *r)
{
    return r->triangle.seen == (SPARSE_P_LOWER | SPARSE_P_UPPER) && r->triangle.only == 0 && !r->triangle.lower &&
           r->triangle.twin[0] == SIZE_MAX;
}

/* Parses the text, several times if necessary, until one of the ways of storing entries succeeds. Then r->store.made is
   the tensor. If a symmetric matrix has entries in both triangles, the function returns early; sparse_p_read_twins must
   follow. */
SPARSE_P_COLD sparse_result sparse_p_collect(sparse_p_reader *r)
{
    sparse_p_store *const s = &r->store;
    sparse_result why = SPARSE_E_READ; /* the result if the text changes between two parses */
    for (;;) {
        sparse_result result = sparse_p_parse(r);
        if (s->way == SPARSE_P_DISCARD) /* If the parse reports no error in the text, report `why`. */
            return result ? result : sparse_p_fail_sizes(r, why);
        if (!result && sparse_p_has_twins(r)) return SPARSE_OK;
        if (!result && s->way != SPARSE_P_MEASURE) {
            result = sparse_p_store_sizes(s, r->head.dim);
            if (!result) result = sparse_p_store_finish(s);
            if (result && !s->unfit) return sparse_p_blame(r, result);
        }
        if (s->unfit)
            s->way = SPARSE_P_CHOOSE;
        else if (s->way != SPARSE_P_MEASURE)
            return result;
        else if (result) {
            s->way = SPARSE_P_DISCARD; /* parse again, to report the first error of the text, which may be in a value */
            why = result;
        } else {
            memcpy(s->size, r->head.dim, sizeof s->size);
            s->sized = true;
            s->expected = s->count;
            s->way = SPARSE_P_CHOOSE;
        }
        sparse_p_store_clear(s);
    }
}

/* Counts the numbers on a line whose first number is a coordinate, and sets *first to this number. Returns 0 if the line
   is not of this kind. *zero becomes true if one of the first two numbers is 0. */
SPARSE_P_COLD size_t sparse_p_count_numbers(const char *at, const char *end, uint64_t *first, bool *zero)
{
    for (size_t count = 0;; count++) {
        sparse_p_decimal n;
        while (at < end && sparse_p_is_space(*at)) at++;
        if (sparse_p_ends_line(at, end)) return count;
        at = sparse_p_scan(at, end, true, &n);
        if (!at || !sparse_p_ends_word(at, end) || (count == 0 && (!n.integer || n.negative))) return 0;
        if (count == 0) *first = n.digits;
        *zero |= count < 2 && n.integer && n.digits == 0;
    }
}

/* Guesses the format of lines of numbers from how many numbers each line has. If that is not decisive, the function
   returns SPARSE_FILE_AUTO, sets *why to the reason, and may set *place to the line. In .tns files, a line has as many
   coordinates as the tensor has dimensions, and then a value of one or two numbers. The .tns files of ParTI begin with
   two more lines, for the rank and the sizes. */
SPARSE_P_COLD sparse_file_format sparse_p_guess(const sparse_p_reader *r, const char **why, const char **place)
{
    bool all, even, zero = false;
    const char *const end = sparse_p_end_of_look(r, &all);
    size_t lines = 0, columns = 0, rank = 0;
    for (const char *at = r->window.begin; at < end; at = sparse_p_line_after(r, at)) {
        uint64_t first = 0;
        while (at < end && sparse_p_is_space(*at)) at++;
        if (sparse_p_ends_line(at, end) || *at == '#' || *at == '%') continue;
        const size_t count = sparse_p_count_numbers(at, end, &first, &zero);
        if (lines == 0 && count == 1 && first > 0 && first <= SPARSE_MAX_RANK)
            columns = rank = (size_t)first;
        else if (lines == 0)
            columns = count;
        if (count == 0 || (lines > 0 && count != columns + (rank > 0 && lines > 1))) {
            *why = count == 0 ? "this line is not one of numbers" : "this line has more or fewer numbers than those before";
            *place = at;
            return SPARSE_FILE_AUTO;
        }
        lines++;
    }
    *why = lines == 0 ? "it has no lines of numbers" : "it has too few numbers";
    const size_t coordinates = r->t->encoding->rank;
    const bool others =
        columns <= 3 || columns == coordinates + 1 || (columns == coordinates + 2 && sparse_p_is_complex(r->t->encoding));
    if (sparse_p_may_be_metis(r, &even)) {
        if (all && !others) return SPARSE_FILE_METIS;
        *why = "it may be a graph of METIS, or a list of edges or entries";
        return SPARSE_FILE_AUTO;
    }
    if (rank > 0) return lines > 2 ? SPARSE_FILE_FROSTT : SPARSE_FILE_AUTO;
    if (columns == 2) return r->t->encoding->rank == 1 ? SPARSE_FILE_FROSTT : SPARSE_FILE_EDGES;
    if (columns == 3 && !zero) *why = "it may be entries of a matrix that count from 1, or edges with weights";
    if (columns == 3) return zero ? SPARSE_FILE_EDGES : SPARSE_FILE_AUTO;
    return columns > 3 ? SPARSE_FILE_FROSTT : SPARSE_FILE_AUTO;
}

/* Detects the format: by the first bytes of the text, otherwise by the file name, otherwise by the number of columns. */
SPARSE_P_COLD sparse_file_format sparse_p_detect(sparse_p_reader *r, const char **why, const char **place)
{
    int told = SPARSE_FILE_AUTO + 1;
    while (told < SPARSE_P_FILE_COUNT && !sparse_p_file_rows()[told].tell(r)) told++;
    const sparse_file_format named =
        told < SPARSE_P_FILE_COUNT ? (sparse_file_format)told : sparse_p_extension_format(r->name);
    if (!named) return sparse_p_guess(r, why, place);
    if (named != SPARSE_FILE_CSV || !SPARSE_FILES_ALL) return named;
    *why = "its lines may be entries (SPARSE_FILE_CSV) or rows of a table (SPARSE_FILE_TABLE)";
    *place = sparse_p_first_line(r->window.begin, r->window.end);
    if (*place == r->window.end && !r->window.ended) return SPARSE_FILE_AUTO;
    return sparse_p_csv_or_table(r->window.begin, r->window.end, r->t->encoding->rank, sparse_p_is_complex(r->t->encoding));
}

/* Chooses the format if the options do not name one, and checks the options against the format. Compressed data and
   unknown formats are errors. */
static inline sparse_result sparse_p_choose_format(sparse_p_reader *r)
{
    if (r->t->encoding->kind == SPARSE_OPAQUE)
        return sparse_p_fail(r, NULL, SPARSE_E_VALUE_TYPE, "no file holds values of the type of %s", sparse_p_type_name(r));
    const sparse_result result = sparse_p_start_text(r);
    if (result) return sparse_p_fail(r, NULL, result, "%s", sparse_message(result));
    SPARSE_P_TRY(sparse_p_read_ahead(r, SPARSE_P_WINDOW)); /* the detection functions may look beyond the first line */
    const char *const method = sparse_p_compression(r);
    if (method)
        return sparse_p_fail(r, NULL, SPARSE_E_COMPRESSED_FILE, "compressed input (%s): %s", method,
                             strcmp(method, "gzip") != 0 ? "decompress it first"
                             : SPARSE_ZLIB               ? "it is compressed twice, decompress it once"
                                                         : SPARSE_P_WITHOUT_ZLIB);
    const char *why = "the option has no such value", *place = NULL;
    if (r->o.format == SPARSE_FILE_AUTO) r->o.format = sparse_p_detect(r, &why, &place);
    if (r->o.format <= SPARSE_FILE_AUTO || (int)r->o.format >= SPARSE_P_FILE_COUNT)
        return sparse_p_fail(r, place, SPARSE_E_FILE_FORMAT,
                             "neither the text nor its name tells the format: %s; set the option format", why);
    r->head.said = sparse_p_file_rows()[r->o.format].tell(r);
    const bool zero = r->o.format == SPARSE_FILE_SMTX || r->o.format == SPARSE_FILE_NPY || r->o.format == SPARSE_FILE_NPZ ||
                      r->o.format == SPARSE_FILE_BINSPARSE || r->o.format == SPARSE_FILE_HDF5;
    if (r->o.one_based && (r->o.zero_based || zero))
        return sparse_p_fail(r, NULL, SPARSE_E_ARGUMENT, "coordinates start at 0 here, not at 1 (option one_based)");
    if ((unsigned)r->o.duplicates > SPARSE_DUPLICATES_KEEP)
        return sparse_p_fail(r, NULL, SPARSE_E_ARGUMENT, "the option duplicates has no such value");
    const bool archive = r->o.format == SPARSE_FILE_NPZ || r->o.format == SPARSE_FILE_BINSPARSE;
    if (r->o.borrow && (!archive || r->window.source->fill != sparse_p_fill_memory))
        return sparse_p_fail(r, NULL, SPARSE_E_ARGUMENT,
                             "only the arrays of a .npz in memory can be borrowed (option borrow): see sparse_map_file");
    sparse_p_take_comments(r);
    return SPARSE_OK;
}

/* Reads one triangle of a symmetric matrix, as COO with 64-bit coordinates. `only` selects the triangle. The coordinates
   of upper entries are swapped, so that both triangles can be compared as lower ones. `e` becomes the encoding of
   *triangle. */
SPARSE_P_COLD sparse_result sparse_p_read_triangle(sparse_p_reader *from, unsigned only, sparse_encoding *e,
                                                   sparse_tensor *triangle)
{
    sparse_p_reader r = *from;
    r.t = triangle;
    r.triangle.only = only;
    r.o.stored_half = true;
    *e = *from->t->encoding;
    memset(e->level, 0, sizeof e->level);
    e->pos_bits = e->crd_bits = 64;
    sparse_p_set_row_levels(e, 0, true);
    if (r.o.duplicates == SPARSE_DUPLICATES_KEEP) r.o.duplicates = SPARSE_DUPLICATES_SUM;
    memset(&r.store, 0, sizeof r.store);
    r.store.limit = SIZE_MAX;
    r.store.threads = from->store.threads;
    r.store.made = *triangle = sparse_p_empty(e, from->store.made.hooks);
    const sparse_result result = sparse_p_collect(&r);
    if (!result) *triangle = r.store.made;
    r.store.made = sparse_p_empty(e, from->store.made.hooks);
    r.store.way = SPARSE_P_CHOOSE;
    sparse_p_store_clear(&r.store);
    from->window.bytes = r.window.bytes; /* the second reader may have reallocated this buffer */
    return result;
}

/* Are two values equal? 0 equals -0; a NaN equals a NaN with the same bits. */
SPARSE_P_COLD bool sparse_p_same_number(const sparse_encoding *e, const void *a, const void *b)
{
    const sparse_kind part = sparse_p_component(e->kind);
    if (memcmp(a, b, e->value_size) == 0) return true;
    for (size_t k = 0; k < (sparse_p_is_complex(e) ? 2u : 1u); k++) { /* the bits differ: they may still be 0 and -0 */
        const size_t at = k * sparse_p_kind_size(part);
        if (sparse_p_real(part, (const char *)a + at) != 0 || sparse_p_real(part, (const char *)b + at) != 0) {
            if (memcmp((const char *)a + at, (const char *)b + at, sparse_p_kind_size(part)) != 0) return false;
        }
    }
    return true;
}

/* Reads a symmetric matrix again if its file has entries in both triangles. If an entry and its mirror image are both
   stored, their values must be equal, and the reader uses only one of the two. */
SPARSE_P_COLD sparse_result sparse_p_read_twins(sparse_p_reader *r)
{
    sparse_encoding e[2];
    sparse_tensor half[2];
    sparse_result result = sparse_p_read_triangle(r, SPARSE_P_LOWER, &e[0], &half[0]);
    if (result) return result;
    result = sparse_p_read_triangle(r, SPARSE_P_UPPER, &e[1], &half[1]);
    if (!result) {
        const uint64_t *const a = (const uint64_t *)half[0].crd[0].at, *const b = (const uint64_t *)half[1].crd[0].at;
        const size_t size = sparse_p_stored_size(&e[0]);
        for (size_t p = 0, q = 0; p < half[0].val.length && q < half[1].val.length && r->triangle.twin[0] == SIZE_MAX;) {
            const uint64_t *const x = a + 2 * p, *const y = b + 2 * q;
            const bool same = x[0] == y[0] && x[1] == y[1];
            if (same && size > 0 &&
                !sparse_p_same_number(&e[0], (const char *)half[0].val.at + p * size,
                                      (const char *)half[1].val.at + q * size)) {
                r->triangle.twin[0] = (size_t)x[0];
                r->triangle.twin[1] = (size_t)x[1];
            }
            if (x[0] != y[0] ? x[0] < y[0] : x[1] < y[1])
                p++;
            else
                q++;
        }
        if (r->triangle.twin[0] == SIZE_MAX) r->triangle.lower = &half[0];
        r->store.way = r->triangle.lower ? SPARSE_P_CHOOSE : SPARSE_P_DISCARD;
        r->store.tried = 0;
        sparse_p_store_clear(&r->store);
        result = sparse_p_collect(r);
        sparse_free(&half[1]);
    }
    sparse_free(&half[0]);
    r->triangle.lower = NULL;
    return result;
}

/* Limits the memory for a tensor and its entries while they are read. This is the context of
   sparse_p_resize_allowed. Above 1 GiB, that function refuses far more memory than the text has bytes; the option
   `expansion` sets the limit. */
typedef struct sparse_p_allowance {
    const sparse_p_reader *r;
    uint64_t taken;
    bool exceeded;
} sparse_p_allowance;

/* The hook `resize` while a tensor is read. If the limit is exceeded, returns null and sets a->exceeded. */
static inline void *sparse_p_resize_allowed(void *context, void *block, size_t old_bytes, size_t new_bytes)
{
    sparse_p_allowance *const a = (sparse_p_allowance *)context;
    const sparse_p_reader *const r = a->r;
    const uint64_t size = r->window.source->size, taken = a->taken - old_bytes + new_bytes,
                   text = size < UINT64_MAX ? size
                                            : r->window.passed + r->window.offset +
                                                  /* the bytes that have been read so far, because the source does not
                                                     know its size */
                                                  (uint64_t)(r->window.end - r->window.begin);
    const bool exceeds = new_bytes > old_bytes && sparse_p_expands(taken, text, sparse_p_expansion(&r->o), 1 << 30);
    void *const at = exceeds ? NULL : sparse_p_resize(r->t->hooks, block, old_bytes, new_bytes);
    a->exceeded |= exceeds;
    if (at || new_bytes == 0) a->taken = taken;
    return at;
}

/* Reads a tensor from a source of uncompressed data. `name` is the name of the source, for messages and to detect the
   format. */
SPARSE_P_COLD sparse_result sparse_p_read_plain(sparse_tensor *t, const char *name, sparse_p_source *source,
                                                const sparse_read_options *options)
{
    const sparse_encoding *const e = t->encoding;
    sparse_p_reader r;
    memset(&r, 0, sizeof r);
    if (options) r.o = *options;
    r.t = t;
    r.name = name;
    r.window.source = source;
    r.batch.room = SPARSE_P_ENTRIES;
    #if defined(_OPENMP)
    sparse_p_pieces pieces;
    memset(&pieces, 0, sizeof pieces);
    r.pieces = &pieces;
    #endif
    r.store.threads = (long)r.o.threads;
    r.blamed.entry = r.store.limit = r.triangle.twin[0] = r.triangle.twin[1] = SIZE_MAX;
    sparse_p_decimal one[2];
    sparse_p_clear_value(&r, one);
    if (e->kind != SPARSE_OPAQUE) sparse_p_to_value(one, e->kind, false, r.batch.one);
    sparse_p_allowance allowance = {&r, 0, false};
    const sparse_hooks allowed = {sparse_p_resize_allowed, &allowance};
    r.store.made = sparse_p_empty(e, &allowed);
    sparse_result result = sparse_p_choose_format(&r);
    if (!result) result = sparse_p_allocate(t->hooks, &r.batch.coordinates, SPARSE_P_ENTRIES, e->rank * sizeof(size_t));
    if (!result) result = sparse_p_allocate(t->hooks, &r.batch.values, SPARSE_P_ENTRIES, e->value_size);
    if (result == SPARSE_E_MEMORY) (void)sparse_p_fail(&r, NULL, result, "%s", sparse_message(result));
    if (!result) result = sparse_p_collect(&r);
    if (!result && sparse_p_has_twins(&r)) result = sparse_p_read_twins(&r);
    const bool shifted = !result && sparse_p_is_shifted(&r);
    if (!result) {
        const sparse_hooks *const hooks = t->hooks;
        sparse_free(t);
        *t = r.store.made;
        t->hooks = hooks;
        if (r.o.symmetry) *r.o.symmetry = r.head.stated;
        r.store.made = sparse_p_empty(e, &allowed);
        if (shifted)
            (void)sparse_p_fail(&r, NULL, result,
                                "no vertex is 0, and row and column 0 are empty: if the list counts from 1, set the option"
                                " one_based, else zero_based");
    } else if (result == SPARSE_E_MEMORY && allowance.exceeded) {
        (void)sparse_p_fail(&r, NULL, result,
                            "the tensor would take more than 1 GiB and %zu times the bytes of the text (option expansion;"
                            " compressed levels store no empty rows)",
                            sparse_p_expansion(&r.o));
    }
    #if defined(_OPENMP)
    sparse_p_close_pieces(&r);
    #endif
    sparse_p_store_clear(&r.store);
    sparse_p_release(t->hooks, &r.batch.coordinates, e->rank * sizeof(size_t));
    sparse_p_release(t->hooks, &r.batch.values, e->value_size);
    sparse_p_release(t->hooks, &r.head.offsets, sizeof(size_t));
    sparse_p_release(t->hooks, &r.window.bytes, 1);
    return result;
}

/* Does the source begin with the signature of gzip? Restarts the source. */
static inline bool sparse_p_is_gzip(sparse_p_source *source)
{
    char start[2] = {0, 0};
    size_t count = 0;
    const bool read = !sparse_p_fetch(source, start, sizeof start, &count);
    return !sparse_p_restart(source) && read && memcmp(start, "\x1F\x8B", 2) == 0;
}

/* Reads a tensor from a source that may be compressed with gzip. */
static inline sparse_result sparse_p_read_source(sparse_tensor *t, const char *name, sparse_p_source *source,
                                                 const sparse_read_options *options)
{
    #if SPARSE_ZLIB
    sparse_p_gzip gzip;
    if (sparse_p_is_gzip(source)) {
        sparse_result result = sparse_p_open_gzip(&gzip, source, t->hooks, sparse_p_expansion(options));
        if (!result)
            result = sparse_p_read_plain(t, name, &gzip.source, options);
        else if (options)
            (void)sparse_p_tell(options->error, result, name, 0, 0, sparse_message(result));
        inflateEnd(&gzip.z);
        return result;
    }
    #endif
    return sparse_p_read_plain(t, name, source, options);
}

/* Reads a tensor from a text in memory. */
static inline sparse_result sparse_p_read_text(sparse_tensor *t, const char *name, const char *text, size_t length,
                                               const sparse_read_options *options)
{
    sparse_p_memory memory = {text, length, 0};
    sparse_p_source source = sparse_p_source_of_memory(&memory);
    return sparse_p_read_source(t, name, &source, options);
}

/* Checks the arguments of a reading function, and reports the result in the error of the options, which clears an old
   error. */
static inline sparse_result sparse_p_check_target(const sparse_tensor *t, const char *name, const void *text,
                                                  const sparse_read_options *options)
{
    sparse_io_error *const error = options != NULL ? options->error : NULL;
    const sparse_result result = t != NULL && text != NULL ? sparse_encoding_check(t->encoding) : SPARSE_E_NULL;
    (void)sparse_p_tell(error, result, name, 0, 0, sparse_message(result));
    return result;
}

SPARSE_API sparse_result sparse_read_memory(sparse_tensor *t, const char *text, size_t length,
                                            const sparse_read_options *options)
{
    SPARSE_P_TRY(sparse_p_check_target(t, "memory", text, options));
    return sparse_p_read_text(t, "memory", text, length, options);
}

SPARSE_API sparse_result sparse_map_file(sparse_mapping *mapping, const char *path, sparse_io_error *error)
{
    if (mapping) memset(mapping, 0, sizeof *mapping);
    if (!mapping || !path) return sparse_p_tell(error, SPARSE_E_NULL, path ? path : "", 0, 0, sparse_message(SPARSE_E_NULL));
    #if SPARSE_MMAP
    struct stat s;
    void *at = MAP_FAILED;
    errno = 0;
    FILE *const in = fopen(path, "rb");
    const bool regular = in && fstat(fileno(in), &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0;
    if (regular && (uint64_t)s.st_size <= SIZE_MAX)
        at = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fileno(in), 0);
    const int number = errno;
    if (in) fclose(in);
    if (at == MAP_FAILED)
        return sparse_p_tell(error, SPARSE_E_OPEN, path, 0, 0,
                             in && !number ? "the file is empty, or not a regular file, so it cannot be mapped"
                                           : sparse_p_system_reason(SPARSE_E_OPEN, number).text);
    mapping->at = (const char *)at;
    mapping->length = (size_t)s.st_size;
    return sparse_p_tell(error, SPARSE_OK, path, 0, 0, sparse_message(SPARSE_OK));
    #else
    return sparse_p_tell(error, SPARSE_E_OPEN, path, 0, 0, "files can be mapped if the program defines SPARSE_MMAP as 1");
    #endif
}

SPARSE_API void sparse_unmap_file(sparse_mapping *mapping)
{
    if (!mapping) return;
    #if SPARSE_MMAP
    if (mapping->at) (void)munmap((void *)(uintptr_t)mapping->at, mapping->length);
    #endif
    memset(mapping, 0, sizeof *mapping);
}

/* Reads a stream to its end and appends the data to `text`. */
static inline sparse_result sparse_p_load_stream(FILE *in, const sparse_hooks *hooks, sparse_buffer *text)
{
    for (;;) {
        if (text->length == text->capacity) {
            const size_t capacity = text->capacity < SIZE_MAX / 2 ? text->capacity + text->capacity / 2 + 65536 : SIZE_MAX;
            SPARSE_P_TRY(sparse_p_enlarge(hooks, text, capacity, 1));
        }
        const size_t n = fread((char *)text->at + text->length, 1, text->capacity - text->length, in);
        if (n == 0) return ferror(in) ? SPARSE_E_READ : SPARSE_OK;
        text->length += n;
    }
}

SPARSE_API sparse_result sparse_read(sparse_tensor *t, const char *path, const sparse_read_options *options)
{
    sparse_buffer text = {NULL, 0, 0};
    SPARSE_P_TRY(sparse_p_check_target(t, path ? path : "", path, options));
    errno = 0;
    FILE *const in = fopen(path, "rb");
    sparse_p_source source = {NULL, NULL, NULL, 0, NULL, 0, 0};
    if (in) source = sparse_p_source_of_file(in);
    sparse_result result = !in ? SPARSE_E_OPEN : source.fill ? SPARSE_OK : sparse_p_load_stream(in, t->hooks, &text);
    if (result && options)
        (void)sparse_p_tell(options->error, result, path, 0, 0, sparse_p_system_reason(result, errno).text);
    if (!result && source.fill)
        result = sparse_p_read_source(t, path, &source, options);
    else if (!result)
        result = sparse_p_read_text(t, path, (const char *)text.at, text.length, options);
    if (in) fclose(in);
    sparse_p_release(t->hooks, &text, 1);
    return result;
}

/* >>write */

/* A file that is being written. It has a temporary name in the directory of its target until it is complete; then it is
   renamed, so that readers never see a part of a file. */
typedef struct sparse_p_file {
    FILE *out;
    sparse_buffer target, name; /* strings: the final path, the temporary path */
    bool durable;               /* flush the complete file to the disk before success is reported */
} sparse_p_file;

/* Does `path` exist without being a regular file, for example as a directory or device? The new file must not replace it.
   If stat fails, the function returns false, because opening the file will then report the error. */
SPARSE_P_COLD bool sparse_p_is_no_file(const char *path)
{
    #if SPARSE_P_POSIX
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    #else
    (void)path;
    return false;
    #endif
}

/* The length of the directory part of a path, with the separator. */
SPARSE_P_COLD size_t sparse_p_directory(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\') length--;
    return length;
}

/* Sets *to to the path of the file that `path` refers to. The function follows symbolic links, so that writing replaces
   the file and not the link. If the links form a loop or are too long, it returns SPARSE_E_OPEN and sets errno. */
SPARSE_P_COLD sparse_result sparse_p_follow(const char *path, const sparse_hooks *hooks, sparse_buffer *to)
{
    SPARSE_P_TRY(sparse_p_allocate(hooks, to, strlen(path) + 1, 1));
    memcpy(to->at, path, to->length);
    #if SPARSE_P_POSIX
    enum { SPARSE_P_LINKS = 40, SPARSE_P_LONGEST_LINK = 4096 }; /* the limits of Linux */
    char link[SPARSE_P_LONGEST_LINK];
    for (int hops = 0;; hops++) {
        const ssize_t bytes = readlink((const char *)to->at, link, sizeof link);
        if (bytes < 0) return SPARSE_OK;
        const bool endless = hops == SPARSE_P_LINKS;
        if (endless || bytes == SPARSE_P_LONGEST_LINK) {
            errno = endless ? ELOOP : ENAMETOOLONG;
            return SPARSE_E_OPEN;
        }
        const size_t length = (size_t)bytes, before = link[0] == '/' ? 0 : sparse_p_directory((const char *)to->at);
        SPARSE_P_TRY(sparse_p_enlarge(hooks, to, before + length + 1, 1));
        memcpy((char *)to->at + before, link, length);
        ((char *)to->at)[before + length] = '\0';
    }
    #else
    return SPARSE_OK;
    #endif
}

/* How many characters of a path become the beginning of its temporary name. Usually these are all characters. If the last
   component is long, the function leaves out enough of them to make the temporary name no longer than the path, because
   the path may have the maximal length. It never cuts a UTF-8 character. */
SPARSE_P_COLD size_t sparse_p_kept(const char *path)
{
    enum { SPARSE_P_LONG_NAME = 64, SPARSE_P_SUFFIX = 10 }; /* the length of .99999.tmp */
    size_t length = strlen(path);
    const size_t last = sparse_p_directory(path);
    if (length - last <= SPARSE_P_LONG_NAME) return length;
    for (length -= SPARSE_P_SUFFIX; ((unsigned char)path[length] & 0xc0) == 0x80 && length > last; length--) {
    }
    return length;
}

/* Does the file exist without being writable? Renaming would replace it nevertheless, because that needs only write
   permission for the directory; so this is checked separately. */
SPARSE_P_COLD bool sparse_p_is_protected(const char *path)
{
    FILE *const out = fopen(path, "r+b");
    if (out) fclose(out);
    return !out && errno != ENOENT;
}

/* Gives the file `name` the permissions of the file `path`, if that exists. */
SPARSE_P_COLD sparse_result sparse_p_keep_mode(const char *name, const char *path)
{
    #if SPARSE_P_POSIX
    struct stat old, made;
    if (stat(path, &old) != 0) return errno == ENOENT ? SPARSE_OK : SPARSE_E_OPEN;
    if (stat(name, &made) != 0) return SPARSE_E_OPEN;
    const bool same = ((old.st_mode ^ made.st_mode) & 0777u) == 0;
    return same || chmod(name, old.st_mode & 0777u) == 0 ? SPARSE_OK : SPARSE_E_OPEN;
    #else
    (void)name, (void)path;
    return SPARSE_OK;
    #endif
}

/* Releases the memory of a file that is closed. Preserves errno. */
SPARSE_P_COLD sparse_result sparse_p_forget(sparse_p_file *f, sparse_result result, const sparse_hooks *hooks)
{
    const int number = errno;
    sparse_p_release(hooks, &f->name, 1);
    sparse_p_release(hooks, &f->target, 1);
    errno = number;
    return result;
}

/* Creates a file with a temporary name that is not in use. Many names may be in use, because a program that is killed
   leaves its temporary file behind. */
SPARSE_P_COLD sparse_result sparse_p_create_beside(sparse_p_file *f, const char *path, const sparse_hooks *hooks)
{
    const size_t kept = sparse_p_kept(path);
    SPARSE_P_TRY(sparse_p_allocate(hooks, &f->name, kept + 16, 1));
    memcpy(f->name.at, path, kept);
    for (int i = 0; f->out == NULL && i < 100000; ++i) {
        snprintf((char *)f->name.at + kept, f->name.length - kept, ".%d.tmp", i);
        errno = 0;
        f->out = fopen((const char *)f->name.at, "w+bx"); /* x: fail if the file exists */
        if (f->out == NULL && errno != EEXIST) break;
    }
    return f->out ? SPARSE_OK : SPARSE_E_OPEN;
}

/* Creates the temporary file that will become `path`. If that fails, errno has the reason. */
static inline sparse_result sparse_p_create(sparse_p_file *f, const char *path, const sparse_hooks *hooks)
{
    memset(f, 0, sizeof *f);
    errno = 0;
    sparse_result result = sparse_p_follow(path, hooks, &f->target);
    const char *const target = (const char *)f->target.at;
    if (!result && (sparse_p_is_no_file(target) || sparse_p_is_protected(target))) result = SPARSE_E_OPEN;
    if (!result) result = sparse_p_create_beside(f, target, hooks);
    /* set permissions before any content is written */
    if (!result) result = sparse_p_keep_mode((const char *)f->name.at, target);
    if (!result) return SPARSE_OK;
    const int number = errno;
    if (f->out) {
        fclose(f->out);
        remove((const char *)f->name.at);
    }
    errno = number;
    return sparse_p_forget(f, result, hooks);
}

/* Flushes the data of a stream from the system's cache to the disk (fsync). */
SPARSE_P_COLD sparse_result sparse_p_sync(FILE *stream)
{
    #if SPARSE_P_POSIX
    return fsync(fileno(stream)) == 0 ? SPARSE_OK : SPARSE_E_WRITE;
    #else
    (void)stream;
    return SPARSE_E_WRITE;
    #endif
}

/* Flushes the directory of a file to the disk, because the directory stores the file's new name. */
SPARSE_P_COLD sparse_result sparse_p_sync_name(sparse_p_file *f)
{
    char *const path = (char *)f->target.at;
    const size_t length = sparse_p_directory(path);
    path[length] = '\0'; /* the path is no longer needed, so it is cut here */
    FILE *const directory = fopen(length > 0 ? path : ".", "r");
    if (!directory) return SPARSE_E_WRITE;
    const sparse_result result = sparse_p_sync(directory);
    const int number = errno;
    fclose(directory);
    errno = number;
    return result;
}

/* Closes the file. If everything has succeeded, renames it to its target, otherwise removes it. If this function fails,
   errno has the reason. */
static inline sparse_result sparse_p_complete(sparse_p_file *f, sparse_result result, const sparse_hooks *hooks)
{
    const char *const name = (const char *)f->name.at, *const target = (const char *)f->target.at;
    if (!result && (ferror(f->out) || fflush(f->out) != 0)) result = SPARSE_E_WRITE;
    if (!result && f->durable) result = sparse_p_sync(f->out);
    int number = errno;
    const bool closed = fclose(f->out) == 0;
    if (!result && !closed) {
        result = SPARSE_E_WRITE;
        number = errno;
    }
    #if defined(_WIN32)
    if (!result) remove(target); /* on Windows, rename does not replace a file */
    #endif
    if (!result && rename(name, target) != 0) {
        result = SPARSE_E_WRITE;
        number = errno;
    } else if (!result && f->durable) {
        result = sparse_p_sync_name(f); /* even if this fails, the file is complete */
        errno = result ? errno : number;
        return sparse_p_forget(f, result, hooks);
    }
    if (result) remove(name);
    errno = number;
    return sparse_p_forget(f, result, hooks);
}

/* The state of writing one tensor to one file. */
typedef struct sparse_p_writer {
    const sparse_tensor *t;
    sparse_write_options o;
    const char *name; /* name of the file, for messages */
    FILE *out;
    char separator;   /* between the numbers of a line */
    const char *note; /* a note to report after success, or null */
    size_t base;      /* the coordinate of the first element: 0 or 1 */
} sparse_p_writer;

/* Reports `result` and `sentence` in the error of the options, if there is one. Returns `result`. */
SPARSE_P_COLD sparse_result sparse_p_refuse(const sparse_p_writer *w, sparse_result result, const char *sentence)
{
    return sparse_p_tell(w->o.error, result, w->name, 0, 0, sentence);
}

/* Refuses options that a format cannot express: a symmetry unless `symmetry` is true, and leaving out the values unless
   `pattern` is true. */
SPARSE_P_COLD sparse_result sparse_p_refuse_options(const sparse_p_writer *w, bool symmetry, bool pattern)
{
    if (!symmetry && w->o.symmetry != SPARSE_SYMMETRY_GENERAL)
        return sparse_p_refuse(w, SPARSE_E_SYMMETRY, "this format cannot say that a matrix is symmetric");
    if (!pattern && w->o.pattern) return sparse_p_refuse(w, SPARSE_E_VALUE_TYPE, "this format cannot leave the values out");
    return SPARSE_OK;
}

/* Writes the comments of the options. Each of their lines becomes a comment line. */
SPARSE_P_COLD void sparse_p_write_comments(const sparse_p_writer *w, char mark)
{
    for (const char *at = w->o.comments; at; at = *at ? at + 1 : NULL) {
        fputc(mark, w->out);
        for (; *at && *at != '\n' && *at != '\r'; at++) fputc(*at, w->out);
        fputc('\n', w->out);
    }
}

/* A buffer for text that is to be written. A stream call for each number would be slow. */
typedef struct sparse_p_lines {
    char text[8192], *to;
} sparse_p_lines;

enum { SPARSE_P_LONGEST_LINE = 512 }; /* more characters than eight coordinates and two numbers need */

/* Writes the content of the buffer and empties it, unless there is still room for `room` characters. */
static inline void sparse_p_put_lines(sparse_p_lines *l, size_t room, FILE *out)
{
    const size_t length = (size_t)(l->to - l->text);
    if (sizeof l->text - length >= room) return;
    fwrite(l->text, 1, length, out);
    l->to = l->text;
}

/* Ends a line with a value, or with the real and imaginary part of a complex value. With the option `pattern`, it writes
   no value. `first` means that no number precedes the value on its line. */
static inline void sparse_p_write_value(const sparse_p_writer *w, sparse_p_lines *l, const void *value, bool first)
{
    const sparse_encoding *const e = w->t->encoding;
    for (size_t part = 0; !w->o.pattern && part < (sparse_p_is_complex(e) ? 2u : 1u); part++) {
        if (!first || part > 0) *l->to++ = w->separator;
        l->to = sparse_p_put_value(l->to, e->kind, value, part);
    }
    *l->to++ = '\n';
    sparse_p_put_lines(l, SPARSE_P_LONGEST_LINE, w->out);
}

/* Is the entry at coordinates `c` written? Of a symmetric matrix, only the lower triangle is written; of a skew-symmetric
   one, without the diagonal, which is zero. */
static inline bool sparse_p_is_written(const sparse_p_writer *w, const size_t c[])
{
    if (w->o.symmetry == SPARSE_SYMMETRY_GENERAL) return true;
    return c[0] > c[1] || (c[0] == c[1] && w->o.symmetry != SPARSE_SYMMETRY_SKEW);
}

/* Is the entry at the cursor written? As in conversions, zeros of a last level that pads are no entries of a pattern. */
static inline bool sparse_p_is_entry_written(const sparse_p_writer *w, const sparse_cursor *c)
{
    const sparse_encoding *const e = c->tensor->encoding;
    const bool pads = w->o.pattern && sparse_p_pads(e) && sparse_p_is_fill(e, c->value);
    return !pads && sparse_p_is_written(w, c->dim);
}

/* Writes the entries of `t` in storage order. For a vector in a format of matrices, `column` is " 1", so that the vector
   becomes a matrix of one column; otherwise it is "". */
static inline void sparse_p_write_entries(const sparse_p_writer *w, const sparse_tensor *t, const char *column)
{
    const size_t rank = t->encoding->rank, length = strlen(column);
    sparse_p_lines l;
    l.to = l.text;
    SPARSE_FOREACH(c, t)
    {
        if (!sparse_p_is_entry_written(w, &c)) continue;
        for (size_t d = 0; d < rank; d++) {
            if (d > 0) *l.to++ = w->separator;
            l.to = sparse_p_put_natural(l.to, c.dim[d] + w->base);
        }
        memcpy(l.to, column, length);
        l.to += length;
        sparse_p_write_value(w, &l, c.value, false);
    }
    sparse_p_put_lines(&l, sizeof l.text + 1, w->out);
}

/* Returns the value of a dense tensor at the coordinates `i`. */
static inline const void *sparse_p_dense_at(const sparse_tensor *t, const size_t i[])
{
    size_t p = 0, lvl[SPARSE_MAX_LEVELS];
    sparse_p_to_lvl(t->encoding, t->dim, i, lvl);
    for (size_t l = 0; l < t->encoding->levels; l++) p = p * t->lvl[l] + lvl[l];
    return sparse_p_value_at(t, p);
}

/* Writes the values of a dense tensor in column-major order: the first coordinate changes fastest. */
static inline void sparse_p_write_array(const sparse_p_writer *w)
{
    const sparse_tensor *const t = w->t;
    const size_t rank = t->encoding->rank;
    size_t volume = 0, i[SPARSE_MAX_RANK] = {0};
    sparse_p_lines l;
    l.to = l.text;
    if (t->val.length > 0) (void)sparse_p_volume((unsigned)rank, t->dim, &volume);
    for (; volume > 0; --volume) {
        size_t d = 0;
        if (sparse_p_is_written(w, i)) sparse_p_write_value(w, &l, sparse_p_dense_at(t, i), true);
        while (d < rank && ++i[d] == t->dim[d]) i[d++] = 0;
    }
    sparse_p_put_lines(&l, sizeof l.text + 1, w->out);
}

/* Counts the entries that sparse_p_write_entries writes. */
static inline size_t sparse_p_count_written(const sparse_p_writer *w, const sparse_tensor *t)
{
    size_t n = 0;
    SPARSE_FOREACH(c, t) { n += sparse_p_is_entry_written(w, &c); }
    return n;
}

/* Converts the matrix to CSR or, if `listed`, to COO. If `columns`, columns take the place of rows, so that CSR becomes
   CSC. Entries are sorted and duplicates combined. Positions and coordinates have `bits` bits, or the width of size_t if
   `bits` is 0. `e` becomes the encoding of *to and must outlive it. */
SPARSE_P_COLD sparse_result sparse_p_recode(const sparse_p_writer *w, bool columns, bool listed, uint8_t bits,
                                            sparse_encoding *e, sparse_tensor *to)
{
    memset(e, 0, sizeof *e);
    memset(to, 0, sizeof *to);
    if (w->t->encoding->rank != 2)
        return sparse_p_refuse(w, SPARSE_E_DIMENSIONS, "only matrices can be written in this way");
    e->name = w->t->encoding->name;
    e->pos_bits = e->crd_bits = bits;
    e->kind = w->t->encoding->kind;
    e->value_size = w->t->encoding->value_size;
    sparse_p_set_row_levels(e, columns, listed);
    to->encoding = e;
    to->hooks = w->t->hooks;
    const sparse_result result = sparse_convert(to, w->t);
    return result ? sparse_p_refuse(w, result, sparse_message(result)) : SPARSE_OK;
}

/* Refuses a format that stores a number for each row or column if the matrix has far more of them than entries. The
   limits are the default limits of the reader, so the file can be read again. */
SPARSE_P_COLD sparse_result sparse_p_check_lines(const sparse_p_writer *w, unsigned dim)
{
    char sentence[160];
    /* the function that writes this format refuses tensors that are not matrices */
    if (w->t->encoding->rank != 2) return SPARSE_OK;
    const size_t entries = sparse_entries(w->t);
    if (!sparse_p_expands(w->t->dim[dim], 2 * (uint64_t)entries, sparse_p_expansion(NULL), 1 << 27)) return SPARSE_OK;
    snprintf(sentence, sizeof sentence, "this format has a number for each of %zu %s, and there are only %zu entries",
             w->t->dim[dim], dim == 0 ? "rows" : "columns", entries);
    return sparse_p_refuse(w, SPARSE_E_OVERFLOW, sentence);
}

/* Is part `part` of two values equal or, if `opposite`, equal but of opposite sign? The function compares the decimal
   representations, because negating the smallest integer of a type overflows. */
SPARSE_P_COLD bool sparse_p_is_mirrored(sparse_kind kind, const void *a, const void *b, size_t part, bool opposite)
{
    char x[32], y[32];
    sparse_p_spell(kind, a, part, x);
    sparse_p_spell(kind, b, part, y);
    const char *const u = x[0] == '-' ? x + 1 : x, *const v = y[0] == '-' ? y + 1 : y;
    const bool same = (u == x) == (v == y), zero = strcmp(u, "0") == 0;
    return strcmp(u, v) == 0 && (zero || same != opposite);
}

/* Is `b` the mirror image that the symmetry requires for the value `a`? */
SPARSE_P_COLD bool sparse_p_is_image(const sparse_p_writer *w, const void *a, const void *b)
{
    const sparse_encoding *const e = w->t->encoding;
    const bool skew = w->o.symmetry == SPARSE_SYMMETRY_SKEW, hermitian = w->o.symmetry == SPARSE_SYMMETRY_HERMITIAN;
    if (w->o.pattern || (!skew && !hermitian && memcmp(a, b, e->value_size) == 0)) return true;
    return sparse_p_is_mirrored(e->kind, a, b, 0, skew) &&
           (!sparse_p_is_complex(e) || sparse_p_is_mirrored(e->kind, a, b, 1, skew || hermitian));
}

/* Returns an error if the matrix does not have the symmetry. `rows` has the entries sorted by rows, `columns` sorted by
   columns: in a symmetric matrix, equal places of the two orders hold an entry and its mirror image. */
SPARSE_P_COLD sparse_result sparse_p_check_symmetry(const sparse_p_writer *w, const sparse_tensor *rows,
                                                    const sparse_tensor *columns)
{
    char sentence[160];
    sparse_cursor a = sparse_begin(rows), b = sparse_begin(columns);
    for (; sparse_valid(&a) && sparse_valid(&b); sparse_next(&a), sparse_next(&b)) {
        const bool place = a.dim[0] == b.dim[1] && a.dim[1] == b.dim[0];
        if (place && sparse_p_is_image(w, a.value, b.value)) continue;
        snprintf(sentence, sizeof sentence, "the matrix does not have the symmetry: the entry in row %zu, column %zu %s",
                 a.dim[0] + 1, a.dim[1] + 1,
                 place ? "is not the image of its mirror" : "has no mirror, or is one's that is not");
        return sparse_p_refuse(w, SPARSE_E_SYMMETRY, sentence);
    }
    return SPARSE_OK;
}

/* Returns an error if the matrix stores entries on both sides of the diagonal, or a diagonal element that is not its own
   mirror image. On entry, *upper is whether the upper triangle is allowed; on return, whether the matrix stores the upper
   one. */
SPARSE_P_COLD sparse_result sparse_p_check_half(const sparse_p_writer *w, const sparse_tensor *half, bool *upper)
{
    const bool either = *upper;
    bool lower = *upper = false;
    char sentence[160];
    SPARSE_FOREACH(c, half)
    {
        const char *wrong = NULL;
        if (c.dim[0] > c.dim[1]) lower = true;
        if (c.dim[0] < c.dim[1]) *upper = true;
        if (*upper && !either) wrong = "is above the diagonal";
        if (*upper && lower) wrong = "is on the other side of the diagonal than others";
        if (c.dim[0] == c.dim[1] && !sparse_p_is_image(w, c.value, c.value)) wrong = "is not the image of itself";
        if (!wrong) continue;
        snprintf(sentence, sizeof sentence,
                 "the matrix is not half of one with the symmetry: the entry in row %zu, column %zu %s", c.dim[0] + 1,
                 c.dim[1] + 1, wrong);
        return sparse_p_refuse(w, SPARSE_E_SYMMETRY, sentence);
    }
    return SPARSE_OK;
}

/* Checks that the tensor has the symmetry of the options. *columns becomes the matrix as COO, sorted by columns. With the
   option `stored_half` the matrix stores only one triangle; for *upper, see sparse_p_check_half. */
SPARSE_P_COLD sparse_result sparse_p_sort_symmetric(const sparse_p_writer *w, sparse_encoding *e, sparse_tensor *columns,
                                                    bool *upper)
{
    const sparse_tensor *const t = w->t;
    sparse_encoding by_rows;
    sparse_tensor rows;
    memset(columns, 0, sizeof *columns);
    if (t->encoding->rank != 2 || t->dim[0] != t->dim[1])
        return sparse_p_refuse(w, SPARSE_E_SYMMETRY, "only a square matrix can have a symmetry");
    if (w->o.symmetry == SPARSE_SYMMETRY_HERMITIAN && (w->o.pattern || !sparse_p_is_complex(t->encoding)))
        return sparse_p_refuse(w, SPARSE_E_SYMMETRY, "only a complex matrix can be Hermitian");
    if (w->o.symmetry == SPARSE_SYMMETRY_SKEW && w->o.pattern)
        return sparse_p_refuse(w, SPARSE_E_SYMMETRY, "a pattern cannot be skew-symmetric");
    if (w->o.symmetry == SPARSE_SYMMETRY_SKEW && t->encoding->kind >= SPARSE_U8 && t->encoding->kind <= SPARSE_U64)
        return sparse_p_refuse(w, SPARSE_E_SYMMETRY, "a matrix of unsigned values cannot be skew-symmetric");
    memset(&rows, 0, sizeof rows);
    sparse_result result = sparse_p_recode(w, true, true, 0, e, columns);
    if (!result && w->o.stored_half)
        result = sparse_p_check_half(w, columns, upper);
    else if (!result) {
        result = sparse_p_recode(w, false, true, 0, &by_rows, &rows);
        if (!result) result = sparse_p_check_symmetry(w, &rows, columns);
    }
    sparse_free(&rows);
    if (result) sparse_free(columns);
    return result;
}

/* Are all values equal to 1? */
static inline bool sparse_p_is_pattern(const sparse_tensor *t)
{
    const sparse_kind part = sparse_p_component(t->encoding->kind);
    SPARSE_FOREACH(c, t)
    {
        const double re = sparse_p_real(part, c.value);
        const double im =
            sparse_p_is_complex(t->encoding) ? sparse_p_real(part, (const char *)c.value + sparse_p_kind_size(part)) : 0;
        if (re < 1 || re > 1 || im < 0 || im > 0 || re != re || im != im) return false;
    }
    return true;
}

/* The word for the values in the banner: pattern, integer, real or complex. */
SPARSE_P_COLD const char *sparse_p_field_name(const sparse_p_writer *w)
{
    const sparse_encoding *const e = w->t->encoding;
    return w->o.pattern ? "pattern" : e->kind <= SPARSE_U64 ? "integer" : sparse_p_is_complex(e) ? "complex" : "real";
}

/* Writes a tensor whose levels are all dense as an array file, unless it is written as a pattern. A vector becomes a
   matrix of one column. With a symmetry, writes only the lower triangle. */
SPARSE_P_COLD sparse_result sparse_p_write_market(sparse_p_writer *w)
{
    static const char *const symmetry[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    const sparse_tensor *const t = w->t;
    const size_t rank = t->encoding->rank;
    const bool array = sparse_p_is_dense(t->encoding) && !w->o.pattern, half = w->o.symmetry != SPARSE_SYMMETRY_GENERAL;
    bool upper = false;
    sparse_encoding e;
    sparse_tensor columns;
    if ((unsigned)w->o.symmetry > SPARSE_SYMMETRY_HERMITIAN)
        return sparse_p_refuse(w, SPARSE_E_ARGUMENT, "an unknown symmetry");
    if (half) SPARSE_P_TRY(sparse_p_sort_symmetric(w, &e, &columns, &upper));
    w->base = 1;
    fprintf(w->out, "%%%%MatrixMarket %s %s %s %s\n", rank <= 2 ? "matrix" : "tensor", array ? "array" : "coordinate",
            sparse_p_field_name(w), symmetry[w->o.symmetry]);
    sparse_p_write_comments(w, '%');
    for (size_t d = 0; d < rank; d++) fprintf(w->out, "%s%zu", d > 0 ? " " : "", t->dim[d]);
    if (rank == 1) fputs(" 1", w->out);
    if (!array) fprintf(w->out, " %zu", sparse_p_count_written(w, half ? &columns : t));
    fputc('\n', w->out);
    if (array)
        sparse_p_write_array(w);
    else
        sparse_p_write_entries(w, half ? &columns : t, rank == 1 ? " 1" : "");
    if (half) sparse_free(&columns);
    return SPARSE_OK;
}

SPARSE_P_COLD sparse_result sparse_p_write_frostt(sparse_p_writer *w)
{
    SPARSE_P_TRY(sparse_p_refuse_options(w, false, false));
    sparse_p_write_comments(w, '#');
    sparse_p_write_entries(w, w->t, "");
    return SPARSE_OK;
}

/* Writes the sizes of the dimensions on one line. */
SPARSE_P_COLD void sparse_p_write_sizes(const sparse_p_writer *w)
{
    const size_t rank = w->t->encoding->rank;
    for (size_t d = 0; d < rank; d++) fprintf(w->out, "%zu%c", w->t->dim[d], d + 1 < rank ? ' ' : '\n');
}

SPARSE_P_COLD sparse_result sparse_p_write_extended(sparse_p_writer *w)
{
    SPARSE_P_TRY(sparse_p_refuse_options(w, false, false));
    fputs("# extended FROSTT format\n", w->out);
    sparse_p_write_comments(w, '#');
    fprintf(w->out, "%zu %zu\n", (size_t)w->t->encoding->rank, sparse_p_count_written(w, w->t));
    sparse_p_write_sizes(w);
    sparse_p_write_entries(w, w->t, "");
    return SPARSE_OK;
}

SPARSE_P_COLD sparse_result sparse_p_write_sptensor(sparse_p_writer *w)
{
    SPARSE_P_TRY(sparse_p_refuse_options(w, false, false));
    fprintf(w->out, "sptensor\n%zu\n", (size_t)w->t->encoding->rank);
    sparse_p_write_sizes(w);
    fprintf(w->out, "%zu\n", sparse_p_count_written(w, w->t));
    sparse_p_write_entries(w, w->t, "");
    return SPARSE_OK;
}

SPARSE_P_COLD sparse_result sparse_p_write_edges(sparse_p_writer *w)
{
    SPARSE_P_TRY(sparse_p_refuse_options(w, false, true));
    if (w->t->encoding->rank != 2 || w->t->dim[0] != w->t->dim[1])
        return sparse_p_refuse(w, SPARSE_E_SHAPE, "only a square matrix is a graph");
    if (sparse_p_is_complex(w->t->encoding) && !w->o.pattern)
        return sparse_p_refuse(w, SPARSE_E_VALUE_TYPE, "the edges of a list have no complex weights");
    w->base = 0;
    sparse_p_write_comments(w, '#');
    sparse_p_write_entries(w, w->t, "");
    return SPARSE_OK;
}

/* The first line names the columns: row,column,value, or i1,i2,i3,value for other ranks. A .tsv file has tabs instead of
   commas. */
SPARSE_P_COLD sparse_result sparse_p_write_csv(sparse_p_writer *w)
{
    static const char *const name[] = {"row", "column"};
    const size_t rank = w->t->encoding->rank;
    const char *end, *const dot = sparse_p_extension(w->name, &end);
    SPARSE_P_TRY(sparse_p_refuse_options(w, false, true));
    if (rank == 1 && w->o.pattern)
        return sparse_p_refuse(w, SPARSE_E_VALUE_TYPE, "a single column has nothing that separates it");
    w->separator = (char)(sparse_p_index_in(".tsv", dot, end) == 0 ? '\t' : ',');
    sparse_p_write_comments(w, '#');
    for (size_t d = 0; d < rank; d++)
        if (rank == 2)
            fprintf(w->out, "%s%c", name[d], d + 1 < rank || !w->o.pattern ? w->separator : '\n');
        else
            fprintf(w->out, "i%zu%c", d + 1, d + 1 < rank || !w->o.pattern ? w->separator : '\n');
    if (!w->o.pattern && sparse_p_is_complex(w->t->encoding))
        fprintf(w->out, "real%cimaginary\n", w->separator);
    else if (!w->o.pattern)
        fputs("value\n", w->out);
    sparse_p_write_entries(w, w->t, "");
    return SPARSE_OK;
}

/* Writes a vector or matrix as a table of comma-separated numbers, with its zeros: one line for each row. */
SPARSE_P_COLD sparse_result sparse_p_write_table(sparse_p_writer *w)
{
    const sparse_encoding *const e = w->t->encoding;
    const size_t columns = e->rank == 2 ? w->t->dim[1] : 1;
    sparse_buffer values = {NULL, 0, 0};
    char text[32];
    size_t volume;
    SPARSE_P_TRY(sparse_p_refuse_options(w, false, false));
    if (e->rank > 2 || sparse_p_is_complex(e))
        return sparse_p_refuse(w, e->rank > 2 ? SPARSE_E_DIMENSIONS : SPARSE_E_VALUE_TYPE,
                               "a table has real numbers in rows and columns");
    sparse_result result = sparse_p_volume(e->rank, w->t->dim, &volume);
    if (!result && volume == 0) return sparse_p_refuse(w, SPARSE_E_SHAPE, "a table without numbers has no sizes");
    if (!result) result = sparse_p_allocate(w->t->hooks, &values, volume, e->value_size);
    if (!result) result = sparse_unpack_dense_untyped(w->t, values.at);
    if (!result) sparse_p_write_comments(w, '#');
    for (size_t n = 0; !result && n < volume; n++) {
        sparse_p_spell(e->kind, (const char *)values.at + n * e->value_size, 0, text);
        fprintf(w->out, "%s%c", text, (n + 1) % columns ? ',' : '\n');
    }
    sparse_p_release(w->t->hooks, &values, e->value_size);
    return result ? sparse_p_refuse(w, result, sparse_message(result)) : SPARSE_OK;
}

/* Element p of the positions or coordinates of a matrix that sparse_p_recode has made with `bits` = 0. */
static inline size_t sparse_p_native(const sparse_buffer *b, size_t p) { return ((const size_t *)b->at)[p]; }

/* Writes an .smtx file: a line of sizes, a line of row pointers, a line of column indices. The format has no values. */
SPARSE_P_COLD sparse_result sparse_p_write_smtx(sparse_p_writer *w)
{
    sparse_encoding e;
    sparse_tensor a;
    SPARSE_P_TRY(sparse_p_refuse_options(w, false, true));
    SPARSE_P_TRY(sparse_p_check_lines(w, 0));
    SPARSE_P_TRY(sparse_p_recode(w, false, false, 0, &e, &a));
    if (!w->o.pattern && !sparse_p_is_pattern(&a)) {
        sparse_free(&a);
        return sparse_p_refuse(w, SPARSE_E_VALUE_TYPE, "the format has no values, and these are not all 1 (option pattern)");
    }
    fprintf(w->out, "%zu, %zu, %zu\n", a.dim[0], a.dim[1], a.crd[1].length);
    for (size_t k = 0; k < a.pos[1].length; k++) fprintf(w->out, "%s%zu", k > 0 ? " " : "", sparse_p_native(&a.pos[1], k));
    fputc('\n', w->out);
    for (size_t k = 0; k < a.crd[1].length; k++) fprintf(w->out, "%s%zu", k > 0 ? " " : "", sparse_p_native(&a.crd[1], k));
    fputc('\n', w->out);
    sparse_free(&a);
    return SPARSE_OK;
}

/* Can METIS read the value as the weight of an edge? Such weights are positive integers. */
SPARSE_P_COLD bool sparse_p_is_weight(sparse_kind kind, const void *value)
{
    char text[32];
    sparse_p_spell(kind, value, 0, text);
    return strspn(text, "0123456789") == strlen(text) && strcmp(text, "0") != 0;
}

/* Writes a graph in the format of METIS: a line for each vertex, with the numbers of its neighbours, from 1, and the
   weights of the edges unless all are 1. The graph has no direction, so the matrix must be symmetric. */
SPARSE_P_COLD sparse_result sparse_p_write_metis(sparse_p_writer *w)
{
    const char *wrong = NULL;
    char text[32];
    sparse_encoding e;
    sparse_tensor a;
    if (w->o.symmetry > SPARSE_SYMMETRY_SYMMETRIC || sparse_p_is_complex(w->t->encoding))
        return sparse_p_refuse(w, SPARSE_E_SYMMETRY, "a graph of METIS is a symmetric matrix of real numbers");
    if (w->o.stored_half) return sparse_p_refuse(w, SPARSE_E_SYMMETRY, "a graph of METIS is written from both triangles");
    w->o.symmetry = SPARSE_SYMMETRY_SYMMETRIC;
    SPARSE_P_TRY(sparse_p_check_lines(w, 0));
    SPARSE_P_TRY(sparse_p_sort_symmetric(w, &e, &a, NULL)); /* the matrix is symmetric, so its columns equal its rows */
    const bool weights = !w->o.pattern && !sparse_p_is_pattern(&a);
    SPARSE_FOREACH(c, &a)
    {
        if (c.dim[0] == c.dim[1])
            wrong = "a graph of METIS has no edge from a vertex to itself, but there is a diagonal";
        else if (weights && !sparse_p_is_weight(e.kind, c.value))
            wrong = "the weights of METIS are integers above 0";
    }
    if (!wrong) {
        size_t row = 0;
        bool start = true;
        sparse_p_write_comments(w, '%');
        fprintf(w->out, "%zu %zu%s\n", a.dim[0], sparse_p_count_written(w, &a), weights ? " 001" : "");
        SPARSE_FOREACH(c, &a)
        {
            for (; row < c.dim[1] && !ferror(w->out); row++, start = true) fputc('\n', w->out);
            fprintf(w->out, "%s%zu", start ? "" : " ", c.dim[0] + 1);
            start = false;
            if (weights) {
                sparse_p_spell(e.kind, c.value, 0, text);
                fprintf(w->out, " %s", text);
            }
        }
        for (; row < a.dim[0] && !ferror(w->out); row++) fputc('\n', w->out);
    }
    sparse_free(&a);
    return wrong ? sparse_p_refuse(w, SPARSE_E_VALUE_TYPE, wrong) : SPARSE_OK;
}

/* Fortran output: numbers in fields of `width` characters, with as many fields on a line as fit into 80 characters. */
typedef struct sparse_p_fields {
    FILE *out;
    size_t width, repeat, count; /* count: how many fields have been written */
} sparse_p_fields;

/* The functions that write fields. A full line ends when the next field begins; the caller ends the last line. */
static inline sparse_p_fields sparse_p_fields_of(FILE *out, size_t width)
{
    const sparse_p_fields f = {out, width, width < 80 ? 80 / width : 1, 0};
    return f;
}

static inline void sparse_p_put_field(sparse_p_fields *f, const char *text)
{
    if (f->count > 0 && f->count % f->repeat == 0) fputc('\n', f->out);
    fprintf(f->out, "%*s", (int)f->width, text);
    f->count++;
}

static inline void sparse_p_put_size(sparse_p_fields *f, size_t n)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", n);
    sparse_p_put_field(f, text);
}

/* Spells a floating-point number with a decimal point, because Fortran inserts one into a number without: 5 -> 5., 1e+100
   -> 1.e+100. */
static inline void sparse_p_spell_fortran(sparse_kind kind, const void *at, size_t part, char text[40])
{
    char plain[32];
    sparse_p_spell(kind, at, part, plain);
    const size_t digits = strspn(plain, "-0123456789"), length = strlen(plain);
    const bool point = kind > SPARSE_U64 && digits > 0 && plain[digits] != '.' && strspn(plain, "-") < digits;
    snprintf(text, 40, "%.*s%s%s", (int)digits, plain, point ? "." : "", length > digits ? plain + digits : "");
}

/* The length of the longest value that will be written, in characters. */
SPARSE_P_COLD size_t sparse_p_longest_value(const sparse_p_writer *w, const sparse_tensor *t)
{
    size_t longest = 1;
    char text[40];
    SPARSE_FOREACH(c, t)
    for (size_t part = 0; part < (sparse_p_is_complex(t->encoding) ? 2u : 1u); part++) {
        if (!sparse_p_is_written(w, c.dim)) continue;
        sparse_p_spell_fortran(t->encoding->kind, c.value, part, text);
        if (strlen(text) > longest) longest = strlen(text);
    }
    return longest;
}

/* The number of lines that `count` fields need. */
static inline size_t sparse_p_count_lines(const sparse_p_fields *f, size_t count)
{
    return count / f->repeat + (count % f->repeat != 0);
}

/* Writes the header and the sections of a Rutherford-Boeing file from a matrix whose entries are sorted by columns. */
SPARSE_P_COLD void sparse_p_write_columns(const sparse_p_writer *w, const sparse_tensor *a, size_t count)
{
    static const char letter[] = "uszh";
    const sparse_kind kind = w->t->encoding->kind;
    const size_t parts = w->o.pattern ? 0 : sparse_p_is_complex(w->t->encoding) ? 2 : 1, columns = a->dim[1];
    const size_t length = w->o.comments ? strcspn(w->o.comments, "\r\n") : 0;
    char type[4] = "rua", format[3][40], text[40];
    size_t digits[2] = {2, 2}, column = 0, at = 0;
    for (size_t n = count + 1; n >= 10; n /= 10) digits[0]++;
    for (size_t n = a->dim[0]; n >= 10; n /= 10) digits[1]++;
    sparse_p_fields f[3] = {sparse_p_fields_of(w->out, digits[0]), sparse_p_fields_of(w->out, digits[1]),
                            sparse_p_fields_of(w->out, parts > 0 ? sparse_p_longest_value(w, a) + 1 : 1)};
    const size_t lines[3] = {sparse_p_count_lines(&f[0], columns + 1), sparse_p_count_lines(&f[1], count),
                             parts > 0 ? sparse_p_count_lines(&f[2], parts * count) : 0};
    type[0] = (char)(parts == 0 ? 'p' : parts == 2 ? 'c' : kind <= SPARSE_U64 ? 'i' : 'r');
    type[1] = (char)(w->o.symmetry == SPARSE_SYMMETRY_GENERAL && a->dim[0] != columns ? 'r' : letter[w->o.symmetry]);
    for (size_t k = 0; k < 3; k++) snprintf(format[k], sizeof format[k], "(%zuI%zu)", f[k].repeat, f[k].width);
    if (type[0] != 'i') snprintf(format[2], sizeof format[2], "(%zuE%zu.1)", f[2].repeat, f[2].width);
    fprintf(w->out, "%-80.*s\n", (int)(length < 80 ? length : 80), length > 0 ? w->o.comments : "");
    fprintf(w->out, "%14zu %13zu %13zu %13zu\n", lines[0] + lines[1] + lines[2], lines[0], lines[1], lines[2]);
    fprintf(w->out, "%-14s%14zu %13zu %13zu %13d\n", type, a->dim[0], columns, count, 0);
    fprintf(w->out, "%-16s%-16s%s\n", format[0], format[1], parts > 0 ? format[2] : "");
    SPARSE_FOREACH(c, a)
    {
        if (!sparse_p_is_written(w, c.dim)) continue;
        for (; column <= c.dim[1] && !ferror(w->out); column++) sparse_p_put_size(&f[0], at + 1);
        at++;
    }
    for (; column <= columns && !ferror(w->out); column++) sparse_p_put_size(&f[0], at + 1);
    fputc('\n', w->out);
    SPARSE_FOREACH(c, a) if (sparse_p_is_written(w, c.dim)) sparse_p_put_size(&f[1], c.dim[0] + 1);
    if (count > 0) fputc('\n', w->out);
    SPARSE_FOREACH(c, a)
    for (size_t part = 0; part < parts && sparse_p_is_written(w, c.dim); part++) {
        sparse_p_spell_fortran(kind, c.value, part, text);
        sparse_p_put_field(&f[2], text);
    }
    if (parts > 0 && count > 0) fputc('\n', w->out);
}

SPARSE_P_COLD sparse_result sparse_p_write_boeing(sparse_p_writer *w)
{
    bool upper = false;
    sparse_encoding e;
    sparse_tensor a;
    if ((unsigned)w->o.symmetry > SPARSE_SYMMETRY_HERMITIAN)
        return sparse_p_refuse(w, SPARSE_E_ARGUMENT, "an unknown symmetry");
    SPARSE_P_TRY(sparse_p_check_lines(w, 1));
    SPARSE_P_TRY(w->o.symmetry != SPARSE_SYMMETRY_GENERAL ? sparse_p_sort_symmetric(w, &e, &a, &upper)
                                                          : sparse_p_recode(w, true, true, 0, &e, &a));
    sparse_p_write_columns(w, &a, sparse_p_count_written(w, &a));
    sparse_free(&a);
    return SPARSE_OK;
}

/* Sets `type` to NumPy's name for the value type of the tensor. Returns an error if NumPy has no such type, or cannot
   represent the sizes of the tensor. */
SPARSE_P_COLD sparse_result sparse_p_start_numpy(const sparse_p_writer *w, char type[8])
{
    const sparse_tensor *const t = w->t;
    SPARSE_P_TRY(sparse_p_refuse_options(w, false, false));
    sparse_p_type_in_numpy(t->encoding->kind, type);
    if (!*type) return sparse_p_refuse(w, SPARSE_E_VALUE_TYPE, "NumPy has no such type of values");
    for (unsigned d = 0; d < t->encoding->rank; d++)
        if (sparse_p_above(t->dim[d], INT64_MAX)) return sparse_p_refuse(w, SPARSE_E_OVERFLOW, "NumPy has no such sizes");
    return SPARSE_OK;
}

/* Writes the header of a .npy file into `text`: everything that precedes the elements. `size` has the sizes of the `rank`
   dimensions. Returns the length of the header, which is padded to a multiple of 64 bytes. */
SPARSE_P_COLD size_t sparse_p_npy_header(char text[512], const char *type, const size_t size[], size_t rank)
{
    const int most = 512;
    int n = snprintf(text, (size_t)most, "%cNUMPY%c%c__{'descr': '%s', 'fortran_order': False, 'shape': (", '_', 1, 0, type);
    for (size_t d = 0; d < rank; d++)
        n += snprintf(text + n, (size_t)(most - n), "%zu%s", size[d], d + 1 < rank ? ", " : rank == 1 ? "," : "");
    n += snprintf(text + n, (size_t)(most - n), "), }");
    while ((n + 1) % 64 != 0) text[n++] = ' ';
    text[n++] = '\n';
    text[0] = (char)0x93;
    text[7] = '\0';
    text[8] = (char)((n - 10) % 256);
    text[9] = (char)((n - 10) / 256);
    return (size_t)n;
}

/* Writes all elements, in row-major order. Allocates memory for all of them: E_MEMORY, E_OVERFLOW. */
SPARSE_P_COLD sparse_result sparse_p_write_npy(sparse_p_writer *w)
{
    const sparse_encoding *const e = w->t->encoding;
    sparse_buffer values = {NULL, 0, 0};
    char type[8], header[512];
    size_t volume;
    SPARSE_P_TRY(sparse_p_start_numpy(w, type));
    sparse_result result = sparse_p_volume(e->rank, w->t->dim, &volume);
    if (!result) result = sparse_p_allocate(w->t->hooks, &values, volume, e->value_size);
    if (!result && volume > 0) result = sparse_unpack_dense_untyped(w->t, values.at);
    if (result) {
        sparse_p_release(w->t->hooks, &values, e->value_size);
        return sparse_p_refuse(w, result, sparse_message(result));
    }
    fwrite(header, 1, sparse_p_npy_header(header, type, w->t->dim, e->rank), w->out);
    if (volume > 0) fwrite(values.at, e->value_size, volume, w->out);
    sparse_p_release(w->t->hooks, &values, e->value_size);
    return SPARSE_OK;
}

/* A zip archive that is being written: the central directory so far, and the position in the file. */
typedef struct sparse_p_archive {
    FILE *out;
    unsigned char directory[2048];
    size_t length, members;
    uint64_t offset;
    int64_t hdf5; /* if not 0: an open HDF5 file that is written instead of a zip archive */
    bool failed;  /* with HDF5: a dataset or attribute could not be written */
} sparse_p_archive;

/* Stores n in at[0..size), the least significant byte first. */
SPARSE_P_COLD void sparse_p_put_bytes(unsigned char *at, size_t size, uint64_t n)
{
    for (size_t k = 0; k < size; k++) at[k] = (unsigned char)(n >> 8 * k & 0xFF);
}

/* Writes a zip64 extra field, which holds the numbers that do not fit into 32 bits. */
SPARSE_P_COLD void sparse_p_put_wide(unsigned char *at, const uint64_t number[], size_t count)
{
    sparse_p_put_bytes(at, 2, 1);
    sparse_p_put_bytes(at + 2, 2, 8 * count);
    for (size_t k = 0; k < count; k++) sparse_p_put_bytes(at + 4 + 8 * k, 8, number[k]);
}

enum { SPARSE_P_MEMBER_ALIGNMENT = 64 }; /* arrays in memory-mapped archives can be borrowed only if they are aligned */

/* The size of an extra field at `offset` that moves the data behind it to the alignment. It is 0 or at least 6 bytes,
   because the field needs 6 bytes for itself. */
SPARSE_P_COLD size_t sparse_p_member_padding(uint64_t offset)
{
    const size_t missing = (size_t)(0 - offset) % SPARSE_P_MEMBER_ALIGNMENT;
    return missing > 0 && missing < 6 ? missing + SPARSE_P_MEMBER_ALIGNMENT : missing;
}

    #if SPARSE_HDF5
/* Adds a dataset to the HDF5 file, or an attribute if the elements are text. Returns false if that fails. */
SPARSE_P_COLD bool sparse_p_add_dataset(hid_t file, const char *name, const char *type, const size_t size[], size_t rank,
                                        const void *elements, size_t bytes)
{
    const hid_t numbers[] = {H5T_NATIVE_UINT8,
                             H5T_NATIVE_UINT16,
                             H5T_NATIVE_UINT32,
                             H5T_NATIVE_UINT64,
                             H5T_NATIVE_INT8,
                             H5T_NATIVE_INT16,
                             H5T_NATIVE_INT32,
                             H5T_NATIVE_INT64,
                             -1,
                             -1,
                             H5T_NATIVE_FLOAT,
                             H5T_NATIVE_DOUBLE};
    char key[40];
    hsize_t count[SPARSE_MAX_RANK] = {0};
    const unsigned log = type[2] == '1' ? 0 : type[2] == '2' ? 1 : type[2] == '4' ? 2 : 3;
    const bool text = type[1] == 'S';
    const hid_t kind = text ? H5Tcopy(H5T_C_S1) : H5Tcopy(numbers[log + (type[1] == 'u' ? 0 : type[1] == 'i' ? 4 : 8)]);
    snprintf(key, sizeof key, "%.*s", (int)strlen(name) - 4, name);
    for (size_t d = 0; d < rank; d++) count[d] = size[d];
    const hid_t space = rank > 0 ? H5Screate_simple((int)rank, count, NULL) : H5Screate(H5S_SCALAR);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    bool good = kind >= 0 && space >= 0 && how >= 0 && H5Pset_obj_track_times(how, false) >= 0;
    if (good && text) good = H5Tset_size(kind, bytes) >= 0 && H5Tset_cset(kind, H5T_CSET_UTF8) >= 0;
    const hid_t to = !good  ? -1
                     : text ? H5Acreate2(file, key, kind, space, H5P_DEFAULT, H5P_DEFAULT)
                            : H5Dcreate2(file, key, kind, space, H5P_DEFAULT, how, H5P_DEFAULT);
    good = to >= 0 && (text         ? H5Awrite(to, kind, elements) >= 0
                       : bytes == 0 ? true
                                    : H5Dwrite(to, kind, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements) >= 0);
    if (to >= 0) (void)(text ? H5Aclose(to) : H5Dclose(to));
    if (how >= 0) (void)H5Pclose(how);
    if (space >= 0) (void)H5Sclose(space);
    if (kind >= 0) (void)H5Tclose(kind);
    return good;
}

/* Writes the HDF5 file, which the library has built in memory, to the output. */
SPARSE_P_COLD sparse_result sparse_p_end_datasets(const sparse_p_writer *w, sparse_p_archive *z)
{
    sparse_buffer image = {NULL, 0, 0};
    const hid_t file = (hid_t)z->hdf5;
    const ssize_t bytes = z->failed || H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ? -1 : H5Fget_file_image(file, NULL, 0);
    sparse_result result = bytes <= 0 ? SPARSE_E_WRITE : sparse_p_allocate(w->t->hooks, &image, (size_t)bytes, 1);
    if (!result && H5Fget_file_image(file, image.at, (size_t)bytes) != bytes) result = SPARSE_E_WRITE;
    if (!result) fwrite(image.at, 1, (size_t)bytes, w->out);
    sparse_p_release(w->t->hooks, &image, 1);
    return result ? sparse_p_refuse(w, result, sparse_message(result)) : SPARSE_OK;
}
    #endif

/* Adds an array to the archive, without compression: writes the local header and a .npy file, and adds an entry to the
   central directory. An extra field pads the local header, so that the .npy file is aligned; its header has a multiple of
   64 bytes, so the elements are aligned as well. */
SPARSE_P_COLD void sparse_p_add_member(sparse_p_archive *z, const char *name, const char *type, const size_t size[],
                                       size_t rank, const void *elements, size_t bytes)
{
    #if SPARSE_HDF5
    if (z->hdf5) {
        z->failed = z->failed || !sparse_p_add_dataset((hid_t)z->hdf5, name, type, size, rank, elements, bytes);
        return;
    }
    #endif
    unsigned char local[180], *const entry = z->directory + z->length;
    char header[512];
    const size_t head = sparse_p_npy_header(header, type, size, rank), letters = strlen(name);
    const uint64_t whole = (uint64_t)head + bytes;
    const bool wide = whole >= UINT32_MAX, far = z->offset >= UINT32_MAX;
    const size_t size_bytes = wide ? 20 : 0, padding = sparse_p_member_padding(z->offset + 30 + letters + size_bytes);
    const size_t wide_numbers = (wide ? 2u : 0u) + far, extra = wide_numbers > 0 ? 4 + 8 * wide_numbers : 0;
    const uint64_t number[] = {whole, whole, z->offset};
    const uint32_t crc = sparse_p_crc32(sparse_p_crc32(0, header, head), elements, bytes);
    memset(local, 0, sizeof local);
    memset(entry, 0, 46);
    memcpy(local, "PK\3\4", 4);
    memcpy(entry, "PK\1\2", 4);
    sparse_p_put_bytes(local + 4, 2, wide || far ? 45 : 20); /* the version of zip needed to read this: 4.5 or 2.0 */
    sparse_p_put_bytes(local + 12, 2, 0x21);                 /* 1980-01-01, so that equal tensors give equal files */
    sparse_p_put_bytes(local + 14, 4, crc);
    sparse_p_put_bytes(local + 18, 4, wide ? UINT32_MAX : whole);
    sparse_p_put_bytes(local + 22, 4, wide ? UINT32_MAX : whole);
    sparse_p_put_bytes(local + 26, 2, letters);
    sparse_p_put_bytes(entry + 4, 2, wide || far ? 45 : 20);
    memcpy(entry + 6, local + 4, 26);
    sparse_p_put_bytes(local + 28, 2, size_bytes + padding);
    if (wide) sparse_p_put_wide(local + 30 + letters, number, 2);
    unsigned char *const filler = local + 30 + letters + size_bytes;
    if (padding > 0) sparse_p_put_bytes(filler, 2, 0xD935); /* the tag of the alignment field in Android archives */
    if (padding > 0) sparse_p_put_bytes(filler + 2, 2, padding - 4);
    if (padding > 0) sparse_p_put_bytes(filler + 4, 2, SPARSE_P_MEMBER_ALIGNMENT);
    sparse_p_put_bytes(entry + 30, 2, extra);
    sparse_p_put_bytes(entry + 42, 4, far ? UINT32_MAX : z->offset);
    memcpy(local + 30, name, letters);
    memcpy(entry + 46, name, letters);
    if (wide_numbers > 0) sparse_p_put_wide(entry + 46 + letters, wide ? number : number + 2, wide_numbers);
    fwrite(local, 1, 30 + letters + size_bytes + padding, z->out);
    fwrite(header, 1, head, z->out);
    if (bytes > 0) fwrite(elements, 1, bytes, z->out);
    z->length += 46 + letters + extra;
    z->offset += 30 + letters + size_bytes + padding + whole;
    z->members++;
}

/* Writes the zip64 end record, and the locator that points to it. They are needed if the directory begins beyond 4 GiB. */
SPARSE_P_COLD void sparse_p_end_wide(const sparse_p_archive *z)
{
    unsigned char record[76];
    memset(record, 0, sizeof record);
    memcpy(record, "PK\6\6", 4);
    sparse_p_put_bytes(record + 4, 8, 44); /* the size of the rest of the record */
    sparse_p_put_bytes(record + 12, 2, 45);
    sparse_p_put_bytes(record + 14, 2, 45);
    sparse_p_put_bytes(record + 24, 8, z->members);
    sparse_p_put_bytes(record + 32, 8, z->members);
    sparse_p_put_bytes(record + 40, 8, z->length);
    sparse_p_put_bytes(record + 48, 8, z->offset);
    memcpy(record + 56, "PK\6\7", 4);
    sparse_p_put_bytes(record + 64, 8, z->offset + z->length);
    sparse_p_put_bytes(record + 72, 4, 1); /* the number of disks */
    fwrite(record, 1, sizeof record, z->out);
}

/* Completes an archive: writes the central directory and the end record. */
SPARSE_P_COLD void sparse_p_end_archive(sparse_p_archive *z)
{
    unsigned char end[22];
    const bool far = z->offset >= UINT32_MAX;
    memset(end, 0, sizeof end);
    memcpy(end, "PK\5\6", 4);
    sparse_p_put_bytes(end + 8, 2, z->members);
    sparse_p_put_bytes(end + 10, 2, z->members);
    sparse_p_put_bytes(end + 12, 4, z->length);
    sparse_p_put_bytes(end + 16, 4, far ? UINT32_MAX : z->offset);
    fwrite(z->directory, 1, z->length, z->out);
    if (far) sparse_p_end_wide(z);
    fwrite(end, 1, sizeof end, z->out);
}

/* Writes a matrix in CSR or, if `columns`, in CSC, as the arrays that SciPy expects. Positions and coordinates have
   `bits` bits. */
SPARSE_P_COLD void sparse_p_write_arrays(const sparse_p_writer *w, const sparse_tensor *a, bool columns, unsigned bits)
{
    const size_t entries = a->crd[1].length, positions = a->pos[1].length, two = 2;
    const int64_t shape[2] = {(int64_t)a->dim[0], (int64_t)a->dim[1]};
    sparse_p_archive z;
    char index[8], type[8];
    memset(&z, 0, sizeof z);
    z.out = w->out;
    sparse_p_type_in_numpy(bits == 32 ? SPARSE_I32 : SPARSE_I64, index);
    sparse_p_add_member(&z, "indices.npy", index, &entries, 1, a->crd[1].at, entries * (bits / 8));
    sparse_p_add_member(&z, "indptr.npy", index, &positions, 1, a->pos[1].at, positions * (bits / 8));
    sparse_p_add_member(&z, "format.npy", "|S3", NULL, 0, columns ? "csc" : "csr", 3);
    sparse_p_type_in_numpy(SPARSE_I64, type);
    sparse_p_add_member(&z, "shape.npy", type, &two, 1, shape, sizeof shape);
    sparse_p_type_in_numpy(w->t->encoding->kind, type);
    sparse_p_add_member(&z, "data.npy", type, &entries, 1, a->val.at, entries * w->t->encoding->value_size);
    sparse_p_end_archive(&z);
}

/* Writes a matrix in SciPy's format CSR, or CSC if the encoding stores columns first. */
SPARSE_P_COLD sparse_result sparse_p_write_npz(sparse_p_writer *w)
{
    const sparse_tensor *const t = w->t;
    const bool columns = t->encoding->levels == 2 && t->encoding->level[0].dim == 1;
    char type[8];
    sparse_encoding e;
    sparse_tensor a;
    SPARSE_P_TRY(sparse_p_start_numpy(w, type));
    SPARSE_P_TRY(sparse_p_check_lines(w, columns));
    const size_t entries = sparse_entries(t), most = INT32_MAX;
    const bool narrow = entries <= most && (t->encoding->rank != 2 || (t->dim[0] <= most && t->dim[1] <= most));
    SPARSE_P_TRY(sparse_p_recode(w, columns, false, narrow ? 32 : 64, &e, &a));
    sparse_p_write_arrays(w, &a, columns, narrow ? 32 : 64);
    sparse_free(&a);
    return SPARSE_OK;
}

/* A tensor that is being written as Binsparse. `t` refers to the tensor itself or, if the specification cannot describe
   its encoding, to the converted copy `plain`. If only one triangle is written, `half` holds it. `note` is reported to
   the caller. */
typedef struct sparse_p_described {
    const sparse_tensor *t;
    sparse_tensor half, plain;
    sparse_encoding e;
    sparse_p_scheme scheme;
    const char *note;
    bool upper; /* the stored triangle of a symmetric matrix is the upper one */
} sparse_p_described;

/* Sets *half to the lower triangle of a symmetric matrix, in the encoding of the matrix. */
SPARSE_P_COLD sparse_result sparse_p_take_half(const sparse_p_writer *w, sparse_tensor *half)
{
    const size_t size = w->t->encoding->value_size;
    sparse_encoding e;
    sparse_tensor columns;
    sparse_buffer coordinates = {NULL, 0, 0}, values = {NULL, 0, 0};
    size_t n = 0;
    SPARSE_P_TRY(sparse_p_sort_symmetric(w, &e, &columns, NULL));
    const size_t count = sparse_p_count_written(w, &columns);
    sparse_result result = sparse_p_allocate(w->t->hooks, &coordinates, 2 * count, sizeof(size_t));
    if (!result) result = sparse_p_allocate(w->t->hooks, &values, count, size);
    if (!result) SPARSE_FOREACH(c, &columns)
        {
            if (!sparse_p_is_written(w, c.dim)) continue;
            memcpy((size_t *)coordinates.at + 2 * n, c.dim, 2 * sizeof(size_t));
            memcpy((char *)values.at + n++ * size, c.value, size);
        }
    if (!result)
        result =
            sparse_pack_untyped(half, w->t->dim, count, (const size_t *)coordinates.at, values.at, SPARSE_DUPLICATES_ERROR);
    sparse_p_release(w->t->hooks, &coordinates, sizeof(size_t));
    sparse_p_release(w->t->hooks, &values, size);
    sparse_free(&columns);
    return result ? sparse_p_refuse(w, result, sparse_message(result)) : SPARSE_OK;
}

/* Changes the levels of d->e so that the specification can describe them. If it can describe the levels of the tensor
   (`has_scheme`), they only become sorted and unique. Otherwise a matrix gets CSR or CSC, any other tensor COO. */
SPARSE_P_COLD void sparse_p_choose_levels(sparse_p_described *d, bool has_scheme)
{
    sparse_encoding *const e = &d->e;
    const bool columns = e->rank == 2 && e->level[0].dim == 1;
    e->inverse = NULL;
    if (!has_scheme) {
        const uint8_t rank = e->rank;
        bool wide = sparse_p_above(d->t->val.length, UINT32_MAX);
        for (unsigned k = 0; k < rank; k++) wide = wide || sparse_p_above(d->t->dim[k], UINT32_MAX);
        e->pos_bits = e->crd_bits = wide ? 64 : 32; /* words of a bitmap, or indices in a block, may be narrower */
        memset(e->level, 0, sizeof e->level);
        sparse_p_set_row_levels(e, columns, rank != 2);
        e->rank = e->levels = rank;
        for (unsigned l = 2; l < rank; l++) {
            e->level[l] = e->level[1];
            e->level[l].dim = (uint8_t)l;
        }
        for (unsigned l = 0; l < rank && rank != 2; l++) e->level[l].properties = l + 1u < rank ? SPARSE_NONUNIQUE : 0;
        d->note = "written as CSR, CSC or COO, as the specification has no words for how it is stored";
        return;
    }
    for (unsigned l = 0; l < e->levels; l++) {
        const bool last = !sparse_p_is_listed(e, l + 1);
        e->level[l].properties &= (uint8_t)(last ? SPARSE_SOA : SPARSE_SOA | SPARSE_NONUNIQUE);
    }
    d->note = "written sorted, entries of equal coordinates added up, as the specification wants it";
}

/* Prepares d->t and d->scheme. Converts the tensor if the specification cannot describe its encoding, if the encoding
   allows unsorted or duplicate entries, or if a pattern would include the padding of a dense last level. */
SPARSE_P_COLD sparse_result sparse_p_describe(const sparse_p_writer *w, sparse_p_described *d)
{
    bool strict;
    memset(d, 0, sizeof *d);
    d->t = w->t;
    d->e = *w->t->encoding;
    d->half.encoding = w->t->encoding;
    d->plain.encoding = &d->e;
    d->half.hooks = d->plain.hooks = w->t->hooks;
    if (w->o.symmetry && w->o.stored_half) {
        sparse_encoding columns_encoding;
        sparse_tensor columns;
        d->upper = true;
        SPARSE_P_TRY(sparse_p_sort_symmetric(w, &columns_encoding, &columns, &d->upper));
        sparse_free(&columns);
    } else if (w->o.symmetry) {
        SPARSE_P_TRY(sparse_p_take_half(w, &d->half));
        d->t = &d->half;
    }
    const bool has_scheme = sparse_p_scheme_of(&d->e, &d->scheme, &strict);
    const bool pads = w->o.pattern && sparse_p_pads(&d->e);
    if (has_scheme && strict && !pads) return SPARSE_OK;
    sparse_p_choose_levels(d, has_scheme && !pads);
    if (pads) d->note = "written as CSR, CSC or COO, as a pattern has no zeros";
    (void)sparse_p_scheme_of(&d->e, &d->scheme, &strict);
    const sparse_result result = sparse_convert(&d->plain, d->t);
    d->t = &d->plain;
    return result ? sparse_p_refuse(w, result, sparse_message(result)) : SPARSE_OK;
}

/* Appends formatted text to `text`. The caller makes sure that the text is short enough. */
SPARSE_P_COLD void sparse_p_append_text(char text[2048], size_t *length, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(text + *length, 2048 - *length, format, arguments);
    va_end(arguments);
    if (n > 0) *length += (size_t)n;
}

/* Appends the format: its name if it has one, otherwise an object with its levels and its swizzle. */
SPARSE_P_COLD void sparse_p_append_scheme(const sparse_p_scheme *s, char text[2048], size_t *length)
{
    const char *name, *levels;
    bool columns;
    for (unsigned k = 0; (name = sparse_p_scheme_name(k, &levels, &columns)) != NULL; k++) {
        sparse_p_scheme known;
        sparse_p_scheme_named(&known, levels, columns);
        if (!sparse_p_same_scheme(s, &known)) continue;
        sparse_p_append_text(text, length, "\"format\": \"%s\"", name);
        return;
    }
    sparse_p_append_text(text, length, "\"format\": {\"swizzle\": [");
    for (unsigned d = 0; d < s->rank; d++) sparse_p_append_text(text, length, "%s%zu", d > 0 ? ", " : "", s->dim[d]);
    for (unsigned l = 0; l < s->levels; l++)
        sparse_p_append_text(text, length, "%s\"level\": \"%s\", \"rank\": %u", l > 0 ? ", \"subformat\": {" : "], ",
                             s->sparse[l] ? "sparse" : "dense", s->width[l]);
    sparse_p_append_text(text, length, ", \"subformat\": {\"level\": \"element\"}");
    for (unsigned l = 0; l < s->levels; l++) sparse_p_append_text(text, length, "}");
}

/* Returns the specification's name of a value type, or null if there is none. */
SPARSE_P_COLD const char *sparse_p_type_in_binsparse(sparse_kind kind)
{
    static const char *const name[] = {"int8",
                                       "int16",
                                       "int32",
                                       "int64",
                                       "uint8",
                                       "uint16",
                                       "uint32",
                                       "uint64",
                                       "float32",
                                       "float64",
                                       "complex[float32]",
                                       "complex[float64]"};
    return (size_t)kind < sizeof name / sizeof *name ? name[kind] : NULL;
}

/* Adds the descriptor to the archive. */
SPARSE_P_COLD void sparse_p_add_descriptor(const sparse_p_writer *w, const sparse_p_described *d, sparse_p_archive *z)
{
    static const char *const structure[] = {"", "symmetric", "skew_symmetric", "hermitian"};
    const sparse_encoding *const e = d->t->encoding;
    const sparse_p_scheme *const s = &d->scheme;
    const char *const values = w->o.pattern ? "uint8" : sparse_p_type_in_binsparse(e->kind);
    const bool iso = w->o.pattern || e->constant;
    char text[2048], type[12];
    size_t n = 0;
    sparse_p_append_text(text, &n, "{\"binsparse\": {\"version\": \"0.1\", ");
    sparse_p_append_scheme(s, text, &n);
    sparse_p_append_text(text, &n, ", \"shape\": [");
    for (unsigned k = 0; k < e->rank; k++) sparse_p_append_text(text, &n, "%s%zu", k > 0 ? ", " : "", d->t->dim[k]);
    sparse_p_append_text(text, &n, "], \"number_of_stored_values\": %zu, ", d->t->val.length);
    if (w->o.symmetry)
        sparse_p_append_text(text, &n, "\"structure\": \"%s_%s\", ", structure[w->o.symmetry], d->upper ? "upper" : "lower");
    if (e->fill) sparse_p_append_text(text, &n, "\"fill\": true, ");
    sparse_p_append_text(text, &n, "\"data_types\": {");
    for (unsigned l = 0, k = 0; l < s->levels; k += s->width[l++]) {
        if (!s->sparse[l]) continue;
        if (k > 0) sparse_p_append_text(text, &n, "\"pointers_to_%u\": \"uint%u\", ", k, sparse_pos_bits(e));
        for (unsigned i = k; i < k + s->width[l]; i++)
            sparse_p_append_text(text, &n, "\"indices_%u\": \"uint%u\", ", i, sparse_crd_bits(e));
    }
    if (e->fill) sparse_p_append_text(text, &n, "\"fill_value\": \"%s\", ", values);
    sparse_p_append_text(text, &n, "\"values\": \"%s%s%s\"}}}", iso ? "iso[" : "", values, iso ? "]" : "");
    snprintf(type, sizeof type, "|S%u", (unsigned)n % 10000);
    sparse_p_add_member(z, "binsparse.npy", type, NULL, 0, text, n);
}

/* Adds an array of positions or coordinates to the archive. `format` and `k` give its name. The elements are `stride`
   apart. */
SPARSE_P_COLD sparse_result sparse_p_add_integers(const sparse_p_writer *w, sparse_p_archive *z, const char *format,
                                                  unsigned k, const void *at, unsigned bits, size_t count, size_t stride)
{
    static const sparse_kind kind[] = {SPARSE_U8, SPARSE_U16, SPARSE_U32, SPARSE_U64};
    sparse_buffer own = {NULL, 0, 0};
    char type[8], name[32];
    sparse_p_type_in_numpy(kind[bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3], type);
    snprintf(name, sizeof name, format, k);
    /* The coordinates of several levels are interleaved in one array; Binsparse needs an array for each. */
    if (stride > 1) {
        SPARSE_P_TRY(sparse_p_allocate(w->t->hooks, &own, count, bits / 8));
        for (size_t i = 0; i < count; i++) sparse_store(own.at, bits, i, (size_t)sparse_p_load(at, bits, i * stride));
        at = own.at;
    }
    sparse_p_add_member(z, name, type, &count, 1, at, count * (bits / 8));
    sparse_p_release(w->t->hooks, &own, bits / 8);
    return SPARSE_OK;
}

/* Adds an array of `count` values. Real and imaginary parts of complex values are separate elements. With the option
   `pattern`, the array is a single 1. */
SPARSE_P_COLD void sparse_p_add_values(const sparse_p_writer *w, sparse_p_archive *z, const char *name, const void *at,
                                       size_t count)
{
    static const unsigned char one = 1;
    const sparse_encoding *const e = w->t->encoding;
    const size_t elements = sparse_p_is_complex(e) && !w->o.pattern ? 2 * count : count;
    char type[8];
    sparse_p_type_in_numpy(w->o.pattern ? SPARSE_U8 : sparse_p_component(e->kind), type);
    sparse_p_add_member(z, name, type, &elements, 1, w->o.pattern ? &one : at, count * (w->o.pattern ? 1 : e->value_size));
}

/* Writes the descriptor and the arrays to a zip archive or, if `hdf5` is not 0, to this HDF5 file. */
SPARSE_P_COLD sparse_result sparse_p_write_described(const sparse_p_writer *w, const sparse_p_described *d, int64_t hdf5)
{
    const sparse_tensor *const t = d->t;
    const sparse_encoding *const e = t->encoding;
    const bool iso = w->o.pattern || e->constant;
    sparse_p_archive z;
    memset(&z, 0, sizeof z);
    z.out = w->out;
    z.hdf5 = hdf5;
    sparse_p_add_descriptor(w, d, &z);
    sparse_result result = SPARSE_OK;
    for (unsigned l = 0; !result && l < e->levels; l++) {
        if (sparse_p_is_dense_level(&e->level[l])) continue;
        if (l > 0 && sparse_p_is_compressed_level(&e->level[l]))
            result =
                sparse_p_add_integers(w, &z, "pointers_to_%u.npy", l, t->pos[l].at, sparse_pos_bits(e), t->pos[l].length, 1);
        const sparse_p_column column = sparse_p_column_of(t, l);
        unsigned first = l; /* the level that owns the array, if several levels share it */
        while (sparse_p_is_aos(e, first)) first--;
        const size_t count = t->crd[first].length / column.stride;
        if (!result)
            result = sparse_p_add_integers(w, &z, "indices_%u.npy", l, column.at, sparse_crd_bits(e), count, column.stride);
    }
    if (result) return sparse_p_refuse(w, result, sparse_message(result));
    sparse_p_add_values(w, &z, "values.npy", e->constant ? e->constant : t->val.at, iso ? 1 : t->val.length);
    if (e->fill) sparse_p_add_values(w, &z, "fill_value.npy", e->fill, 1);
    #if SPARSE_HDF5
    if (hdf5) return sparse_p_end_datasets(w, &z);
    #endif
    sparse_p_end_archive(&z);
    return SPARSE_OK;
}

/* Writes a tensor as Binsparse, into a zip archive or, if `hdf5` is not 0, into this HDF5 file. */
SPARSE_P_COLD sparse_result sparse_p_write_as_binsparse(sparse_p_writer *w, int64_t hdf5)
{
    sparse_p_described d;
    if ((unsigned)w->o.symmetry > SPARSE_SYMMETRY_HERMITIAN)
        return sparse_p_refuse(w, SPARSE_E_ARGUMENT, "an unknown symmetry");
    if (!sparse_p_type_in_binsparse(w->t->encoding->kind))
        return sparse_p_refuse(w, SPARSE_E_VALUE_TYPE, "Binsparse has no such type of values");
    if (w->o.pattern && w->t->encoding->fill) return sparse_p_refuse(w, SPARSE_E_VALUE_TYPE, "a pattern has no fill value");
    sparse_result result = sparse_p_describe(w, &d);
    if (!result) result = sparse_p_write_described(w, &d, hdf5);
    if (!result && d.note) w->note = d.note;
    sparse_free(&d.half);
    sparse_free(&d.plain);
    return result;
}
SPARSE_P_COLD sparse_result sparse_p_write_binsparse(sparse_p_writer *w) { return sparse_p_write_as_binsparse(w, 0); }

    #if SPARSE_HDF5
SPARSE_P_COLD sparse_result sparse_p_write_hdf5(sparse_p_writer *w)
{
    sparse_p_hdf5_quiet quiet;
    sparse_p_begin_hdf5(&quiet);
    const hid_t file = sparse_p_hdf5_in_memory(NULL);
    const sparse_result result = file > 0 ? sparse_p_write_as_binsparse(w, (int64_t)file)
                                          : sparse_p_refuse(w, SPARSE_E_MEMORY, sparse_message(SPARSE_E_MEMORY));
    sparse_p_close_hdf5((int64_t)file);
    sparse_p_end_hdf5(&quiet);
    return result;
}
    #else
SPARSE_P_COLD sparse_result sparse_p_write_hdf5(sparse_p_writer *w)
{
    return sparse_p_refuse(w, SPARSE_E_FILE_FORMAT, "files of HDF5 are not written here: " SPARSE_P_WITHOUT_HDF5);
}
    #endif

/* Reports a format whose writer is not compiled into the program. */
SPARSE_P_COLD sparse_result sparse_p_write_absent(sparse_p_writer *w)
{
    const char *const known = sparse_p_extensions(w->o.format);
    char sentence[120];
    snprintf(sentence, sizeof sentence, SPARSE_P_WITHOUT_FORMAT, (int)strcspn(known, " "), known);
    return sparse_p_refuse(w, SPARSE_E_FILE_FORMAT, sentence);
}

/* Writes the tensor in the format of the options, which must be known. */
SPARSE_P_COLD sparse_result sparse_p_write_format(sparse_p_writer *w)
{
    #define SPARSE_P_FILE_WRITE(name, extensions, mark, tell, read, write) sparse_p_##write,
    #if SPARSE_FILES_ALL
        #define SPARSE_P_FILE_WRITE_ALL(name, extensions, mark, tell, read, write) sparse_p_##write,
    #else
        #define SPARSE_P_FILE_WRITE_ALL(name, extensions, mark, tell, read, write) sparse_p_write_absent,
    #endif
    static sparse_result (*const row[])(sparse_p_writer *
                                        w) = {NULL, SPARSE_P_FILE_FORMATS(SPARSE_P_FILE_WRITE, SPARSE_P_FILE_WRITE_ALL)};
    if (w->t->encoding->kind == SPARSE_OPAQUE ||
        (w->t->encoding->fill && w->o.format != SPARSE_FILE_BINSPARSE && w->o.format != SPARSE_FILE_HDF5))
        return sparse_p_refuse(w, SPARSE_E_VALUE_TYPE, sparse_message(SPARSE_E_VALUE_TYPE));
    if (w->o.stored_half && w->o.symmetry == SPARSE_SYMMETRY_GENERAL && w->o.format != SPARSE_FILE_METIS)
        return sparse_p_refuse(w, SPARSE_E_ARGUMENT, "the option stored_half needs a symmetry");
    errno = 0; /* errno keeps the reason of the first failure that follows */
    const sparse_result result = row[w->o.format](w);
    if (!result && (ferror(w->out) || fflush(w->out) != 0))
        return sparse_p_refuse(w, SPARSE_E_WRITE, sparse_p_system_reason(SPARSE_E_WRITE, errno).text);
    return !result && w->note ? sparse_p_refuse(w, result, w->note) : result;
}

/* Initialises a writer of `t` and checks the arguments. `format` is the format if the options do not name one; a null
   `name` stands for a missing argument of the caller. */
SPARSE_P_COLD sparse_result sparse_p_start_writing(sparse_p_writer *w, const sparse_tensor *t, const char *name,
                                                   sparse_file_format format, const sparse_write_options *options)
{
    memset(w, 0, sizeof *w);
    if (options) w->o = *options;
    w->t = t;
    w->name = name ? name : "";
    w->separator = ' ';
    w->base = w->o.zero_based ? 0 : 1;
    sparse_result result = name ? sparse_p_check_source(t) : SPARSE_E_NULL;
    if (w->o.format == SPARSE_FILE_AUTO) w->o.format = format;
    if (!result && (w->o.format <= SPARSE_FILE_AUTO || (int)w->o.format >= SPARSE_P_FILE_COUNT))
        result = SPARSE_E_FILE_FORMAT;
    return sparse_p_refuse(w, result, sparse_message(result));
}

SPARSE_API sparse_result sparse_write_stream(const sparse_tensor *t, FILE *out, const sparse_write_options *options)
{
    sparse_p_writer w;
    SPARSE_P_TRY(sparse_p_start_writing(&w, t, out ? "stream" : NULL, SPARSE_FILE_MATRIX_MARKET, options));
    if (w.o.durable) return sparse_p_refuse(&w, SPARSE_E_ARGUMENT, "only what sparse_write writes can be durable");
    w.out = out;
    return sparse_p_write_format(&w);
}

/* Compresses the file `in` from its beginning into `out`, in the format of gzip. */
SPARSE_P_COLD sparse_result sparse_p_gzip_stream(FILE *in, FILE *out, const sparse_hooks *hooks)
{
    #if SPARSE_ZLIB
    Bytef from[1 << 13], to[1 << 13];
    z_stream z;
    sparse_p_zlib_open(&z, hooks);
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return SPARSE_E_MEMORY;
    rewind(in);
    for (bool more = true; more;) {
        z.avail_in = (uInt)fread(from, 1, sizeof from, in);
        z.next_in = from;
        more = z.avail_in == sizeof from;
        do {
            z.next_out = to;
            z.avail_out = sizeof to;
            deflate(&z, more ? Z_NO_FLUSH : Z_FINISH);
            fwrite(to, 1, sizeof to - z.avail_out, out);
        } while (z.avail_out == 0);
    }
    deflateEnd(&z);
    return ferror(in) ? SPARSE_E_READ : SPARSE_OK;
    #else
    (void)in, (void)out, (void)hooks;
    return SPARSE_E_COMPRESSED_FILE;
    #endif
}

SPARSE_API sparse_result sparse_write(const sparse_tensor *t, const char *path, const sparse_write_options *options)
{
    sparse_p_writer w;
    sparse_p_file file, packed;
    sparse_result result =
        sparse_p_start_writing(&w, t, path, path ? sparse_p_extension_format(path) : SPARSE_FILE_AUTO, options);
    if ((!result || result == SPARSE_E_FILE_FORMAT) && sparse_p_is_no_file(path))
        return sparse_p_refuse(&w, SPARSE_E_OPEN,
                               "this is no file; sparse_write_stream writes to a device or a pipe that is open");
    if (result) return result;
    const bool gzip = sparse_p_is_gzip_name(path);
    if (gzip && !SPARSE_ZLIB)
        return sparse_p_refuse(&w, SPARSE_E_COMPRESSED_FILE, "to write gzip, compile with SPARSE_ZLIB 1 and link with -lz");
    if (w.o.durable && !SPARSE_P_POSIX)
        return sparse_p_refuse(&w, SPARSE_E_ARGUMENT, "files cannot be made durable on this system");
    result = sparse_p_create(&file, path, t->hooks);
    if (result) return sparse_p_refuse(&w, result, sparse_p_system_reason(result, errno).text);
    w.out = file.out;
    file.durable = w.o.durable && !gzip;
    const sparse_result written = sparse_p_write_format(&w);
    if (gzip && !written) {
        result = sparse_p_create(&packed, path, t->hooks);
        if (!result) {
            packed.durable = w.o.durable;
            result = sparse_p_complete(&packed, sparse_p_gzip_stream(file.out, packed.out, t->hooks), t->hooks);
        }
        const int number = errno;
        (void)sparse_p_complete(&file, SPARSE_E_WRITE, t->hooks); /* removes the uncompressed file */
        errno = number;
    } else {
        result = sparse_p_complete(&file, written, t->hooks);
    }
    if (!written && !result && w.note) return result;
    return written ? result : sparse_p_refuse(&w, result, sparse_p_system_reason(result, errno).text);
}

/* >>print */

/* Prints an array of positions or coordinates, for example "pos[1] : ( 0, 2, 3 )". */
static inline void sparse_p_print_indices(const char *name, size_t level, const sparse_buffer *b, unsigned bits, FILE *out)
{
    fprintf(out, "%s[%zu] : (", name, level);
    for (size_t p = 0; p < b->length; ++p) fprintf(out, "%s%zu", p > 0 ? ", " : " ", sparse_load(b->at, bits, p));
    fputs(" )\n", out);
}

/* Prints sizes, for example "dim = ( 3, 4 )". */
static inline void sparse_p_print_sizes(const char *name, const size_t size[], size_t count, FILE *out)
{
    fprintf(out, "%s = (", name);
    for (size_t k = 0; k < count; ++k) fprintf(out, "%s%zu", k > 0 ? ", " : " ", size[k]);
    fputs(" )\n", out);
}

/* Prints the stored values, for example "values : ( 5, 7 )". A complex value is printed as a pair, ( 1, 2 ). */
static inline void sparse_p_print_values(const sparse_tensor *t, FILE *out)
{
    const sparse_encoding *const e = t->encoding;
    char re[32], im[32];
    fputs("values : (", out);
    for (size_t p = 0; p < t->val.length; ++p) {
        const void *const value = sparse_p_value_at(t, p);
        sparse_p_spell(e->kind, value, 0, re);
        fputs(p > 0 ? ", " : " ", out);
        if (sparse_p_is_complex(e)) {
            sparse_p_spell(e->kind, value, 1, im);
            fprintf(out, "( %s, %s )", re, im);
        } else {
            fputs(re, out);
        }
    }
    fputs(" )\n", out);
}

SPARSE_API sparse_result sparse_print(const sparse_tensor *t, FILE *out)
{
    SPARSE_P_TRY(out != NULL ? sparse_p_check_source(t) : SPARSE_E_NULL);
    const sparse_encoding *const e = t->encoding;
    fprintf(out, "---- Sparse Tensor ----\nnse = %zu\n", sparse_entries(t));
    sparse_p_print_sizes("dim", t->dim, e->rank, out);
    sparse_p_print_sizes("lvl", t->lvl, e->levels, out);
    for (unsigned l = 0; l < e->levels; ++l) {
        if (sparse_p_has_pos(&e->level[l])) sparse_p_print_indices("pos", l, &t->pos[l], sparse_pos_bits(e), out);
        if (sparse_p_has_crd(&e->level[l]) && !sparse_p_is_aos(e, l))
            sparse_p_print_indices("crd", l, &t->crd[l], sparse_crd_bits(e), out);
    }
    sparse_p_print_values(t, out);
    fputs("----\n", out);
    return fflush(out) != 0 || ferror(out) ? SPARSE_E_WRITE : SPARSE_OK;
}

/* A tensor of at most SPARSE_P_GRID_WHOLE elements is printed completely. Of a larger one, only the first and last
   SPARSE_P_GRID_EDGE coordinates of each dimension are printed. */
enum { SPARSE_P_GRID_WHOLE = 1000, SPARSE_P_GRID_EDGE = 3 };

/* The elements that sparse_print_grid prints, in row-major order. If the tensor is large, the grid has only the first and
   last SPARSE_P_GRID_EDGE coordinates of each dimension, with dots between them. */
typedef struct sparse_p_grid_of {
    const sparse_tensor *tensor;
    bool whole;                    /* every dimension is printed completely */
    size_t shown[SPARSE_MAX_RANK]; /* how many coordinates of each dimension are printed */
    sparse_buffer values;
    bool *taken; /* for each printed element: has an entry been found for it? */
    sparse_buffer marks;
    size_t width; /* length of the longest number */
} sparse_p_grid_of;

/* Is coordinate `i` of dimension `d` printed? If so, *n becomes its index among the printed coordinates. */
static inline bool sparse_p_grid_at(const sparse_p_grid_of *g, unsigned d, size_t i, size_t *n)
{
    const size_t size = g->tensor->dim[d], hidden = size - g->shown[d];
    *n = hidden == 0 || i < SPARSE_P_GRID_EDGE ? i : i - hidden;
    return hidden == 0 || i < SPARSE_P_GRID_EDGE || i >= size - SPARSE_P_GRID_EDGE;
}

/* Chooses the coordinates to print, and initialises their elements to the fill value. */
static inline sparse_result sparse_p_grid_begin(sparse_p_grid_of *g, const sparse_tensor *t)
{
    const sparse_encoding *const e = t->encoding;
    size_t volume = 0, count = 1;
    memset(g, 0, sizeof *g);
    g->tensor = t;
    g->whole = sparse_p_volume(e->rank, t->dim, &volume) == SPARSE_OK && volume <= SPARSE_P_GRID_WHOLE;
    for (unsigned d = 0; d < e->rank; ++d) {
        g->shown[d] = g->whole ? t->dim[d] : sparse_p_min(t->dim[d], 2 * SPARSE_P_GRID_EDGE);
        count *= g->shown[d];
    }
    SPARSE_P_TRY(sparse_p_allocate(t->hooks, &g->values, count, e->value_size));
    const sparse_result result = sparse_p_allocate(t->hooks, &g->marks, count, sizeof(bool));
    if (result) sparse_p_release(t->hooks, &g->values, e->value_size);
    if (result || count == 0) return result;
    sparse_p_put_fill(e, g->values.at, count);
    memset(g->marks.at, 0, count * sizeof(bool));
    g->taken = (bool *)g->marks.at;
    return SPARSE_OK;
}

/* Copies the entries at printed coordinates into the grid. Values of duplicate entries are added. */
static inline void sparse_p_grid_collect(sparse_p_grid_of *g)
{
    const sparse_encoding *const e = g->tensor->encoding;
    SPARSE_FOREACH(c, g->tensor)
    {
        size_t k = 0, n = 0;
        bool shown = true;
        for (unsigned d = 0; d < e->rank && shown; ++d) {
            shown = sparse_p_grid_at(g, d, c.dim[d], &n);
            k = k * g->shown[d] + n;
        }
        if (!shown) continue;
        char *const at = (char *)g->values.at + k * e->value_size;
        if (g->taken[k] && e->kind != SPARSE_OPAQUE)
            sparse_p_sum(at, c.value, (void *)e);
        else
            memcpy(at, c.value, e->value_size);
        g->taken[k] = true;
    }
}

/* Spells an element into `text`; complex numbers look as in NumPy: 1+2j. */
static inline void sparse_p_grid_spell(const sparse_encoding *e, const void *value, char text[72])
{
    char part[32];
    sparse_p_spell(e->kind, value, 0, text);
    if (!sparse_p_is_complex(e)) return;
    sparse_p_spell(e->kind, value, 1, part);
    snprintf(text + strlen(text), 40, "%s%sj", part[0] == '-' ? "" : "+", part);
}

/* Sets g->width to the length of the longest number, so that all columns have the same width. */
static inline void sparse_p_grid_measure(sparse_p_grid_of *g)
{
    const sparse_encoding *const e = g->tensor->encoding;
    char text[72];
    for (size_t k = 0; k < g->values.length; ++k) {
        sparse_p_grid_spell(e, (const char *)g->values.at + k * e->value_size, text);
        g->width = sparse_p_max(g->width, strlen(text));
    }
}

/* Prints the separator between two neighbouring parts of dimension `d`. In the last dimension this is a blank. In the
   others it ends the line, adds empty lines between matrices, and indents the next line below the open brackets. */
static inline void sparse_p_grid_separate(const sparse_p_grid_of *g, unsigned d, FILE *out)
{
    const unsigned rank = g->tensor->encoding->rank;
    for (unsigned k = d + 1; k < rank; ++k) putc('\n', out);
    for (unsigned k = 0; k <= (d + 1 < rank ? d : 0); ++k) putc(' ', out);
}

/* Prints dimension `d` and all inner dimensions in brackets. `first` is the index of the printed part among all parts of
   the outer dimensions. */
static inline void sparse_p_grid_print(const sparse_p_grid_of *g, unsigned d, size_t first, FILE *out)
{
    const sparse_encoding *const e = g->tensor->encoding;
    char text[72];
    if (d == e->rank) {
        sparse_p_grid_spell(e, (const char *)g->values.at + first * e->value_size, text);
        fprintf(out, "%*s", (int)g->width, text);
        return;
    }
    putc('[', out);
    for (size_t n = 0; n < g->shown[d]; ++n) {
        if (n > 0) sparse_p_grid_separate(g, d, out);
        if (n == SPARSE_P_GRID_EDGE && g->shown[d] < g->tensor->dim[d]) {
            fputs("...", out);
            sparse_p_grid_separate(g, d, out);
        }
        sparse_p_grid_print(g, d + 1, first * g->shown[d] + n, out);
    }
    putc(']', out);
}

SPARSE_API sparse_result sparse_print_grid(const sparse_tensor *t, FILE *out)
{
    sparse_p_grid_of g;
    SPARSE_P_TRY(out != NULL ? sparse_p_check_source(t) : SPARSE_E_NULL);
    SPARSE_P_TRY(sparse_p_grid_begin(&g, t));
    sparse_p_grid_collect(&g);
    sparse_p_grid_measure(&g);
    sparse_p_grid_print(&g, 0, 0, out);
    putc('\n', out);
    sparse_p_release(t->hooks, &g.values, t->encoding->value_size);
    sparse_p_release(t->hooks, &g.marks, sizeof(bool));
    return fflush(out) != 0 || ferror(out) ? SPARSE_E_WRITE : SPARSE_OK;
}

/* >>spelling
   A parser for encodings as text. It works by recursive descent: a function sparse_p_demand... reads one construct. If
   the construct is missing, the function stores what it expects in `wrong` and returns false; the message becomes "... is
   expected, not ...". The comment on such a function shows an example of the text that it reads. */
typedef struct sparse_p_spelling {
    const char *text, *at; /* at: the next word or sign to read */
    const char *wrong;     /* what is expected at `at`; null if there is no error */
    bool told;             /* `wrong` is the complete message, not only the expected construct */
    sparse_encoding made;
    uint8_t other[SPARSE_MAX_LEVELS]; /* for a level j - i: the dimension that is subtracted */
    struct sparse_p_word {
        const char *at;
        size_t length;
    } dim[SPARSE_MAX_RANK]; /* the names of the dimensions */
} sparse_p_spelling;

/* Two kinds of error: sparse_p_missing stores the construct that is expected at s->at, sparse_p_forbidden stores a
   complete message. Both return false. */
SPARSE_P_COLD bool sparse_p_missing(sparse_p_spelling *s, const char *what)
{
    s->wrong = what;
    return false;
}
SPARSE_P_COLD bool sparse_p_forbidden(sparse_p_spelling *s, const char *sentence)
{
    s->told = true;
    return sparse_p_missing(s, sentence);
}

static inline bool sparse_p_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* The length of the name that begins at `at`; 0 if no name begins there. */
SPARSE_P_COLD size_t sparse_p_word_length(const char *at)
{
    size_t n = 0;
    while (sparse_p_is_letter(at[n]) || (n > 0 && sparse_p_is_digit(at[n]))) n++;
    return n;
}

/* Advances by `count` characters, and past the white space that follows. */
SPARSE_P_COLD void sparse_p_go_on(sparse_p_spelling *s, size_t count)
{
    s->at += count;
    while (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r') s->at++;
}

/* If the next word or sign is `wanted`, reads it and returns true. */
SPARSE_P_COLD bool sparse_p_accept(sparse_p_spelling *s, const char *wanted)
{
    const size_t length = strlen(wanted), whole = sparse_p_word_length(s->at);
    if (strncmp(s->at, wanted, length) != 0 || (whole > 0 && whole != length)) return false;
    sparse_p_go_on(s, length);
    return true;
}

/* sparse_p_accept for a sign that must follow; `what` is the construct for sparse_p_missing. */
SPARSE_P_COLD bool sparse_p_demand(sparse_p_spelling *s, const char *sign, const char *what)
{
    return sparse_p_accept(s, sign) || sparse_p_missing(s, what);
}

/* Reads a number from `least` to `most`. */
SPARSE_P_COLD bool sparse_p_demand_size(sparse_p_spelling *s, uint32_t least, uint32_t most, uint32_t *size)
{
    uint64_t number = 0;
    size_t n = 0;
    for (; sparse_p_is_digit(s->at[n]) && number <= most; n++) number = 10 * number + (uint64_t)(s->at[n] - '0');
    if (n == 0) return sparse_p_missing(s, "a number");
    if (number > most) return sparse_p_forbidden(s, "the number is too large");
    if (number < least) return sparse_p_forbidden(s, "the number is too small");
    *size = (uint32_t)number;
    sparse_p_go_on(s, n);
    return true;
}

/* Which dimension does the next word name? The result is the rank if the word names none. */
SPARSE_P_COLD unsigned sparse_p_named_dim(const sparse_p_spelling *s)
{
    const size_t length = sparse_p_word_length(s->at);
    unsigned d = 0;
    while (d < s->made.rank && (s->dim[d].length != length || memcmp(s->dim[d].at, s->at, length) != 0)) d++;
    return d;
}

/* Reads the name of a dimension; *d becomes its number. */
SPARSE_P_COLD bool sparse_p_demand_dim(sparse_p_spelling *s, unsigned *d)
{
    *d = sparse_p_named_dim(s);
    if (*d == s->made.rank) return sparse_p_missing(s, "a dimension of the left side");
    sparse_p_go_on(s, s->dim[*d].length);
    return true;
}

/* Reads the names of the dimensions: (i, j) */
SPARSE_P_COLD bool sparse_p_demand_dims(sparse_p_spelling *s)
{
    if (!sparse_p_demand(s, "(", "a parenthesis before the dimensions")) return false;
    do {
        const size_t length = sparse_p_word_length(s->at);
        if (length == 0) return sparse_p_missing(s, "the name of a dimension");
        if (s->made.rank == SPARSE_MAX_RANK) return sparse_p_forbidden(s, "a tensor has at most 8 dimensions");
        if (sparse_p_named_dim(s) < s->made.rank) return sparse_p_forbidden(s, "the dimension is named twice");
        s->dim[s->made.rank].at = s->at;
        s->dim[s->made.rank++].length = length;
        sparse_p_go_on(s, length);
    } while (sparse_p_accept(s, ","));
    return sparse_p_demand(s, ")", "a comma or a parenthesis after the dimension");
}

/* Reads what a level stores: i, i floordiv 2, i mod 2, i count 2, j - i */
SPARSE_P_COLD bool sparse_p_demand_part(sparse_p_spelling *s, sparse_level *v, uint8_t *other)
{
    unsigned d = 0;
    if (!sparse_p_demand_dim(s, &d)) return false;
    v->dim = (uint8_t)d;
    v->map = sparse_p_accept(s, "floordiv") ? SPARSE_MAP_FLOORDIV
             : sparse_p_accept(s, "mod")    ? SPARSE_MAP_MOD
             : sparse_p_accept(s, "count")  ? SPARSE_MAP_COUNT
             : sparse_p_accept(s, "-")      ? SPARSE_MAP_MINUS
                                            : SPARSE_MAP_DIM;
    if (v->map == SPARSE_MAP_DIM) return true;
    if (v->map != SPARSE_MAP_MINUS) return sparse_p_demand_size(s, 1, UINT32_MAX, &v->c);
    if (!sparse_p_demand_dim(s, &d)) return false;
    *other = (uint8_t)d;
    return true;
}

/* Reads what a level stores, in a descriptor: i, floordiv(i, 2), mod(i, 2), count(i, 2), minus(j, i) */
SPARSE_P_COLD bool sparse_p_demand_call(sparse_p_spelling *s, sparse_level *v, uint8_t *other)
{
    static const char *const word[] = {"floordiv", "mod", "count", "minus"};
    static const sparse_map map[] = {SPARSE_MAP_FLOORDIV, SPARSE_MAP_MOD, SPARSE_MAP_COUNT, SPARSE_MAP_MINUS};
    unsigned d = 0, k = 0;
    while (k < 4 && !sparse_p_accept(s, word[k])) k++;
    if (k < 4 && !sparse_p_demand(s, "(", "a parenthesis before the dimension")) return false;
    if (!sparse_p_demand_dim(s, &d)) return false;
    v->dim = (uint8_t)d;
    v->map = (uint8_t)(k < 4 ? map[k] : SPARSE_MAP_DIM);
    if (k == 4) return true;
    if (!sparse_p_demand(s, ",", "a comma after the dimension")) return false;
    if (v->map != SPARSE_MAP_MINUS && !sparse_p_demand_size(s, 1, UINT32_MAX, &v->c)) return false;
    if (v->map == SPARSE_MAP_MINUS && !sparse_p_demand_dim(s, &d)) return false;
    *other = (uint8_t)d;
    return sparse_p_demand(s, ")", "a parenthesis after what the level stores");
}

/* Reads the rest of the numbers of a level type, behind the opening bracket: [2, 4] or (4) */
SPARSE_P_COLD bool sparse_p_demand_numbers(sparse_p_spelling *s, sparse_level *v)
{
    uint32_t n = 0, m = 0;
    if (!sparse_p_demand_size(s, 0, UINT16_MAX, &n)) return false;
    if (sparse_p_accept(s, ",") && !sparse_p_demand_size(s, 0, UINT16_MAX, &m)) return false;
    v->n = (uint16_t)n;
    v->m = (uint16_t)m;
    return sparse_p_accept(s, "]") || sparse_p_demand(s, ")", "a parenthesis after the numbers of the level type");
}

/* Reads the properties of a level, behind the opening parenthesis: nonunique, nonordered) */
SPARSE_P_COLD bool sparse_p_demand_properties(sparse_p_spelling *s, sparse_level *v)
{
    do {
        const unsigned property = sparse_p_accept(s, "nonunique")    ? SPARSE_NONUNIQUE
                                  : sparse_p_accept(s, "nonordered") ? SPARSE_NONORDERED
                                  : sparse_p_accept(s, "soa")        ? SPARSE_SOA
                                                                     : 0;
        if (property == 0) return sparse_p_missing(s, "a property, which is nonunique, nonordered or soa,");
        v->properties = (uint8_t)(v->properties | property);
    } while (sparse_p_accept(s, ","));
    return sparse_p_demand(s, ")", "a comma or a parenthesis after the property");
}

    #define SPARSE_P_LEVEL_NAME(NAME, name, traits) #name,
static const char *const sparse_p_level_names[] = {SPARSE_LEVELS(SPARSE_P_LEVEL_NAME)};
    #undef SPARSE_P_LEVEL_NAME

/* Reads a level type with its numbers and properties: dense, compressed(nonunique), structured[2, 4], packed[2, 4],
   delta(4) */
SPARSE_P_COLD bool sparse_p_demand_type(sparse_p_spelling *s, sparse_level *v)
{
    unsigned type = 0;
    while (type < SPARSE_P_FORMATS && !sparse_p_accept(s, sparse_p_level_names[type])) type++;
    if (type == SPARSE_P_FORMATS) return sparse_p_missing(s, "a level type, such as dense or compressed,");
    v->type = (uint8_t)type;
    if (sparse_p_accept(s, "[")) return sparse_p_demand_numbers(s, v);
    if (!sparse_p_accept(s, "(")) return true;
    if (!sparse_p_is_digit(*s->at)) return sparse_p_demand_properties(s, v);
    return sparse_p_demand_numbers(s, v) && (!sparse_p_accept(s, "(") || sparse_p_demand_properties(s, v));
}

/* Reads a level: i : dense; in a descriptor: (dense, i). A level j - i must be followed by a level that stores i. */
SPARSE_P_COLD bool sparse_p_demand_level(sparse_p_spelling *s, bool descriptor)
{
    if (s->made.levels == SPARSE_MAX_LEVELS) return sparse_p_forbidden(s, "an encoding has at most 8 levels");
    const unsigned l = s->made.levels++;
    sparse_level *const v = &s->made.level[l];
    const char *at = s->at;
    if (descriptor) {
        if (!sparse_p_demand(s, "(", "a parenthesis before the level")) return false;
        if (!sparse_p_demand_type(s, v)) return false;
        if (!sparse_p_demand(s, ",", "a comma between the type of a level and what it stores")) return false;
        at = s->at;
    }
    if (!(descriptor ? sparse_p_demand_call(s, v, &s->other[l]) : sparse_p_demand_part(s, v, &s->other[l]))) return false;
    if (l > 0 && v[-1].map == SPARSE_MAP_MINUS && s->other[l - 1] != v->dim) {
        s->at = at;
        return sparse_p_forbidden(s, "after a difference, the next level stores the dimension that is subtracted");
    }
    if (descriptor) return sparse_p_demand(s, ")", "a parenthesis after the level");
    return sparse_p_demand(s, ":", "a colon between what a level stores and its type") && sparse_p_demand_type(s, v);
}

/* Reads a map from dimensions to levels: (i, j) -> (i : dense, j : compressed) */
SPARSE_P_COLD bool sparse_p_demand_map(sparse_p_spelling *s)
{
    if (!sparse_p_demand_dims(s)) return false;
    if (!sparse_p_demand(s, "->", "-> between dimensions and levels")) return false;
    if (!sparse_p_demand(s, "(", "a parenthesis before the levels")) return false;
    do
        if (!sparse_p_demand_level(s, false)) return false;
    while (sparse_p_accept(s, ","));
    return sparse_p_demand(s, ")", "a comma or a parenthesis after the level");
}

/* Reads a descriptor, which is how macros such as SPARSE_CSR spell an encoding: ((i, j), (dense, i), (compressed, j)) */
SPARSE_P_COLD bool sparse_p_demand_descriptor(sparse_p_spelling *s)
{
    sparse_p_go_on(s, 1);
    if (!sparse_p_demand_dims(s)) return false;
    if (!sparse_p_demand(s, ",", "a comma between dimensions and levels")) return false;
    do
        if (!sparse_p_demand_level(s, true)) return false;
    while (sparse_p_accept(s, ","));
    return sparse_p_demand(s, ")", "a comma or a parenthesis after the level");
}

    #define SPARSE_P_ENCODING_ROW(name, encoding) {name, #encoding, SPARSE_P_SPELLED(encoding)},
    #define SPARSE_P_SPELLED(...)                 SPARSE_P_SPELLED_(__VA_ARGS__)
    #define SPARSE_P_SPELLED_(...)                #__VA_ARGS__
static const struct sparse_p_named {
    const char *name, *macro, *levels;
} sparse_p_named[] = {SPARSE_ENCODINGS(SPARSE_P_ENCODING_ROW)};
    #undef SPARSE_P_ENCODING_ROW
    #undef SPARSE_P_SPELLED
    #undef SPARSE_P_SPELLED_

/* Does a word match the name of an encoding? Each # in `name` stands for a size. The word can contain the sizes (bsr2x3),
   or end where the first size would begin (bsr). Then the sizes are 2, unless sizes in parentheses follow (`called`). */
SPARSE_P_COLD bool sparse_p_is_named(const char *word, size_t length, bool called, const char *name, uint32_t size[2])
{
    const char *const end = word + length;
    unsigned count = 0;
    size[0] = size[1] = 2;
    for (; *name != '\0'; name++) {
        uint64_t number = 0;
        if (word == end) return *name == '#' && count == 0 && length > 1;
        if (*name != '#' && sparse_p_lower(*word++) != *name) return false;
        if (*name != '#') continue;
        for (; word < end && sparse_p_is_digit(*word); word++)
            if (number <= UINT32_MAX) number = 10 * number + (uint64_t)(*word - '0');
        size[count++] = number <= UINT32_MAX ? (uint32_t)number : 0;
    }
    return word == end && !called;
}

/* Copies the descriptor of a named encoding to `to`, with numbers in place of the parameters, which are upper-case
   letters. size[0] replaces the first parameter of the macro: R in SPARSE_BSR(R, C). */
SPARSE_P_COLD void sparse_p_put_descriptor(const struct sparse_p_named *named, const uint32_t size[2], char *to)
{
    const char *const list = strchr(named->macro, '(');
    for (const char *from = named->levels; *from != '\0'; from++)
        if (list && *from >= 'A' && *from <= 'Z')
            to += snprintf(to, 11, "%lu", (unsigned long)size[list[1] != *from]);
        else
            *to++ = *from;
    *to = '\0';
}

/* Reads the name of an encoding, with its sizes: bsr2x3, bsr(2, 3) */
SPARSE_P_COLD bool sparse_p_demand_name(sparse_p_spelling *s)
{
    const char *const word = s->at;
    const size_t length = sparse_p_word_length(word), rows = sizeof sparse_p_named / sizeof *sparse_p_named;
    uint32_t size[2] = {0, 0};
    char descriptor[600];
    sparse_p_spelling inner;
    size_t n = 0;
    sparse_p_go_on(s, length);
    const bool called = *s->at == '(';
    while (n < rows && !sparse_p_is_named(word, length, called, sparse_p_named[n].name, size)) n++;
    if (n == rows || length == 0) {
        s->at = word;
        return sparse_p_missing(s, "the name of an encoding, or a parenthesis before the dimensions,");
    }
    const char *hash = called ? strchr(sparse_p_named[n].name, '#') : NULL;
    for (unsigned k = 0; hash; hash = strchr(hash + 1, '#'), k++) {
        if (!sparse_p_demand(s, k == 0 ? "(" : ",", "a comma between the sizes")) return false;
        if (!sparse_p_demand_size(s, 1, UINT32_MAX, &size[k])) return false;
    }
    if (called && !sparse_p_demand(s, ")", "a parenthesis after the sizes")) return false;
    sparse_p_put_descriptor(&sparse_p_named[n], size, descriptor);
    memset(&inner, 0, sizeof inner);
    inner.at = descriptor;
    inner.made = s->made;
    if (size[0] == 0 || size[1] == 0) {
        s->at = word;
        return sparse_p_forbidden(s, "the number is too small");
    }
    const bool good = sparse_p_demand_descriptor(&inner);
    if (!good) s->at = word, s->wrong = inner.wrong, s->told = inner.told;
    s->made = inner.made;
    return good;
}

/* Reads the widths that may follow an encoding: , posWidth = 32, crdWidth = 16 */
SPARSE_P_COLD bool sparse_p_demand_widths(sparse_p_spelling *s)
{
    while (sparse_p_accept(s, ",")) {
        uint32_t bits = 0;
        const bool pos = sparse_p_accept(s, "posWidth");
        if (!pos && !sparse_p_accept(s, "crdWidth")) return sparse_p_missing(s, "posWidth or crdWidth");
        if (!sparse_p_demand(s, "=", "an = after the name of the width")) return false;
        if (!sparse_p_demand_size(s, 0, 64, &bits)) return false;
        *(pos ? &s->made.pos_bits : &s->made.crd_bits) = (uint8_t)bits;
    }
    return *s->at == '\0' || sparse_p_missing(s, "the end of the encoding");
}

/* Reports the error with its line and column. */
SPARSE_P_COLD sparse_result sparse_p_tell_spelling(const sparse_p_spelling *s, sparse_io_error *error)
{
    char sentence[200];
    size_t line = 1, column = 1, length = sparse_p_word_length(s->at);
    for (const char *at = s->text; at < s->at; at++) {
        column = *at == '\n' ? 1 : column + 1;
        line += *at == '\n';
    }
    if (length == 0) length = *s->at != '\0';
    if (s->told)
        snprintf(sentence, sizeof sentence, "%s", s->wrong);
    else if (length == 0)
        snprintf(sentence, sizeof sentence, "%s is expected, not the end", s->wrong);
    else
        snprintf(sentence, sizeof sentence, "%s is expected, not \"%.*s\"", s->wrong, length < 40 ? (int)length : 40, s->at);
    return sparse_p_tell(error, SPARSE_E_ARGUMENT, "encoding", line, column, sentence);
}

SPARSE_API sparse_result sparse_parse_encoding(const char *text, sparse_encoding *encoding, sparse_io_error *error)
{
    sparse_p_spelling s;
    memset(&s, 0, sizeof s);
    if (!text || !encoding) return sparse_p_tell(error, SPARSE_E_NULL, "encoding", 0, 0, sparse_message(SPARSE_E_NULL));
    s.text = s.at = text;
    s.made = *encoding;
    s.made.rank = s.made.levels = 0;
    s.made.inverse = NULL;
    memset(s.made.level, 0, sizeof s.made.level);
    sparse_p_go_on(&s, 0);
    const char *const first = s.at + (*s.at == '(');
    const bool descriptor = *s.at == '(' && first[strspn(first, " \t\n\r")] == '(';
    if (!(descriptor     ? sparse_p_demand_descriptor(&s)
          : *s.at == '(' ? sparse_p_demand_map(&s)
                         : sparse_p_demand_name(&s)) ||
        !sparse_p_demand_widths(&s))
        return sparse_p_tell_spelling(&s, error);
    const sparse_result result = sparse_encoding_check(&s.made);
    if (!result) *encoding = s.made;
    return sparse_p_tell(error, result, "encoding", result != SPARSE_OK, result != SPARSE_OK, sparse_message(result));
}

/* Prints a level, for example: i floordiv 2 : compressed(nonunique) */
SPARSE_P_COLD void sparse_p_print_level(const sparse_level *v, FILE *out)
{
    static const char letter[] = "ijklmnop";
    static const char *const between[] = {"", " floordiv ", " mod ", " count "}, *const property[] = {"nonunique",
                                                                                                      "nonordered", "soa"};
    fputc(letter[v->dim], out);
    if (v->map == SPARSE_MAP_MINUS)
        fprintf(out, " - %c", letter[v[1].dim]);
    else if (v->map != SPARSE_MAP_DIM)
        fprintf(out, "%s%lu", between[v->map], (unsigned long)v->c);
    fprintf(out, " : %s", sparse_p_level_names[v->type]);
    if (v->m > 0)
        fprintf(out, "[%u, %u]", (unsigned)v->n, (unsigned)v->m);
    else if (v->n > 0)
        fprintf(out, "(%u)", (unsigned)v->n);
    unsigned count = 0;
    for (unsigned k = 0; k < 3; ++k)
        if (v->properties >> k & 1) fprintf(out, "%s%s", count++ > 0 ? ", " : "(", property[k]);
    if (count > 0) fputc(')', out);
}

SPARSE_API sparse_result sparse_print_encoding(const sparse_encoding *encoding, FILE *out)
{
    if (!encoding || !out) return SPARSE_E_NULL;
    SPARSE_P_TRY(sparse_encoding_check(encoding));
    for (unsigned d = 0; d < encoding->rank; ++d) fprintf(out, "%s%c", d > 0 ? ", " : "(", "ijklmnop"[d]);
    fputs(") -> ", out);
    for (unsigned l = 0; l < encoding->levels; ++l) {
        fputs(l > 0 ? ", " : "(", out);
        sparse_p_print_level(&encoding->level[l], out);
    }
    fprintf(out, "), posWidth = %u, crdWidth = %u", (unsigned)encoding->pos_bits, (unsigned)encoding->crd_bits);
    return fflush(out) != 0 || ferror(out) ? SPARSE_E_WRITE : SPARSE_OK;
}

/* >>pictures
   SVG pictures of tensors. Their colours are blue and orange, which colour-blind readers can distinguish. The background
   is white or, if the reader's system is in dark mode, black. Lengths are in pixels. */

/* The largest number of cells of a picture per dimension; how many shades the colours have, without the one of zeros. */
enum { SPARSE_P_SPY_CELLS = 256, SPARSE_P_SPY_SHADES = 8 };

/* Writes a name as the text of an SVG element: without control characters, and with <, > and & as references. */
SPARSE_P_COLD void sparse_p_put_xml(FILE *out, const char *name)
{
    for (; *name != '\0'; name++)
        if (*name == '<' || *name == '>' || *name == '&')
            fputs(*name == '<' ? "&lt;" : *name == '>' ? "&gt;" : "&amp;", out);
        else if ((unsigned char)*name >= ' ')
            fputc(*name, out);
}

/* Writes the beginning of a picture: its size, the style sheet, and its title up to the name. CSS classes: a is blue, b
   is orange, c is grey for stored zeros, g draws lines, p is the background; n contains the boxes of a tree, which are
   white unless they belong to a or b. */
SPARSE_P_COLD void sparse_p_open_picture(FILE *out, const char *name, size_t width, size_t height)
{
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%zu' height='%zu' viewBox='0 0 %zu %zu'>\n"
            "<style>text{font:12px sans-serif;fill:#222}.m{text-anchor:middle}.e{text-anchor:end}.q{fill:#555}"
            ".p{fill:#fff}.a{fill:#0072b2}.b{fill:#d55e00}.c{fill:#ddd}.g{fill:none;stroke:#888}"
            ".n rect{fill:#fff;stroke:#888}.n .a{fill:#e3f0f8;stroke:#0072b2}.n .b{fill:#fbeadf;stroke:#d55e00}"
            "@media(prefers-color-scheme:dark){text{fill:#ddd}.q{fill:#aaa}.p{fill:#15181c}.a{fill:#56b4e9}.b{fill:#f0915a}"
            ".c{fill:#3a4047}.g{stroke:#888}.n rect{fill:#15181c;stroke:#888}.n .a{fill:#12324a;stroke:#56b4e9}"
            ".n .b{fill:#43260f;stroke:#f0915a}}</style>\n"
            "<rect class='p' width='%zu' height='%zu'/>\n",
            width, height, width, height, width, height);
    fputs("<text x='8' y='18'>", out);
    sparse_p_put_xml(out, name != NULL ? name : "tensor");
    fputs(": ", out);
}

/* A picture of a matrix, divided into cells of side[0] rows and side[1] columns. If cells have more than one element,
   `nonzeros` holds the number of nonzeros of each cell. If each cell is one element, `nonzeros` holds its shade: 1 to 4
   for a positive number, 5 to 8 for a negative number, 9 for a stored zero, 0 if nothing is stored. The strongest shade
   (1 or 5) stands for magnitudes from `order`, the order of magnitude of the largest element. The limits of the next two
   shades are a tenth and a hundredth of `order`. All smaller magnitudes have the weakest shade. */
typedef struct sparse_p_spy {
    size_t side[2], cells[2];
    sparse_buffer nonzeros;
    size_t most, entries, zeros;         /* the largest number in `nonzeros`; the numbers of entries and of stored zeros */
    size_t scale;                        /* width and height of a cell in pixels */
    bool elements;                       /* each cell is one element */
    double order;                        /* the largest power of ten up to the largest magnitude; 0 if all are 0 */
    bool shown[SPARSE_P_SPY_SHADES + 2]; /* which shades occur */
} sparse_p_spy;

/* The magnitude of a value. For a complex value, the function returns the magnitude of the larger part; for an opaque
   value, 0. */
SPARSE_P_COLD double sparse_p_spy_magnitude(const sparse_encoding *e, const void *value)
{
    const sparse_kind part = sparse_p_component(e->kind);
    const double re = sparse_p_real(part, value);
    const double im = sparse_p_is_complex(e) ? sparse_p_real(part, (const char *)value + sparse_p_kind_size(part)) : 0;
    const double a = re < 0 ? -re : re, b = im < 0 ? -im : im;
    return a >= b ? a : b > a ? b : a + b; /* a + b if one of them is NaN, so that the result is NaN */
}

/* Sets s->order to the largest power of ten that is at most the largest finite magnitude. */
SPARSE_P_COLD void sparse_p_spy_order(sparse_p_spy *s, const sparse_tensor *t)
{
    double largest = 0, order = 1;
    SPARSE_FOREACH(c, t)
    {
        const double magnitude = sparse_p_spy_magnitude(t->encoding, c.value);
        if (magnitude > largest && magnitude <= DBL_MAX) largest = magnitude;
    }
    while (order <= largest / 10) order *= 10;
    while (order > largest && largest > 0) order /= 10;
    s->order = largest > 0 ? order : 0;
}

/* The shade of an element. Complex and opaque values have the shades of positive numbers; infinities and NaN have the
   strongest shade. */
SPARSE_P_COLD size_t sparse_p_spy_element(const sparse_p_spy *s, const sparse_encoding *e, const void *value)
{
    const double magnitude = sparse_p_spy_magnitude(e, value);
    size_t weaker = 0;
    char text[32];
    if (sparse_p_is_fill(e, value)) return SPARSE_P_SPY_SHADES + 1;
    for (double least = s->order; weaker < 3 && magnitude < least; least /= 10) ++weaker;
    if (sparse_p_is_complex(e) || e->kind == SPARSE_OPAQUE) return 1 + weaker;
    sparse_p_spell(e->kind, value, 0, text);
    return (text[0] == '-' ? 5 : 1) + weaker;
}

/* The shade of a cell, given its number in `nonzeros`. If cells have several elements, the shade grows with the logarithm
   of the number of nonzeros: 0 for none, SPARSE_P_SPY_SHADES for the cells with most. If cells are elements, the number
   is the shade. */
SPARSE_P_COLD unsigned sparse_p_spy_shade(const sparse_p_spy *s, size_t nonzeros)
{
    const unsigned width = sparse_p_width(nonzeros), most = sparse_p_width(s->most);
    if (s->elements) return (unsigned)nonzeros;
    return width == 0 ? 0 : 1 + (width - 1) * (SPARSE_P_SPY_SHADES - 1u) / (most > 1 ? most - 1 : 1);
}

/* Divides the matrix into at most SPARSE_P_SPY_CELLS cells per dimension, and computes the number or shade of each cell. */
SPARSE_P_COLD sparse_result sparse_p_spy_count(sparse_p_spy *s, const sparse_tensor *t)
{
    memset(s, 0, sizeof *s);
    for (int d = 0; d < 2; ++d) s->side[d] = t->dim[d] > 0 ? (t->dim[d] - 1) / SPARSE_P_SPY_CELLS + 1 : 1;
    /* Make the cells square, so that the picture keeps the proportions of the matrix. If one dimension is more than about
       eight times the other, that would leave too few cells in the shorter one. */
    for (int d = 0; d < 2; ++d)
        if (s->side[d] < s->side[!d] && s->side[d] >= s->side[!d] / 8) s->side[d] = s->side[!d];
    for (int d = 0; d < 2; ++d) s->cells[d] = t->dim[d] > 0 ? (t->dim[d] - 1) / s->side[d] + 1 : 0;
    const size_t longer = s->cells[0] > s->cells[1] ? s->cells[0] : s->cells[1];
    s->scale = longer > 21 ? 512 / longer : 24;
    s->elements = s->side[0] == 1 && s->side[1] == 1;
    SPARSE_P_TRY(sparse_p_allocate(t->hooks, &s->nonzeros, s->cells[0] * s->cells[1], sizeof(size_t)));
    size_t *const nonzeros = (size_t *)s->nonzeros.at;
    for (size_t cell = 0; cell < s->nonzeros.length; ++cell) nonzeros[cell] = 0;
    if (s->elements) sparse_p_spy_order(s, t);
    SPARSE_FOREACH(c, t)
    {
        size_t *const cell = &nonzeros[c.dim[0] / s->side[0] * s->cells[1] + c.dim[1] / s->side[1]];
        const bool zero = sparse_p_is_fill(t->encoding, c.value);
        s->entries++;
        s->zeros += zero;
        if (s->elements)
            *cell = sparse_p_spy_element(s, t->encoding, c.value);
        else
            *cell += !zero;
        if (*cell > s->most) s->most = *cell;
    }
    for (size_t cell = 0; cell < s->nonzeros.length; ++cell) s->shown[sparse_p_spy_shade(s, nonzeros[cell])] = true;
    return SPARSE_OK;
}

/* Writes the CSS class and the opacity of a shade, as SVG attributes. */
SPARSE_P_COLD void sparse_p_spy_colour(const sparse_p_spy *s, unsigned shade, FILE *out)
{
    static const unsigned char opacity[] = {100, 75, 55, 38}; /* the weakest is still visible on white and on black */
    if (!s->elements)
        fprintf(out, "class='a' fill-opacity='%u%%'", 35 + 65 * shade / SPARSE_P_SPY_SHADES);
    else if (shade % 4 == 1)
        fprintf(out, "class='%c'", "abc"[shade / 4]);
    else
        fprintf(out, "class='%c' fill-opacity='%u%%'", "ab"[(shade - 1) / 4], opacity[(shade - 1) % 4]);
}

/* Writes one SVG path for all cells of a shade. Neighbouring cells of a row are joined into one rectangle. */
SPARSE_P_COLD void sparse_p_spy_path(const sparse_p_spy *s, unsigned shade, FILE *out)
{
    const size_t *row = (const size_t *)s->nonzeros.at;
    fputs("<path ", out);
    sparse_p_spy_colour(s, shade, out);
    fputs(" d='", out);
    for (size_t i = 0; i < s->cells[0]; ++i, row += s->cells[1])
        for (size_t j = 0, from = 0; j < s->cells[1]; from = ++j) {
            while (j < s->cells[1] && sparse_p_spy_shade(s, row[j]) == shade) ++j;
            if (j > from) fprintf(out, "M%zu %zuh%zuv1H%zuz", from, i, j - from, from);
        }
    fputs("'/>\n", out);
}

/* Draws the borders of the blocks of a blocked encoding, if each cell is one element and the blocks are at least 6
   pixels wide. */
SPARSE_P_COLD void sparse_p_spy_blocks(const sparse_p_spy *s, const sparse_encoding *e, FILE *out)
{
    const size_t length[2] = {s->cells[1] * s->scale, s->cells[0] * s->scale};
    fputs("<path class='g' d='", out);
    for (unsigned l = 0; l < e->levels && s->elements; ++l) {
        const sparse_level *const v = &e->level[l];
        const size_t step = v->c * s->scale;
        if (v->map != SPARSE_MAP_FLOORDIV || step < 6) continue;
        for (size_t at = step; at < length[!v->dim]; at += step)
            fprintf(out, v->dim == 0 ? "M0 %zuh%zu" : "M%zu 0v%zu", at, length[v->dim]);
    }
    fputs("'/>\n", out);
}

/* The distance of the ticks of an axis with `size` coordinates. It is 1, 2 or 5 times a power of ten, and gives at most 8
   ticks, whose numbers do not overlap. */
SPARSE_P_COLD size_t sparse_p_spy_step(size_t size, size_t pixels)
{
    size_t most = pixels / (size < 10 ? 22 : 50), step = 1;
    most = most < 1 ? 1 : most < 8 ? most : 8;
    for (unsigned k = 0; size / step + (size % step > 0) > most; ++k) step = k % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

/* Draws the ticks and numbers of an axis: of the rows (d = 0) to the left of the plot, of the columns above it. */
SPARSE_P_COLD void sparse_p_spy_ticks(const sparse_p_spy *s, int d, size_t size, FILE *out)
{
    const size_t pixels = s->cells[d] * s->scale, step = sparse_p_spy_step(size, pixels);
    for (size_t k = 0; k < size; k += step) {
        const double at = ((double)k + 0.5) / (double)s->side[d] * (double)s->scale;
        const unsigned whole = (unsigned)at;
        if (d == 0)
            fprintf(out, "<path class='g' d='M0 %uh-4'/><text class='e' x='-7' y='%u'>%zu</text>\n", whole, whole + 4, k);
        else
            fprintf(out, "<path class='g' d='M%u 0v-4'/><text class='m' x='%u' y='-8'>%zu</text>\n", whole, whole, k);
        if (step > size - k) break;
    }
}

/* Draws a square of the legend in the colour of a shade. */
SPARSE_P_COLD void sparse_p_spy_square(const sparse_p_spy *s, unsigned shade, size_t x, size_t y, FILE *out)
{
    fprintf(out, "<rect x='%zu' y='%zu' width='14' height='14' ", x, y);
    sparse_p_spy_colour(s, shade, out);
    fputs("/>", out);
}

/* Draws the legend if cells have several elements: how many nonzeros each colour stands for. */
SPARSE_P_COLD void sparse_p_spy_density_legend(const sparse_p_spy *s, size_t x, FILE *out)
{
    size_t y = 36;
    fprintf(out, "<text x='%zu' y='10'>nonzeros in</text><text x='%zu' y='26'>%zu x %zu</text>\n", x, x, s->side[0],
            s->side[1]);
    for (unsigned shade = 1; shade <= SPARSE_P_SPY_SHADES; ++shade) {
        size_t low = 0, high = 0;
        for (unsigned width = 1; width <= sparse_p_width(s->most); ++width)
            if (sparse_p_spy_shade(s, (size_t)1 << (width - 1)) == shade) {
                low = low ? low : (size_t)1 << (width - 1);
                high = width < sparse_p_width(s->most) ? ((size_t)1 << width) - 1 : s->most;
            }
        if (low == 0) continue;
        sparse_p_spy_square(s, shade, x, y, out);
        fprintf(out, low == high ? "<text x='%zu' y='%zu'>%zu</text>\n" : "<text x='%zu' y='%zu'>%zu to %zu</text>\n",
                x + 20, y + 11, low, high);
        y += 20;
    }
}

/* Draws the legend of magnitudes, if cells are elements: a row for each shade, with positive numbers on the left and
   negative numbers on the right. If there are negative numbers, a sign stands above each column. Returns the y of the end
   of the legend. */
SPARSE_P_COLD size_t sparse_p_spy_magnitude_legend(const sparse_p_spy *s, size_t x, FILE *out)
{
    bool sides[2] = {false, false};
    double least = s->order;
    for (unsigned shade = 1; shade <= SPARSE_P_SPY_SHADES; ++shade) sides[(shade - 1) / 4] |= s->shown[shade];
    const size_t at[2] = {x, x + (sides[0] ? 20 : 0)}, text = at[1] + (sides[1] ? 20 : 0);
    size_t y = sides[1] ? 20 : 0;
    for (unsigned side = 0; side < 2; ++side)
        if (sides[1] && sides[side]) fprintf(out, "<text class='m' x='%zu' y='11'>%c</text>\n", at[side] + 7, "+-"[side]);
    for (unsigned weaker = 0; weaker < 4; ++weaker, least /= 10) {
        if (!s->shown[1 + weaker] && !s->shown[5 + weaker]) continue;
        for (unsigned side = 0; side < 2; ++side)
            if (s->shown[1 + 4 * side + weaker]) sparse_p_spy_square(s, 1 + 4 * side + weaker, at[side], y, out);
        fprintf(out, "<text x='%zu' y='%zu'>%s %g</text>\n", text, y + 11, weaker < 3 ? "from" : "below",
                weaker < 3 ? least : least * 10);
        y += 20;
    }
    return y;
}

/* Draws the legend. It explains only the colours that occur. */
SPARSE_P_COLD void sparse_p_spy_legend(const sparse_p_spy *s, const sparse_encoding *e, size_t x, FILE *out)
{
    static const char *const sign[] = {"positive", "negative", "stored zero"};
    bool magnitudes = false;
    size_t y = 0;
    for (unsigned shade = 1; shade <= SPARSE_P_SPY_SHADES; ++shade) magnitudes |= shade % 4 != 1 && s->shown[shade];
    if (!s->elements)
        sparse_p_spy_density_legend(s, x, out);
    else if (magnitudes)
        y = sparse_p_spy_magnitude_legend(s, x, out);
    for (unsigned shade = magnitudes ? 9 : 1; s->elements && shade <= 9; shade += 4) {
        if (!s->shown[shade]) continue;
        sparse_p_spy_square(s, shade, x, y, out);
        fprintf(out, "<text x='%zu' y='%zu'>%s</text>\n", x + 20, y + 11,
                shade == 1 && (sparse_p_is_complex(e) || e->kind == SPARSE_OPAQUE) ? "stored" : sign[shade / 4]);
        y += 20;
    }
}

/* The number of decimal digits of n. */
SPARSE_P_COLD size_t sparse_p_digit_count(size_t n)
{
    size_t digits = 1;
    while (n >= 10) n /= 10, ++digits;
    return digits;
}

/* The width of the legend. It must hold the longest of its lines: two squares and "below 1e-07", a square and "512 to
   1023", or "4096 x 4096". */
SPARSE_P_COLD size_t sparse_p_spy_legend_width(const sparse_p_spy *s)
{
    const size_t numbers_width = 20 + 7 * (4 + 2 * sparse_p_digit_count(s->most));
    const size_t sides = 7 * (3 + sparse_p_digit_count(s->side[0]) + sparse_p_digit_count(s->side[1]));
    const size_t cells = numbers_width > sides ? numbers_width : sides;
    return s->elements ? 125 : cells > 100 ? cells : 100;
}

/* Draws the picture: title, cells, borders of blocks, ticks and legend. */
SPARSE_P_COLD void sparse_p_spy_draw(const sparse_p_spy *s, const sparse_tensor *t, FILE *out)
{
    const size_t width = s->cells[1] * s->scale, height = s->cells[0] * s->scale;
    const size_t left = 20 + 7 * sparse_p_digit_count(t->dim[0]), right = width > 160 ? width : 160,
                 legend = s->elements ? 120 : 200;
    sparse_p_open_picture(out, t->encoding->name, left + right + 28 + sparse_p_spy_legend_width(s),
                          60 + (height > legend ? height : legend));
    fprintf(out, "%zu x %zu, %zu entr%s", t->dim[0], t->dim[1], s->entries, s->entries == 1 ? "y" : "ies");
    if (s->zeros > 0) fprintf(out, ", %zu of them zero", s->zeros);
    fprintf(out, "</text>\n<g transform='translate(%zu 48)'>\n", left);
    fprintf(out, "<g transform='scale(%zu)' shape-rendering='crispEdges'>\n", s->scale);
    for (unsigned shade = 1; shade <= SPARSE_P_SPY_SHADES + 1; ++shade)
        if (s->shown[shade]) sparse_p_spy_path(s, shade, out);
    fprintf(out, "</g>\n<path class='g' d='M-.5-.5H%zu.5V%zu.5H-.5z'/>\n", width, height);
    sparse_p_spy_blocks(s, t->encoding, out);
    for (int d = 0; d < 2; ++d) sparse_p_spy_ticks(s, d, t->dim[d], out);
    sparse_p_spy_legend(s, t->encoding, right + 20, out);
    fputs("</g>\n</svg>\n", out);
}

SPARSE_API sparse_result sparse_spy(const sparse_tensor *t, const char *path)
{
    sparse_p_spy s;
    sparse_p_file file;
    SPARSE_P_TRY(path != NULL ? sparse_p_check_source(t) : SPARSE_E_NULL);
    if (t->encoding->rank != 2) return SPARSE_E_DIMENSIONS;
    sparse_result result = sparse_p_spy_count(&s, t);
    if (!result) result = sparse_p_create(&file, path, t->hooks);
    if (!result) {
        sparse_p_spy_draw(&s, t, file.out);
        result = sparse_p_complete(&file, SPARSE_OK, t->hooks);
    }
    sparse_p_release(t->hooks, &s.nonzeros, sizeof(size_t));
    return result;
}

/* A picture of a tensor as a tree. Each level is a row of boxes with coordinates, and below the last level are the
   values. A box stands above the middle of the boxes of its children. Below the tree are the arrays. Only the first
   leaves, and the first elements of each array, are drawn: at most SPARSE_P_TREE_MOST, and as many as fit into
   SPARSE_P_TREE_WIDE pixels. Two levels are SPARSE_P_TREE_DEEP pixels apart; the labels on the left have
   SPARSE_P_TREE_LEFT pixels. */
enum { SPARSE_P_TREE_MOST = 48, SPARSE_P_TREE_WIDE = 1488, SPARSE_P_TREE_DEEP = 52, SPARSE_P_TREE_LEFT = 230 };

typedef struct sparse_p_tree {
    const sparse_tensor *t;
    FILE *out;
    size_t wide;        /* distance of neighbouring leaves in pixels */
    size_t leaves;      /* leaves so far; a parent without children needs the space of a leaf and counts as one */
    size_t most;        /* the largest number of leaves and of elements of an array that are drawn */
    sparse_tensor part; /* the tensor that is being drawn: t, or one batch of it */
} sparse_p_tree;

/* Reduces an array to the part that belongs to one batch. The elements have `bytes` bytes each. */
SPARSE_P_COLD void sparse_p_tree_share(sparse_buffer *b, size_t batches, size_t batch, size_t bytes)
{
    b->length /= batches;
    if (b->at) b->at = (char *)b->at + batch * b->length * bytes;
}

/* Enters level `l` below position `parent`. If level l - 1 is the last batch level, `parent` is the number of a batch;
   then r->part becomes this batch, with its parts of the arrays, and the function returns its root position, 0. Otherwise
   it returns `parent`. */
SPARSE_P_COLD size_t sparse_p_tree_enter(sparse_p_tree *r, unsigned l, size_t parent)
{
    const sparse_encoding *const e = r->t->encoding;
    if (l == 0 || !sparse_p_is_last_batch(e, l - 1)) return parent;
    const size_t batches = sparse_p_batches(r->t);
    r->part = *r->t;
    for (unsigned k = 0; k < e->levels; ++k) {
        sparse_p_tree_share(&r->part.pos[k], batches, parent, sparse_pos_bits(e) / 8u);
        sparse_p_tree_share(&r->part.crd[k], batches, parent, sparse_crd_bits(e) / 8u);
    }
    sparse_p_tree_share(&r->part.val, batches, parent, sparse_p_stored_size(e));
    return 0;
}

/* Spells value p into `text`. The value, or each part of a complex value, is cut to at most 12 characters. */
SPARSE_P_COLD void sparse_p_tree_value(const sparse_tensor *t, size_t p, char text[64])
{
    const sparse_kind kind = t->encoding->kind;
    sparse_p_spell(kind, sparse_p_value_at(t, p), 0, text);
    if (strlen(text) > 12) memcpy(text + 10, "..", 3);
    if (!sparse_p_is_complex(t->encoding)) return;
    const size_t length = strlen(text);
    memcpy(text + length, ", ", 3);
    sparse_p_spell(kind, sparse_p_value_at(t, p), 1, text + length + 2);
    if (strlen(text) > length + 14) memcpy(text + length + 12, "..", 3);
}

/* Counts the leaves of the tree below `parent`, from level `l`, and widens r->wide until all texts fit. */
SPARSE_P_COLD void sparse_p_tree_measure(sparse_p_tree *r, unsigned l, size_t parent)
{
    const size_t before = r->leaves;
    char text[64];
    parent = sparse_p_tree_enter(r, l, parent);
    if (l == r->t->encoding->levels)
        sparse_p_tree_value(&r->part, parent, text);
    else {
        for (sparse_level_iterator i = sparse_level_begin(&r->part, l, parent);
             sparse_level_valid(&i) && r->leaves < r->most; sparse_level_next(&i))
            sparse_p_tree_measure(r, l + 1, i.position);
        snprintf(text, sizeof text, "%zu", r->t->lvl[l]);
    }
    if (r->wide < 16 + 7 * strlen(text)) r->wide = 16 + 7 * strlen(text);
    if (r->leaves == before) r->leaves++;
}

/* Writes the label of a level, for example "1: compressed floordiv(j, 2)". */
SPARSE_P_COLD void sparse_p_tree_label(const sparse_p_tree *r, unsigned l)
{
    static const char *const type[] = {
    #define SPARSE_P_LEVEL_ROW(NAME, name, traits) #name,
        SPARSE_LEVELS(SPARSE_P_LEVEL_ROW)
    #undef SPARSE_P_LEVEL_ROW
    };
    static const char *const map[] = {"", "floordiv", "mod", "count", "minus"};
    const sparse_level *const v = &r->t->encoding->level[l];
    const size_t y = 55 + SPARSE_P_TREE_DEEP * (size_t)l;
    const char d = (char)('i' + v->dim);
    fprintf(r->out, "<text x='8' y='%zu'>%u: %s ", y, l, type[v->type]);
    if (v->map == SPARSE_MAP_DIM)
        fprintf(r->out, "%c", d);
    else if (v->map == SPARSE_MAP_MINUS)
        fprintf(r->out, "minus(%c, %c)", d, (char)('i' + v[1].dim));
    else
        fprintf(r->out, "%s(%c, %u)", map[v->map], d, (unsigned)v->c);
    fputs("</text>\n", r->out);
    if (v->properties & (SPARSE_NONUNIQUE | SPARSE_NONORDERED))
        fprintf(r->out, "<text class='q' x='20' y='%zu'>%s%s</text>\n", y + 15,
                v->properties & SPARSE_NONUNIQUE ? "nonunique " : "", v->properties & SPARSE_NONORDERED ? "nonordered" : "");
}

/* Draws a box with a text. `x` is its middle, `y` its upper edge, `kind` its CSS class. */
SPARSE_P_COLD void sparse_p_tree_box(const sparse_p_tree *r, size_t x, size_t y, char kind, const char *text)
{
    fprintf(r->out, "<rect class='%c' x='%zu' y='%zu' width='%zu' height='22' rx='3'/>", kind, x - r->wide / 2 + 3, y,
            r->wide - 6);
    fprintf(r->out, "<text class='m' x='%zu' y='%zu'>%s</text>\n", x, y + 15, text);
}

/* The x of the middle of leaf n, or of element n of an array. */
SPARSE_P_COLD size_t sparse_p_tree_middle(const sparse_p_tree *r, size_t n)
{
    return SPARSE_P_TREE_LEFT + r->wide * n + r->wide / 2;
}

/* Draws the part of the tree below `parent`, from level `l`. Returns the x of the middle of its topmost boxes. */
SPARSE_P_COLD size_t sparse_p_tree_draw(sparse_p_tree *r, unsigned l, size_t parent)
{
    const sparse_encoding *const e = r->t->encoding;
    const size_t y = 40 + SPARSE_P_TREE_DEEP * (size_t)l;
    size_t first = 0, last = 0;
    char text[64];
    parent = sparse_p_tree_enter(r, l, parent);
    if (l >= e->levels || l >= SPARSE_MAX_LEVELS) {
        sparse_p_tree_value(&r->part, parent, text);
        sparse_p_tree_box(r, first = last = sparse_p_tree_middle(r, r->leaves++), y, e->constant ? 'n' : 'b', text);
        fprintf(r->out, "<path class='g' d='M%zu %zuv-30'/>\n", last, y);
        return last;
    }
    for (sparse_level_iterator i = sparse_level_begin(&r->part, l, parent); sparse_level_valid(&i) && r->leaves < r->most;
         sparse_level_next(&i)) {
        last = sparse_p_tree_draw(r, l + 1, i.position);
        first = first ? first : last;
        snprintf(text, sizeof text, "%zu", sparse_level_coordinate(&i));
        sparse_p_tree_box(r, last, y, sparse_p_has_crd(&e->level[l]) ? 'a' : 'n', text);
        if (l > 0) fprintf(r->out, "<path class='g' d='M%zu %zuv-16'/>\n", last, y);
    }
    if (!first) return sparse_p_tree_middle(r, r->leaves++);
    if (l > 0)
        fprintf(r->out, "<path class='g' d='M%zu %zuH%zuM%zu %zuv-14'/>\n", first, y - 16, last, first + (last - first) / 2,
                y - 16);
    return first + (last - first) / 2;
}

/* Draws a line below each tuple of interleaved coordinates in the array that belongs to level `l`. */
SPARSE_P_COLD void sparse_p_tree_tuples(const sparse_p_tree *r, size_t y, unsigned l, size_t length)
{
    const sparse_encoding *const e = r->t->encoding;
    size_t tuple = 1;
    while (l + tuple < e->levels && sparse_p_is_aos(e, l + (unsigned)tuple)) ++tuple;
    for (size_t p = 0; tuple > 1 && p + tuple <= length && p + tuple <= r->most; p += tuple)
        fprintf(r->out, "<path class='g' d='M%zu %zuH%zu'/>", sparse_p_tree_middle(r, p) - r->wide / 2 + 4, y + 25,
                sparse_p_tree_middle(r, p + tuple) - r->wide / 2 - 4);
}

/* Draws an array as a row of boxes, up to r->most of them. `b` holds positions or coordinates of level `l`. */
SPARSE_P_COLD void sparse_p_tree_array(const sparse_p_tree *r, size_t y, const char *name, unsigned l,
                                       const sparse_buffer *b)
{
    const bool positions = name[0] == 'p';
    const unsigned bits = positions ? sparse_pos_bits(r->t->encoding) : sparse_crd_bits(r->t->encoding);
    char text[64];
    fprintf(r->out, "<text x='8' y='%zu'>%s[%u]: %zu number%s of %u bits</text>\n", y + 15, name, l, b->length,
            b->length == 1 ? "" : "s", bits);
    for (size_t p = 0; p < b->length && p < r->most; ++p) {
        snprintf(text, sizeof text, "%zu", sparse_load(b->at, bits, p));
        sparse_p_tree_box(r, sparse_p_tree_middle(r, p), y, positions ? 'n' : 'a', text);
    }
    if (!positions) sparse_p_tree_tuples(r, y, l, b->length);
}

/* Draws the array of values as a row of boxes, up to r->most of them, at the height y. */
SPARSE_P_COLD void sparse_p_tree_values(const sparse_p_tree *r, size_t y)
{
    const size_t count = r->t->val.length;
    char text[64];
    fprintf(r->out, "<text x='8' y='%zu'>values: %zu of %zu bytes</text>\n", y + 15, count, r->t->encoding->value_size);
    for (size_t p = 0; p < count && p < r->most; ++p) {
        sparse_p_tree_value(r->t, p, text);
        sparse_p_tree_box(r, sparse_p_tree_middle(r, p), y, 'b', text);
    }
}

/* Widens r->wide until the elements of the arrays fit. *longest becomes the length of the longest array, or the number of
   leaves if that is larger. Returns how many arrays are not empty. */
SPARSE_P_COLD size_t sparse_p_tree_measure_arrays(sparse_p_tree *r, size_t *longest)
{
    const sparse_encoding *const e = r->t->encoding;
    size_t arrays = r->t->val.length > 0;
    char text[64];
    *longest = r->leaves > r->t->val.length ? r->leaves : r->t->val.length;
    for (unsigned l = 0; l < 2 * e->levels; ++l) {
        const sparse_buffer *const b = l % 2 ? &r->t->crd[l / 2] : &r->t->pos[l / 2];
        const unsigned bits = l % 2 ? sparse_crd_bits(e) : sparse_pos_bits(e);
        arrays += b->length > 0;
        if (b->length > *longest) *longest = b->length;
        for (size_t p = 0; p < b->length && p < r->most; ++p) {
            const int length = snprintf(text, sizeof text, "%zu", sparse_load(b->at, bits, p));
            if (r->wide < 16 + 7 * (size_t)length) r->wide = 16 + 7 * (size_t)length;
        }
    }
    return arrays;
}

/* Draws the picture. The width of a leaf depends on the texts of the leaves that are drawn, and the number of these
   leaves depends on their width. So the tree is measured again if too few leaves fit. */
SPARSE_P_COLD void sparse_p_tree_picture(sparse_p_tree *r)
{
    const sparse_encoding *const e = r->t->encoding;
    size_t longest, y = 110 + SPARSE_P_TREE_DEEP * (size_t)e->levels;
    sparse_p_tree_measure(r, 0, 0);
    if (r->most > SPARSE_P_TREE_WIDE / r->wide) {
        r->most = SPARSE_P_TREE_WIDE / r->wide;
        r->leaves = 0;
        sparse_p_tree_measure(r, 0, 0);
    }
    const size_t arrays = sparse_p_tree_measure_arrays(r, &longest), leaves = r->leaves;
    sparse_p_open_picture(r->out, e->name, sparse_p_tree_middle(r, longest < r->most ? longest : r->most), y + 30 * arrays);
    for (unsigned d = 0; d < e->rank; ++d) fprintf(r->out, d ? " x %zu" : "%zu", r->t->dim[d]);
    fprintf(r->out, ", %zu stored%s", sparse_entries(r->t), sparse_p_is_batch_level(&e->level[0]) ? " in each batch" : "");
    if (longest > r->most || leaves >= r->most) fprintf(r->out, "; the first %zu of each row", r->most);
    fputs("</text>\n<g class='n'>\n", r->out);
    for (unsigned l = 0; l < e->levels; ++l) sparse_p_tree_label(r, l);
    fprintf(r->out, "<text x='8' y='%d'>values</text>\n", 55 + SPARSE_P_TREE_DEEP * (int)e->levels);
    r->leaves = 0;
    (void)sparse_p_tree_draw(r, 0, 0);
    for (unsigned l = 0; l < e->levels; ++l) {
        if (r->t->pos[l].length > 0) sparse_p_tree_array(r, y, "pos", l, &r->t->pos[l]), y += 30;
        if (r->t->crd[l].length > 0) sparse_p_tree_array(r, y, "crd", l, &r->t->crd[l]), y += 30;
    }
    if (r->t->val.length > 0) sparse_p_tree_values(r, y);
    fputs("</g>\n</svg>\n", r->out);
}

SPARSE_API sparse_result sparse_draw_storage(const sparse_tensor *t, const char *path)
{
    sparse_p_file file;
    SPARSE_P_TRY(path != NULL ? sparse_p_check_source(t) : SPARSE_E_NULL);
    SPARSE_P_TRY(sparse_p_create(&file, path, t->hooks));
    sparse_p_tree tree = {t, file.out, 30, 0, SPARSE_P_TREE_MOST, *t};
    sparse_p_tree_picture(&tree);
    return sparse_p_complete(&file, SPARSE_OK, t->hooks);
}

#endif /* SPARSE_P_DEFINED */

#endif /* SPARSE_IO_H */
