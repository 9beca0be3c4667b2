/* test_io.c: reading Matrix Market, FROSTT and .smtx; writing, printing and drawing. Other formats: test_files.c.

   Every rule has cases, rows of a table with a text and the expected tensor or error: add a row there. Then the files of
   ../shared/data (or of the directory SPARSE_DATA) are compared with the tables of its README.md. Run from the top of the
   repository. Ends with one line, "test_io: N passed, N failed, N skipped". */
#define _XOPEN_SOURCE 700 /* popen, mkdtemp, setrlimit */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEST "test_io"
#include "files.h"

SPARSE_TENSOR(pruned, SPARSE_N_OF_M(2, 4), double, 32, 32)

/* ---- cases from memory ---- */

static const io_case cases[] = {
    {"1 banner", "", "%%MatrixMarket  MATRIX Coordinate Real General\n1 1 1\n1 1 2\n", "1x1 1,1=2"},
    {"1 banner", "", "%%MATRIXMARKET\tmatrix\tcoordinate\treal\tgeneral  \n1 1 1\n1 1 2\n", "1x1 1,1=2"},
    {"1 banner", "", "%%matrixmarket matrix coordinate real general\n1 1 1\n1 1 2\n", "1x1 1,1=2"},
    {"2 lines", "", REAL "\n \t\n% c\n  % c\n2 2 2\n\n% c\n1 1 1\n \n2 2 4\n\n\t\n", "2x2 1,1=1 2,2=4"},
    {"2 lines", "", "%%MatrixMarket matrix coordinate real general\r\n%\r\n\r\n2 2 1\r\n2 1 4\r\n\r\n", "2x2 2,1=4"},
    {"2 lines", "", "%%MatrixMarket matrix coordinate real general\r2 2 1\r2 1 4\r", "2x2 2,1=4"},
    {"2 lines", "", REAL "\t2\t2  1 \n   2 \t 1\t4 \t", "2x2 2,1=4"},
    {"2 lines", "", REAL "2 2 1\n2 1 4", "2x2 2,1=4"},
    {"3 numbers", "", REAL "1 6 6\n1 1 1.\n1 2 .5\n1 3 -2.8E2\n1 4 +1\n1 5 -0.0\n1 6 1e+2\n",
     "1x6 1,1=1 1,2=0.5 1,3=-280 1,4=1 1,5=-0 1,6=100"},
    {"3 numbers", "", REAL "1 6 6\n1 1 inf\n1 2 -INF\n1 3 +Infinity\n1 4 NaN\n1 5 -nan\n1 6 infinity\n",
     "1x6 1,1=inf 1,2=-inf 1,3=inf 1,4=nan 1,5=-nan 1,6=inf"},
    {"3 numbers", "", REAL "1 3 3\n1 1 0.30000000000000004\n1 2 9007199254740993\n1 3 5e-324\n",
     "1x3 1,1=0.30000000000000004 1,2=9007199254740992 1,3=5e-324"},
    {"3 numbers", "", REAL "1 3 3\n1 1 1.00000000000000011102230246251565404236316680908203125\n"
     "1 2 1.000000000000000111022302462515654042363166809082031250000000000000000000000000000000001\n"
     "1 3 2.4703282292062327208299e-324\n", "1x3 1,1=1 1,2=1.0000000000000002 1,3=0"},
    {"3 numbers", "f32", REAL "1 3 3\n1 1 0.1\n1 2 16777217\n1 3 1e-45\n", "1x3 1,1=0.1 1,2=16777216 1,3=1e-45"},
    {"4 fields", "", MM("coordinate double general") "1 1 1\n1 1 2.5\n", "1x1 1,1=2.5"},
    {"4 fields", "i32", INTEGER "1 2 2\n1 1 -7\n1 2 +7\n", "1x2 1,1=-7 1,2=7"},
    {"4 fields", "c128", COMPLEX "1 1 1\n1 1 2 -3\n", "1x1 1,1=2:-3"},
    {"4 fields", "c64", REAL "1 1 1\n1 1 2\n", "1x1 1,1=2:0"},
    {"4 fields", "i8", REAL "1 3 3\n1 1 -1.28e2\n1 2 2.50E1\n1 3 7.000\n", "1x3 1,1=-128 1,2=25 1,3=7"},
    {"4 symmetry", "", SYMMETRIC "2 2 2\n1 1 5\n2 1 3\n", "2x2 1,1=5 1,2=3 2,1=3"},
    {"4 symmetry", "", SKEW "2 2 1\n2 1 3\n", "2x2 1,2=-3 2,1=3"},
    {"4 symmetry", "i8", MM("coordinate integer skew-symmetric") "2 2 1\n2 1 -127\n", "2x2 1,2=127 2,1=-127"},
    {"4 symmetry", "c128", MM("coordinate complex hermitian") "2 2 2\n1 1 5 0\n2 1 3 4\n", "2x2 1,1=5:0 1,2=3:-4 2,1=3:4"},
    {"4 symmetry", "c128", MM("coordinate complex symmetric") "2 2 1\n2 1 3 4\n", "2x2 1,2=3:4 2,1=3:4"},
    {"4 symmetry", "c128", MM("coordinate complex skew-symmetric") "2 2 1\n2 1 3 4\n", "2x2 1,2=-3:-4 2,1=3:4"},
    {"4 symmetry", "", MM("coordinate pattern symmetric") "2 2 1\n2 1\n", "2x2 1,2=1 2,1=1"},
    {"4 vector", "vec", "%%MatrixMarket vector coordinate real general\n4 2\n2 5\n4 6\n", "4 2=5 4=6"},
    {"4 vector", "", "%%MatrixMarket vector coordinate real general\n4 2\n2 5\n4 6\n", "4x1 2,1=5 4,1=6"},
    {"4 vector", "dense1", "%%MatrixMarket vector array real general\n2\n5\n6\n", "2 1=5 2=6"},
    {"4 vector", "vec", REAL "4 1 1\n3 1 5\n", "4 3=5"},
    {"4 vector", "dense1", ARRAY "2 1\n5\n6\n", "2 1=5 2=6"},
    {"4 tensor", "coo3", "%%MatrixMarket tensor coordinate real general\n2 3 4 1\n2 3 4 5\n", "2x3x4 2,3,4=5"},
    {"4 tensor", "dense3", "%%MatrixMarket tensor array integer general\n2 1 2\n1\n2\n3\n4\n",
     "2x1x2 1,1,1=1 1,1,2=3 2,1,1=2 2,1,2=4"},
    {"5 array", "", ARRAY "2 3\n1\n2\n3\n4\n5\n6\n", "2x3 1,1=1 1,2=3 1,3=5 2,1=2 2,2=4 2,3=6"},
    {"5 array", "dense", MM("array real symmetric") "2 2\n1\n2\n3\n", "2x2 1,1=1 1,2=2 2,1=2 2,2=3"},
    {"5 array", "dense", MM("array real skew-symmetric") "3 3\n1\n2\n3\n",
     "3x3 1,1=0 1,2=-1 1,3=-2 2,1=1 2,2=0 2,3=-3 3,1=2 3,2=3 3,3=0"},
    {"5 array", "c128", MM("array complex hermitian") "2 2\n1 0\n2 3\n4 0\n", "2x2 1,1=1:0 1,2=2:-3 2,1=2:3 2,2=4:0"},
    {"5 array", "half", MM("array real symmetric") "2 2\n1\n2\n3\n", "2x2 1,1=1 2,1=2 2,2=3"},
    {"5 array", "dense", ARRAY "3 0\n", "3x0"},
    {"6 empty", "", REAL "3 4 0\n", "3x4"},
    {"6 empty", "", REAL "0 4 0", "0x4"},
    {"6 empty", "csr", REAL "0 0 0\n\n", "0x0"},
    {"6 pattern", "", PATTERN "2 2 1\n2 1\n", "2x2 2,1=1"},
    {"6 pattern", "c64", PATTERN "2 2 1\n2 1\n", "2x2 2,1=1:0"},
    {"6 pattern", "u8", PATTERN "2 2 1\n2 1\n", "2x2 2,1=1"},
    {"7 zeros", "", REAL "2 2 3\n1 1 0\n1 2 -0.0\n2 1 3\n", "2x2 1,1=0 1,2=-0 2,1=3"},
    {"7 zeros", "drop", REAL "2 2 3\n1 1 0\n1 2 -0.0\n2 1 3\n", "2x2 2,1=3"},
    {"7 zeros", "drop", ARRAY "2 2\n0\n3\n0\n1\n", "2x2 2,1=3 2,2=1"},
    {"8 half", "half", SYMMETRIC "2 2 2\n1 1 5\n2 1 3\n", "2x2 1,1=5 2,1=3"},
    {"8 half", "half", SKEW "2 2 1\n2 1 3\n", "2x2 2,1=3"},
    {"9 duplicates", "", REAL "2 2 3\n1 2 1\n2 2 7\n1 2 4\n", "2x2 1,2=5 2,2=7"},
    {"9 duplicates", "last", REAL "2 2 3\n1 2 1\n2 2 7\n1 2 4\n", "2x2 1,2=4 2,2=7"},
    {"9 duplicates", "coo keep", REAL "2 2 3\n1 2 1\n2 2 7\n1 2 4\n", "2x2 1,2=1 1,2=4 2,2=7"},
    {"9 duplicates", "error", REAL "2 2 4\n1 2 1\n2 2 7\n\n  1 2 4\n1 2 5\n", "E_DUPLICATE 6:3"},
    {"9 duplicates", "keep", REAL "2 2 3\n1 2 1\n2 2 7\n1 2 4\n", "E_DUPLICATE 5:1"},
    {"9 duplicates", "error drop", REAL "2 2 5\n1 2 1\n2 2 7\n1 1 0\n2 1 0\n1 2 5\n", "E_DUPLICATE 7:1"},
    {"9 duplicates", "", REAL "2 2 2\n1 2 1\n1 2 -1\n", "2x2 1,2=0"},
    {"10 large", "coo 64", REAL "1099511627776 1099511627776 1\n1099511627776 4294967297 1\n",
     "1099511627776x1099511627776 1099511627776,4294967297=1"},
    {"10 GraphBLAS", "i8", INTEGER "%%GraphBLAS type int8_t\n1 1 1\n1 1 -128\n", "1x1 1,1=-128"},
    {"11 integer", "", INTEGER "1 2 2\n1 1 1.5\n1 2 inf\n", "1x2 1,1=1.5 1,2=inf"},
    {"11 integer", "i64", INTEGER "1 1 1\n1 1 1.5\n", "E_VALUE_RANGE 3:5"},
    {"11 integer", "i64", INTEGER "1 1 1\n1 1 1.0\n", "E_VALUE_RANGE 3:5"},
    {"11 integer", "i64", INTEGER "1 1 1\n1 1 inf\n", "E_VALUE_RANGE 3:5"},
    {"11 integer", "i64", REAL "1 3 3\n1 1 7\n1 2 8\n1 3 inf\n", "E_VALUE_RANGE 5:5"},
    {"11 integer", "u32", INTEGER "1 3 3\n1 1 7\n1 2 8\n1 3 nan\n", "E_VALUE_RANGE 5:5"},
    {"11 integer", "i64", REAL "1 1 1\n1 1 1.5\n", "E_VALUE_RANGE 3:5"},
    {"11 integer", "i64", INTEGER "1 1 1\n1 1 9007199254740993\n", "1x1 1,1=9007199254740993"},

    {"lenient", "", "%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n", "E_FILE_FORMAT 0:0"},
    {"lenient", "lenient", "%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n", "1x1 1,1=2"},
    {"lenient", "lenient", " \t" REAL "1 1 1\n1 1 2\n", "1x1 1,1=2"},
    {"lenient", "lenient", "\xEF\xBB\xBF" REAL "1 1 1\n1 1 2\n", "1x1 1,1=2"},
    {"lenient", "lenient", REAL "1 1 1\n1 1 2 % the end\n", "1x1 1,1=2"},
    {"lenient", "lenient", REAL "1 2 2\n1 1 1.5D+01\n1 2 1d0\n", "1x2 1,1=15 1,2=1"},
    {"lenient", "", REAL "1 1 1\n1 1 1.5D+01\n", "E_ENTRY 3:5"},
    {"lenient", "lenient", SYMMETRIC "2 2 1\n1 2 3\n", "2x2 1,2=3 2,1=3"},
    {"lenient", "lenient half", SKEW "2 2 1\n1 2 3\n", "2x2 2,1=-3"},
    {"lenient", "lenient c128", MM("coordinate complex hermitian") "2 2 1\n1 2 3 4\n", "2x2 1,2=3:4 2,1=3:-4"},
    {"lenient", "lenient", REAL "1 1 1\n1 1 1.5abc\n", "E_ENTRY 3:5"},
    {"twins", "lenient", SYMMETRIC "2 2 2\n2 1 1.0\n1 2 1.0\n", "2x2 1,2=1 2,1=1"},
    {"twins", "lenient csr", SYMMETRIC "3 3 6\n1 1 7\n1 2 1\n2 1 1\n1 3 5\n3 2 4\n2 3 4\n",
     "3x3 1,1=7 1,2=1 1,3=5 2,1=1 2,3=4 3,1=5 3,2=4"},
    {"twins", "lenient half", SYMMETRIC "2 2 2\n1 2 1.0\n2 1 1.0\n", "2x2 2,1=1"},
    {"twins", "lenient", SYMMETRIC "2 2 3\n2 2 1\n2 1 1.0\n1 2 1.5\n", "E_SYMMETRY 5:1"},
    {"twins", "lenient", SYMMETRIC "2 2 4\n2 1 1.0\n1 2 1.5\n2 1 2\n1 2 1.5\n", "2x2 1,2=3 2,1=3"},
    {"twins", "lenient error", SYMMETRIC "2 2 3\n2 1 1.0\n1 2 1.0\n2 1 1.0\n", "E_DUPLICATE 5:1"},
    {"twins", "lenient error", SYMMETRIC "2 2 2\n2 1 1.0\n1 2 1.0\n", "2x2 1,2=1 2,1=1"},
    {"twins", "lenient i32", SKEW "2 2 2\n2 1 3\n1 2 -3\n", "2x2 1,2=-3 2,1=3"},
    {"twins", "lenient", SKEW "2 2 2\n2 1 3\n1 2 3\n", "E_SYMMETRY 4:1"},
    {"twins", "lenient", SKEW "2 2 2\n2 1 0\n1 2 0\n", "2x2 1,2=-0 2,1=0"},
    {"twins", "lenient c64", MM("coordinate complex hermitian") "2 2 2\n2 1 3 4\n1 2 3 -4\n", "2x2 1,2=3:-4 2,1=3:4"},
    {"twins", "lenient u8", MM("coordinate pattern symmetric") "2 2 2\n2 1\n1 2\n", "2x2 1,2=1 2,1=1"},

    {"12 banner", "", "%%MatrixMarket matrix coordinate real\n1 1 0\n", "E_BANNER 1:38"},
    {"12 banner", "", "%%MatrixMarket", "E_BANNER 1:15"},
    {"12 banner", "", "%%MatrixMarketmatrix coordinate real general\n1 1 0\n", "E_FILE_FORMAT 0:0"},
    {"12 banner", "", "%%MatrixMarket graph coordinate real general\n1 1 0\n", "E_BANNER 1:16"},
    {"12 banner", "", "%%MatrixMarket matrix elemental real general\n1 1 0\n", "E_BANNER 1:23"},
    {"12 banner", "", "%%MatrixMarket matrix coordinate quaternion general\n1 1 0\n", "E_BANNER 1:34"},
    {"12 banner", "", "%%MatrixMarket matrix coordinate real diagonal\n1 1 0\n", "E_BANNER 1:39"},
    {"12 banner", "", "%%MatrixMarket matrix coordinate real symmetric-ish\n1 1 0\n", "E_BANNER 1:39"},
    {"12 banner", "", "%%MatrixMarket matrix coordinate real general now\n1 1 0\n", "E_BANNER 1:47"},
    {"12 end", "", REAL, "E_HEADER 2:1"},
    {"12 end", "", REAL "% nothing\n\n", "E_HEADER 4:1"},
    {"12 end", "", "", "E_FILE_FORMAT 0:0"},
    {"13 banner", "", MM("array pattern general") "1 1\n", "E_BANNER 1:44"},
    {"13 banner", "", MM("coordinate pattern skew-symmetric") "1 1 0\n", "E_BANNER 1:56"},
    {"13 banner", "", MM("coordinate real hermitian") "1 1 0\n", "E_BANNER 1:48"},
    {"13 banner", "", "%%MatrixMarket vector coordinate real symmetric\n1 0\n", "E_BANNER 1:48"},
    {"13 square", "", SYMMETRIC "3 4 0\n", "E_HEADER 2:1"},
    {"13 unsigned", "u32", MM("coordinate integer skew-symmetric") "1 1 0\n", "E_VALUE_TYPE 1:56"},
    {"13 complex", "", COMPLEX "1 1 0\n", "E_VALUE_TYPE 1:49"},
    {"13 complex", "i32", COMPLEX "1 1 0\n", "E_VALUE_TYPE 1:49"},
    {"14 sizes", "", REAL "-3 3 1\n1 1 1\n", "E_HEADER 2:1"},
    {"14 sizes", "", REAL "3 3 -1\n", "E_HEADER 2:5"},
    {"14 sizes", "", REAL "3 3\n1 1 1\n", "E_HEADER 2:4"},
    {"14 sizes", "", REAL "3 3 1 1\n1 1 1\n", "E_HEADER 2:7"},
    {"14 sizes", "", REAL "3.0 3 1\n1 1 1\n", "E_HEADER 2:1"},
    {"14 sizes", "", REAL "three 3 1\n1 1 1\n", "E_HEADER 2:1"},
    {"14 sizes", "", ARRAY "2\n1\n2\n", "E_HEADER 2:2"},
    {"14 sizes", "", REAL "18446744073709551616 3 0\n", "E_OVERFLOW 2:1"},
    {"14 rank", "vec", REAL "3 3 0\n", "E_DIMENSIONS 2:1"},
    {"14 rank", "coo3", REAL "3 3 0\n", "E_DIMENSIONS 2:1"},
    {"14 rank", "", "%%MatrixMarket tensor coordinate real general\n2 3 4 0\n", "E_DIMENSIONS 2:1"},
    {"15 nnz", "64", REAL "3 3 18446744073709551615\n1 1 1\n", "E_COUNT 2:1"},
    {"15 nnz", "", REAL "3 3 18446744073709551619\n1 1 1\n", "E_OVERFLOW 2:5"},
    {"15 nnz", "64", SYMMETRIC "3 3 9223372036854775808\n1 1 1\n", "E_COUNT 2:1"},
    {"15 nnz", "", PATTERN "3 3 3\n1 1\n1 2\n", "E_COUNT 2:1"},
    {"15 array", "dense 64", ARRAY "4294967296 4294967296\n1\n", "E_OVERFLOW 2:1"},
    {"15 array", "dense", ARRAY "1000000 1000\n1\n2\n3\n", "E_COUNT 2:1"},
    {"16 index", "", REAL "3 3 1\n0 1 1\n", "E_COORDINATE 3:1"},
    {"16 index", "", REAL "3 3 1\n1 0 1\n", "E_COORDINATE 3:3"},
    {"16 index", "", REAL "3 3 1\n1 -1 1\n", "E_COORDINATE 3:3"},
    {"16 index", "", REAL "3 3 1\n4 1 1\n", "E_COORDINATE 3:1"},
    {"16 index", "", REAL "3 3 1\n1 4 1\n", "E_COORDINATE 3:3"},
    {"16 index", "", REAL "3 3 1\n18446744073709551617 1 1\n", "E_COORDINATE 3:1"},
    {"16 index", "64", REAL "18446744073709551615 3 1\n18446744073709551616 1 1\n", "E_COORDINATE 3:1"},
    {"16 index", "", REAL "3 3 1\n4294967297 1 1\n", "E_COORDINATE 3:1"},
    {"16 index", "", REAL "3 3 1\n99999999999999999999999999999999999999999999999999 1 1\n", "E_COORDINATE 3:1"},
    {"16 index", "", REAL "0 5 1\n1 1 1\n", "E_COORDINATE 3:1"},
    {"16 index", "", REAL "3 3 1\n1.0 1 1\n", "E_ENTRY 3:1"},
    {"16 index", "", REAL "3 3 1\n0x1 1 1\n", "E_ENTRY 3:1"},
    {"16 index", "", REAL "3 3 1\n+1 1 1\n", "E_ENTRY 3:1"},
    {"16 width", "csr8", REAL "300 256 1\n300 256 1\n", "300x256 300,256=1"},
    {"16 width", "csr8", REAL "256 300 1\n1 300 1\n", "E_COORDINATE_WIDTH 2:1"},
    {"16 base", "zero", REAL "2 2 2\n0 0 1\n1 1 2\n", "2x2 1,1=1 2,2=2"},
    {"16 base", "zero", REAL "2 2 1\n2 0 1\n", "E_COORDINATE 3:1"},
    {"17 count", "", REAL "3 3 2\n1 1 1\n% two\n\n", "E_COUNT 6:1"},
    {"17 count", "", REAL "3 3 1\n1 1 1\n2 2 2\n", "E_COUNT 4:1"},
    {"17 count", "", REAL "3 3 1\n1 1 1\nthe end\n", "E_COUNT 4:1"},
    {"17 count", "", ARRAY "2 1\n1\n2\n3\n", "E_COUNT 5:1"},
    {"17 count", "", ARRAY "2 1\n1\n% one\n", "E_COUNT 5:1"},
    {"17 count", "", MM("array real symmetric") "2 2\n1\n2\n2\n3\n", "E_COUNT 6:1"},
    {"17 short", "", REAL "5 5 1\n5 2\n\n", "E_ENTRY 3:4"},
    {"17 short", "", REAL "5 5 1\n5\n  \n\n", "E_ENTRY 3:2"},
    {"17 short", "c128", COMPLEX "2 2 1\n1 1 3.0\n\n", "E_ENTRY 3:8"},
    {"17 long", "c128", COMPLEX "2 2 1\n1 1 1 2 3\n", "E_ENTRY 3:9"},
    {"17 long", "", REAL "2 2 1\n1 1 1 9\n", "E_ENTRY 3:7"},
    {"17 long", "", PATTERN "2 2 1\n1 1 5\n", "E_ENTRY 3:5"},
    {"17 long", "", ARRAY "2 2\n1 2 3 4\n\n\n\n", "E_ENTRY 3:3"},
    {"17 token", "", REAL "3 3 1\n1 1 one\n", "E_ENTRY 3:5"},
    {"17 token", "", REAL "3 3 1\n^ 1 1\n", "E_ENTRY 3:1"},
    {"17 token", "", REAL "3 3 1\n1 1 ^\n", "E_ENTRY 3:5"},
    {"17 token", "", REAL "3 3 1\n1 1 -\n", "E_ENTRY 3:5"},
    {"17 token", "", REAL "3 3 1\n1 1 .\n", "E_ENTRY 3:5"},
    {"17 token", "", REAL "3 3 1\n1 1 1e\n", "E_ENTRY 3:5"},
    {"17 token", "", REAL "3 3 1\n1 1 1e+\n", "E_ENTRY 3:5"},
    {"17 token", "", REAL "3 3 1\n1 1 1,5\n", "E_ENTRY 3:5"},
    {"17 token", "", REAL "3 3 1\n1 1 1.5.2\n", "E_ENTRY 3:5"},
    {"17 token", "", REAL "3 3 1\n1 1 0x1.8p1\n", "E_ENTRY 3:5"},
    {"17 token", "", REAL "3 3 1\n1 1 infinit\n", "E_ENTRY 3:5"},
    {"17 token", "", REAL "3 3 1\r\n1\r\n1 1\r\n", "E_ENTRY 3:2"},
    {"17 text", "", "Title of a Harwell-Boeing matrix\n 3 1 1 1\nRUA 3 3 3 0\n", "E_FILE_FORMAT 1:1"},
    {"17 gzip", "", "\x1F\x8B\x08 and so on", "E_COMPRESSED_FILE 0:0"},
    {"17 zstd", "", "\x28\xB5\x2F\xFD and so on", "E_COMPRESSED_FILE 0:0"},
    {"18 range", "i8", INTEGER "1 1 1\n1 1 128\n", "E_VALUE_RANGE 3:5"},
    {"18 range", "i8", INTEGER "1 1 1\n1 1 -129\n", "E_VALUE_RANGE 3:5"},
    {"18 range", "u8", INTEGER "1 1 1\n1 1 256\n", "E_VALUE_RANGE 3:5"},
    {"18 range", "u8", INTEGER "1 1 1\n1 1 -1\n", "E_VALUE_RANGE 3:5"},
    {"18 range", "u64", INTEGER "1 2 2\n1 1 18446744073709551615\n1 2 -0\n", "1x2 1,1=18446744073709551615 1,2=0"},
    {"18 range", "u64", INTEGER "1 1 1\n1 1 18446744073709551616\n", "E_VALUE_RANGE 3:5"},
    {"18 range", "i64", INTEGER "1 1 1\n1 1 -9223372036854775808\n", "1x1 1,1=-9223372036854775808"},
    {"18 range", "i64", INTEGER "1 1 1\n1 1 9223372036854775808\n", "E_VALUE_RANGE 3:5"},
    {"18 range", "i64", REAL "1 1 1\n1 1 1e19\n", "E_VALUE_RANGE 3:5"},
    {"18 range", "u64", REAL "1 1 1\n1 1 1844674407370955161e1\n", "1x1 1,1=18446744073709551610"},
    {"18 range", "u64", REAL "1 1 1\n1 1 1844674407370955162e1\n", "E_VALUE_RANGE 3:5"},
    {"18 range", "i8", MM("coordinate integer skew-symmetric") "2 2 1\n2 1 -128\n", "E_VALUE_RANGE 3:5"},
    {"18 range", "", REAL "1 1 1\n1 1 1E9999\n", "E_VALUE_RANGE 3:5"},
    {"18 range", "inf", REAL "1 2 2\n1 1 1E9999\n1 2 -1e309\n", "1x2 1,1=inf 1,2=-inf"},
    {"18 range", "", REAL "1 2 2\n1 1 1e-400\n1 2 -1e-99999999999999999999\n", "1x2 1,1=0 1,2=-0"},
    {"18 range", "f32", REAL "1 1 1\n1 1 1e39\n", "E_VALUE_RANGE 3:5"},
    {"18 range", "f32 inf", REAL "1 1 1\n1 1 1e39\n", "1x1 1,1=inf"},
    {"19 triangle", "", SYMMETRIC "2 2 1\n1 2 3\n", "E_SYMMETRY 3:1"},
    {"19 diagonal", "", SKEW "2 2 1\n2 2 3\n", "E_SYMMETRY 3:1"},
    {"19 diagonal", "", SKEW "2 2 1\n2 2 0\n", "2x2 2,2=0"},
    {"19 diagonal", "", SKEW "2 2 1\n2 2 nan\n", "E_SYMMETRY 3:1"},
    {"19 diagonal", "c64", MM("coordinate complex skew-symmetric") "2 2 1\n2 2 0 inf\n", "E_SYMMETRY 3:1"},

    {"tns", "coo3 tns", "# c\n\n1 1 1 1.0\n  2\t3 4   -2 \n# c\n", "2x3x4 1,1,1=1 2,3,4=-2"},
    {"tns", "coo3 tns", "1 1 1 1.0\r\n2 3 4 5\r\n", "2x3x4 1,1,1=1 2,3,4=5"},
    {"tns", "coo3 tns dim", "2 3 4 5", "5x6x7 2,3,4=5"},
    {"tns", "coo3 tns dim", "", "5x6x7"},
    {"tns", "coo tns dim", "2 3 4", "5x6 2,3=4"},
    {"tns", "coo tns dim", "2 3", "E_DIMENSIONS 1:1"},
    {"tns", "coo tns", "2 3", "2x1 2,1=3"},
    {"tns", "coo1 tns", "2 1 3", "E_DIMENSIONS 1:1"},
    {"tns", "coo1 tns dim", "2 1 3", "5 2=3"},
    {"tns", "coo3 tns dim", "6 3 4 5", "E_COORDINATE 1:1"},
    {"tns", "vec tns", "3 1.0\n7 2.0\n", "7 3=1 7=2"},
    {"tns", "coo3 tns zero", "0 1 2 5\n", "1x2x3 1,2,3=5"},
    {"tns", "coo3 tns", "3\n4 5 6\n1 2 3 9\n", "4x5x6 1,2,3=9"},
    {"tns", "coo3 tns", "3\n4 5 6\n", "4x5x6"},
    {"tns", "coo3 tns", "3\n4 5\n1 2 3 9\n", "E_HEADER 2:4"},
    {"tns", "coo3 tns 64", "4294967295 4294967295 4294967295 1.0\n1 1 1 2.0\n",
     "4294967295x4294967295x4294967295 1,1,1=2 4294967295,4294967295,4294967295=1"},
    {"tns", "c128 tns", "1 2 3 4\n2 1 5 6\n", "2x2 1,2=3:4 2,1=5:6"},
    {"tns", "c128 tns", "1 2 3\n2 1 5\n", "2x2 1,2=3:0 2,1=5:0"},
    {"tns", "i32 tns", "1 2 3.0\n", "1x2 1,2=3"},
    {"tns", "coo3 tns", "1 1 1 1.0\n2 2 2.0\n", "E_ENTRY 2:1"},
    {"tns", "coo3 tns", "1 1 1 1\n2 2 2\n3 3 3 3\n", "E_ENTRY 2:1"},
    {"tns", "coo3 tns", "1 1 1 1\n2 2 2 2 2\n", "E_ENTRY 2:1"},
    {"tns", "coo3 tns", "1 1 1 1\n2 0 2 2\n", "E_COORDINATE 2:3"},
    {"tns", "coo3 tns", "1 1 1 1\n2 -1 2 2\n", "E_COORDINATE 2:3"},
    {"tns", "coo3 tns", "1 18446744073709551616 1 1\n", "E_COORDINATE 1:3"},
    {"tns", "csr8 tns", "1 2 1\n2 300 1\n", "E_COORDINATE_WIDTH 2:1"},
    {"tns", "coo3 tns", "", "E_HEADER 1:1"},
    {"tns", "coo3 tns", "# one\n# two\n", "E_HEADER 3:1"},
    {"tns", "coo3 tns", "1.0\n", "E_HEADER 1:1"},
    {"tns", "coo3 tns", "1 1 1.0\n", "E_DIMENSIONS 1:1"},
    {"tns", "coo3 tns", "1 1 1 one\n", "E_ENTRY 1:7"},
    {"tns", "coo3", "# c\n\n1 1 1 1.0\n", "1x1x1 1,1,1=1"},
    {"tns", "coo3", "1 1 1 1.0\n1 1 1\n", "E_FILE_FORMAT 2:1"},
    {"tns", "coo3", "3\n2 3 4\n1 1 1 15\n2 3 4 5\n", "2x3x4 1,1,1=15 2,3,4=5"},
    {"tns", "coo3", "3\n2 3\n1 1 1 15\n", "E_FILE_FORMAT 2:1"},
    {"tns", "coo3", "9 1 1 x\n", "E_FILE_FORMAT 1:1"},
    {"tns", "coo3", "1 1 0 1.0\n", "E_COORDINATE 1:5"},
    {"tns", "coo5", "1 2 1 3 1 .5\n2 1 1 1 1 7\n", "2x2x1x3x1 1,2,1,3,1=0.5 2,1,1,1,1=7"},
    {"tns", "coo", "1 1 1.0\n2 1 5\n", "E_FILE_FORMAT 0:0"},
    {"tns", "vec", "1 1.5\n7 2\n", "7 1=1.5 7=2"},
    {"xtns", "coo3", EXTENDED "3 2\n2 3 9\n1 1 1 1.5\n2 3 4 5\n", "2x3x9 1,1,1=1.5 2,3,4=5"},
    {"xtns", "coo3", "; extended FROSTT format\n# c\n3 1\n\n2 3 9\n1 1 1 1.5\n", "2x3x9 1,1,1=1.5"},
    {"xtns", "coo3 xtns", "3 1\n2 3 9\n1 1 1 1.5\n", "2x3x9 1,1,1=1.5"},
    {"xtns", "c128", EXTENDED "2 1\n2 2\n1 2 3 4\n", "2x2 1,2=3:4"},
    {"xtns", "coo3", EXTENDED "3 0\n2 3 9\n", "2x3x9"},
    {"xtns", "coo3", EXTENDED "3 2\n2 3\n1 1 1 1.5\n2 3 4 5\n", "E_HEADER 3:4"},
    {"xtns", "coo3", EXTENDED "3 2\n2 3 9\n1 1 1 1.5\n%\n\n\n\n", "E_ENTRY 5:1"},
    {"xtns", "coo3", EXTENDED "3 2\n2 3 9\n1 1 1 1.5\n#\n\n\n\n\n\n", "E_COUNT 11:1"},
    {"xtns", "coo3", EXTENDED "3 1\n2 3 9\n1 1 1 1.5\n1 1 2 2\n", "E_COUNT 5:1"},
    {"xtns", "coo3", EXTENDED "3 1\n2 3 9\n1 4 1 1.5\n", "E_COORDINATE 4:3"},
    {"xtns", "coo3", EXTENDED "2 1\n2 3\n1 1 1.5\n", "E_DIMENSIONS 2:1"},
    {"xtns", "vec", EXTENDED "0 0\n\n", "E_DIMENSIONS 2:1"},
    {"xtns", "csr8", EXTENDED "2 1\n1 300\n1 300 1.0\n", "E_COORDINATE_WIDTH 3:1"},

    {"smtx", "smtx", "3, 4, 5\n0 2 2 5 \n0 3 1 2 3 \n", "3x4 1,1=1 1,4=1 3,2=1 3,3=1 3,4=1"},
    {"smtx", "smtx", "% c\n3 4 5\n0 2 2 5\n3 0 1 2 3", "3x4 1,1=1 1,4=1 3,2=1 3,3=1 3,4=1"},
    {"smtx", "smtx", "3, 4, 1\n% 1 2, a comment\n0 0 0 1\n% another\n0", "3x4 3,1=1"},
    {"smtx", "smtx", "3, 4, 0\n0 0 0 0\n\n", "3x4"},
    {"smtx", "smtx", "3,4,1\n0 0 0 1\n0", "3x4 3,1=1"},
    {"smtx", "smtx", "0 4 0\n0\n", "0x4"},
    {"smtx", "smtx", "3, 4, 5\n0 2 2 5\n0 -1 1 2 3\n", "E_COORDINATE 3:3"},
    {"smtx", "smtx", "3, 4, 5\n0 2 2 5\n0 4 1 2 3\n", "E_COORDINATE 3:3"},
    {"smtx", "smtx", "3, 4, 5\n0 2 2 5\n0 3 1\n", "E_ENTRY 3:6"},
    {"smtx", "smtx", "3, 4, 5\n0 2 2 5\n0 3 1 2 3 1\n", "E_COUNT 3:11"},
    {"smtx", "smtx", "3, 4, 5\n0 2 2 5\n0 3 1 2 3\n1\n", "E_COUNT 4:1"},
    {"smtx", "", "% c\n3, 4, 5\n0 2 2 5 \n0 3 1 2 3 \n", "3x4 1,1=1 1,4=1 3,2=1 3,3=1 3,4=1"},
    {"smtx", "", "3,4,1\r\n0 0 0 1\r\n0", "3x4 3,1=1"},
    {"smtx", "", "3, 4, 5\n0 2 2 5\n0 3 1 2\n", "E_ENTRY 3:8"},
    {"smtx", "", "3, 4, 5\n0 2 5\n0 3 1 2 3\n", "E_FILE_FORMAT 1:1"},
    {"smtx", "", "3, 4, 5\n0 2 1 5\n0 3 1 2 3\n", "E_FILE_FORMAT 1:1"},
    {"smtx", "", "3, 4\n0 2 2 5\n0 3 1 2 3\n", "E_FILE_FORMAT 1:1"},
    {"smtx", "smtx", "3, 4, 5\n", "E_COUNT 1:1"},
    {"smtx", "smtx", "3, 4, 0\n", "E_COUNT 2:1"},
    {"smtx", "smtx", "3, 4, 4000000000\n0 2 2 5\n0 3 1 2 3\n", "E_COUNT 1:1"},
    {"smtx", "smtx", "3, 4, 5\n0 2 2 9\n0 3 1 2 3\n", "E_POSITIONS 2:7"},
    {"smtx", "smtx", "3, 4, 5\n0 2 2 4\n0 3 1 2 3\n", "E_POSITIONS 2:8"},
    {"smtx", "smtx", "3, 4, 5\n0 4 2 5\n0 3 1 2 3\n", "E_POSITIONS 2:5"},
    {"smtx", "smtx", "3, 4, 5\n1 2 2 5\n0 3 1 2 3\n", "E_POSITIONS 2:1"},
    {"smtx", "smtx", "3, 4, 5\n0 2 5\n0 3 1 2 3\n", "E_POSITIONS 2:6"},
    {"smtx", "smtx", "3, 4, 5\n0 2 2 5 5\n0 3 1 2 3\n", "E_POSITIONS 2:9"},
};

static void test_cases(void)
{
    char got[1000], detail[2200];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const io_case *const c = &cases[k];
        if (setup_of(c->options).skip) {
            skipped++;
            continue;
        }
        for (size_t step = 0; step < 5; step++) {
            outcome(c->options, c->text, strlen(c->text), step, got, sizeof got);
            snprintf(detail, sizeof detail, "[%s] \"%s\" by %zu bytes: got %s, not %s", c->options, c->text, step,
                     got, c->expected);
            if (step % 2 == 0 || strncmp(c->expected, "E_COUNT", 7) != 0) /* if odd, the length is not known */
                check(strcmp(got, c->expected) == 0, c->rule, detail);
        }
    }
    const char nul[] = REAL "3 3 1\n3 3\0004.0\n";
    outcome("", nul, sizeof nul - 1, 0, got, sizeof got);
    check(strcmp(got, "E_ENTRY 3:3") == 0, "17 NUL bytes", got);
    const char banner[] = "%%MatrixMarket matrix array\000 real general\n1 1\n1\n";
    outcome("", banner, sizeof banner - 1, 0, got, sizeof got);
    check(strcmp(got, "E_BANNER 1:23") == 0, "17 NUL bytes", got);
}

/* Lines, comments and blanks that are longer than the read window; a source that fails. */
static void test_windows(void)
{
    const size_t lengths[] = {SPARSE_P_WINDOW - 2, SPARSE_P_WINDOW - 1, SPARSE_P_WINDOW, 3 * SPARSE_P_WINDOW + 1};
    static const char *const head = REAL "2 2 2\n1 2 1.5\n";
    char *const text = (char *)malloc(4 * SPARSE_P_WINDOW + 1000);
    char got[1000];
    for (size_t k = 0; k < 4 * 4; k++) {
        const char filler = "% 0\n"[k / 4];
        const size_t n = lengths[k % 4];
        char *at = text + sprintf(text, "%s", head);
        memset(at, filler, n);
        at += n;
        if (filler != '0') at += sprintf(at, filler == '%' ? "\n2 1 4" : "2 1 4");
        else at += sprintf(at, "2 1 4");
        outcome("", text, (size_t)(at - text), 0, got, sizeof got);
        check(strcmp(got, "2x2 1,2=1.5 2,1=4") == 0, "windows", got);
        at[-1] = 'x';
        outcome("", text, (size_t)(at - text), 0, got, sizeof got);
        char place[100];
        snprintf(place, sizeof place, "E_ENTRY %zu:%zu", filler == '%' ? 5 : filler == '\n' ? 4 + n : 4,
                 filler == ' ' || filler == '0' ? n + 5 : (size_t)5);
        check(strcmp(got, place) == 0, "windows", got);
    }
    char *at = text + sprintf(text, "1, 40000, 40000\n0 40000\n");
    for (int k = 0; k < 40000; k++) at += sprintf(at, "%d ", 39999 - k);
    setup s = setup_of("smtx csr");
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    t.encoding = &s.e;
    check(sparse_read_memory(&t, text, (size_t)(at - text), &s.o) == SPARSE_OK && t.val.length == 40000, "windows", "smtx");
    sparse_io_error error;
    s = setup_of("csr");
    s.o.error = &error;
    for (size_t most = 0; most < strlen(head) + 6; most++) {
        const sparse_result result = read_in_steps(&t, REAL "2 2 2\n1 2 1.5\n2 1 4\n", strlen(head) + 6, 1, most, &s.o);
        check(result == SPARSE_E_READ && error.result == result, "windows", error.message);
    }
    sparse_free(&t);
    free(text);
}

/* ---- wrong calls, memory that runs out ---- */

/* Makes *t an empty tensor with this encoding and these hooks, and returns options that report errors to *error. */
static sparse_read_options options_within(sparse_tensor *t, const sparse_encoding *e, const sparse_hooks *hooks, sparse_io_error *error)
{
    sparse_read_options o;
    memset(&o, 0, sizeof o);
    memset(t, 0, sizeof *t);
    t->encoding = e;
    t->hooks = hooks;
    o.error = error;
    return o;
}

static void test_memory(void)
{
    static const char *const texts[] = {SYMMETRIC "3 3 3\n1 1 1\n2 1 2\n3 2 3\n", SYMMETRIC "3 3 5\n1 1 1\n2 1 2\n1 2 2\n3 2 3\n2 3 3\n"};
    sparse_encoding e = csr(SPARSE_F64);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        sparse_result result = SPARSE_E_MEMORY;
        for (long fuse = 0; result != SPARSE_OK && fuse < 100; fuse++) {
            budget b = {0, 1 << 20, fuse};
            sparse_hooks hooks = {budget_resize, &b};
            sparse_tensor t;
            sparse_io_error error;
            sparse_read_options o = options_within(&t, &e, &hooks, &error);
            o.lenient = k > 0; /* both triangles are stored */
            result = sparse_read_memory(&t, texts[k], strlen(texts[k]), &o);
            check(result == SPARSE_OK || result == SPARSE_E_MEMORY, "memory", error.message);
            check(error.result == result, "memory", "the error differs from the result");
            sparse_free(&t);
            check(b.used == 0, "memory", "leaked");
        }
        check(result == SPARSE_OK, "memory", "never enough");
    }
}

/* A short file that declares huge sizes: it is refused before memory is requested, unless the option `expansion` allows
   it. */
static void test_expansion(void)
{
    static const char *const texts[] = {REAL "4000000000 4 1\n4000000000 4 3\n", SYMMETRIC "1000000000 1000000000 1\n1000000000 1 3\n",
                                        "1 1 3\n1000000000 4 3\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts && sizeof(size_t) > 4; k++)
        for (int dense = 0; dense < 2; dense++)
            for (int meant = 0; meant < 2; meant++) {
                sparse_encoding e = csr(SPARSE_F64);
                if (dense) e.level[1].type = SPARSE_DENSE;
                budget b = {0, 1 << 20, -1};
                sparse_hooks hooks = {budget_resize, &b};
                sparse_tensor t;
                sparse_io_error error;
                sparse_read_options o = options_within(&t, &e, &hooks, &error);
                o.format = texts[k][0] == '%' ? SPARSE_FILE_MATRIX_MARKET : SPARSE_FILE_FROSTT;
                if (meant) o.expansion = SIZE_MAX;
                check(sparse_read_memory(&t, texts[k], strlen(texts[k]), &o) == SPARSE_E_MEMORY, "expansion", texts[k]);
                check((strstr(error.message, "option expansion") == NULL) == (meant > 0), "expansion", error.message);
                check(b.used == 0 && t.hooks == &hooks, "expansion", "leaked");
            }
}

/* A dense array, in any order of its elements, is read directly into the tensor, without a copy of its size. */
static void test_array_in_place(void)
{
    enum { SIDE = 200, HEAD = 128, BYTES = SIDE * SIDE, ROOM = 5 * BYTES };
    static const char head[] = "\x93NUMPY\1\0\x76\0{'descr': '|u1', 'fortran_order': True, 'shape': (200, 200), }";
    static char text[HEAD + BYTES];
    memset(text, ' ', HEAD);
    memcpy(text, head, sizeof head - 1);
    text[HEAD - 1] = '\n';
    for (size_t k = 0; k < BYTES; k++) text[HEAD + k] = (char)(k % 101);
    sparse_encoding e = encoding_of(2, SPARSE_U8);
    budget b = {0, ROOM, -1};
    sparse_hooks hooks = {budget_resize, &b};
    sparse_tensor t;
    sparse_io_error error;
    sparse_read_options o = options_within(&t, &e, &hooks, &error);
    error.message[0] = '\0';
    check(sparse_read_memory(&t, text, sizeof text, &o) == SPARSE_OK, "array in place", error.message);
    check(t.val.length == BYTES && ((const uint8_t *)t.val.at)[3 * SIDE + 2] == (2 * SIDE + 3) % 101, "array in place",
          "a value");
    sparse_free(&t);
    check(b.used == 0, "array in place", "leaked");
}

/* A progress callback that cancels at a given call. */
static bool refuse_once(void *calls, uint64_t at, uint64_t total)
{
    (void)at, (void)total;
    return (*(long *)calls)-- != 0;
}

/* A bad value at the very end of a text, with and without a final newline: its line and column are reported. */
static void test_ends(void)
{
    static const char *const last[] = {"x", "1e999", "", "1 1"}; /* the rest of the last line */
    static char text[40000];
    const sparse_encoding encodings[] = {csr(SPARSE_F64), csr(SPARSE_F32), coo(2, SPARSE_F64)};
    for (size_t n = 1; n < 2500; n = 3 * n + 1)
        for (size_t k = 0; k < sizeof last / sizeof *last; k++)
            for (unsigned way = 0; way < 12; way++) {
                sparse_tensor t;
                sparse_io_error error;
                sparse_read_options o;
                memset(&t, 0, sizeof t);
                memset(&o, 0, sizeof o);
                t.encoding = &encodings[way % 3];
                o.error = &error;
                o.threads = way / 3 % 2 + 1;
                size_t at = (size_t)snprintf(text, sizeof text, "%s%zu %zu %zu\n", REAL, n, n, n);
                for (size_t i = 1; i < n; i++) at += (size_t)snprintf(text + at, sizeof text - at, "%zu %zu 1\n", i, i);
                const size_t before = (size_t)snprintf(text + at, sizeof text - at, "%zu %zu ", n, n);
                at += before;
                at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", last[k], way / 6 ? "\n" : "");
                check(sparse_read_memory(&t, text, at, &o) != SPARSE_OK, "ends", "refused");
                check(error.line == n + 2 && error.column == before + (k == 3 ? 3 : 1), "ends", error.message);
                sparse_free(&t);
            }
}

/* Memory runs out, or the progress callback cancels, while the reader searches for the first entry at fault: it must not
   report another one. */
static void test_blame(void)
{
    static const char text[] = REAL "9 9 9\n1 1 1\n2 2 1\n1 1 1\n3 3 1\n4 4 1\n5 5 1\n6 6 1\n7 7 1\n8 8 1\n";
    const char *const place = "memory:5:1: there is an entry at 1 1 already (option duplicates)";
    sparse_encoding e = csr(SPARSE_F64);
    for (unsigned stopped = 0; stopped < 2; stopped++) {
        const sparse_result expected = stopped ? SPARSE_E_STOPPED : SPARSE_E_MEMORY;
        sparse_result result = expected;
        for (long fuse = 0; result == expected && fuse < 1000; fuse++) {
            budget b = {0, 1 << 20, stopped ? -1 : fuse};
            sparse_hooks hooks = {budget_resize, &b};
            long calls = fuse;
            sparse_tensor t;
            sparse_io_error error;
            sparse_read_options o = options_within(&t, &e, &hooks, &error);
            o.duplicates = SPARSE_DUPLICATES_ERROR;
            if (stopped) o.progress = refuse_once, o.progress_context = &calls;
            result = sparse_read_memory(&t, text, strlen(text), &o);
            check(result == expected || strcmp(error.message, place) == 0, "blame", error.message);
            sparse_free(&t);
            check(b.used == 0, "blame", "leaked");
        }
        check(result == SPARSE_E_DUPLICATE, "blame", "never said");
    }
}

static void test_calls(void)
{
    sparse_encoding e = csr(SPARSE_F64), opaque = csr(SPARSE_OPAQUE);
    sparse_io_error error;
    sparse_read_options o;
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    memset(&o, 0, sizeof o);
    o.error = &error;
    check(sparse_read_memory(NULL, "", 0, NULL) == SPARSE_E_NULL, "calls", "no tensor");
    check(sparse_read_memory(&t, "", 0, &o) == SPARSE_E_NO_ENCODING, "calls", "no encoding");
    check(error.result == SPARSE_E_NO_ENCODING && error.line == 0, "calls", error.message);
    t.encoding = &opaque;
    check(sparse_read_memory(&t, REAL, strlen(REAL), &o) == SPARSE_E_VALUE_TYPE, "calls", "opaque");
    t.encoding = &e;
    check(sparse_read_memory(&t, NULL, 0, &o) == SPARSE_E_NULL, "calls", "no text");
    check(sparse_read(&t, NULL, &o) == SPARSE_E_NULL, "calls", "no path");
    check(sparse_read(&t, "no/such/file.mtx", &o) == SPARSE_E_OPEN, "calls", "no file");
    check(strstr(error.message, "no/such/file.mtx: ") != NULL, "calls", error.message);
    check(strstr(error.message, strerror(ENOENT)) != NULL, "calls", error.message);
    check(sparse_read(&t, ".", &o) == SPARSE_E_READ, "calls", "a directory");
    check(strstr(error.message, strerror(EISDIR)) != NULL, "calls", error.message);
    check(sparse_write(&t, "x.mtx", NULL) == SPARSE_E_EMPTY, "calls", "nothing to write");
    check(sparse_print(&t, stdout) == SPARSE_E_EMPTY, "calls", "nothing to print");
    check(sparse_spy(&t, "x.svg") == SPARSE_E_EMPTY, "calls", "nothing to draw");
    check(sparse_draw_storage(&t, "x.svg") == SPARSE_E_EMPTY, "calls", "nothing to draw");
    pruned n = SPARSE_INIT(pruned); /* stores no positions, only blocks of a fixed size */
    check(sparse_write(&n.t, "x.mtx", NULL) == SPARSE_E_EMPTY, "calls", "no blocks to write");
    check(sparse_validate(&n.t, NULL) == SPARSE_E_EMPTY, "calls", "no blocks to check");

    /* a refused file leaves the tensor alone; an accepted one replaces it; the error is cleared */
    static const char good[] = REAL "2 2 1\n2 1 4\n", bad[] = REAL "2 2 1\n2 1 x\n";
    char got[1000];
    check(sparse_read_memory(&t, good, sizeof good - 1, &o) == SPARSE_OK, "calls", error.message);
    check(error.result == SPARSE_OK, "calls", "the error is cleared");
    check(sparse_read_memory(&t, bad, sizeof bad - 1, &o) == SPARSE_E_ENTRY, "calls", "refused");
    check(strcmp(error.message, "memory:3:5: \"x\" is not a number") == 0, "calls", error.message);
    describe(&t, got, sizeof got);
    check(strcmp(got, "2x2 2,1=4") == 0, "calls", got);
    check(sparse_read_memory(&t, good, sizeof good - 1, NULL) == SPARSE_OK, "calls", "no options");
    sparse_free(&t);
}

/* ---- writing, printing, drawing ---- */

/* Writes a tensor and reads it back: the result must be equal, bit for bit. */
static void check_round_trip(const sparse_tensor *t, const char *name)
{
    const char *const path = scratch(name);
    char detail[200];
    sparse_tensor back;
    sparse_io_error error;
    sparse_write_options w;
    sparse_read_options r;
    memset(&r, 0, sizeof r);
    memset(&w, 0, sizeof w);
    w.error = &error;
    memset(&back, 0, sizeof back);
    back.encoding = t->encoding;
    r.duplicates = SPARSE_DUPLICATES_KEEP;
    r.error = &error;
    check(sparse_write(t, path, &w) == SPARSE_OK, "write", error.message);
    check(sparse_read(&back, path, &r) == SPARSE_OK, "read back", error.message);
    snprintf(detail, sizeof detail, "%s of kind %d", path, (int)t->encoding->kind);
    check(memcmp(t->dim, back.dim, sizeof t->dim) == 0, "round trip, sizes", detail);
    check(t->val.length == back.val.length, "round trip, length", detail);
    check(t->val.length == back.val.length &&
              memcmp(t->val.at, back.val.at, t->val.length * t->encoding->value_size) == 0,
          "round trip, values", detail);
    sparse_free(&back);
    remove(path);
}

/* Writing to a symbolic link keeps the link and replaces its target. Messages contain the reason given by the operating
   system. */
static void test_places(void)
{
    const sparse_encoding e = csr(SPARSE_F64), whole = csr(SPARSE_U16);
    char got[1000], name[400];
    struct stat status;
    sparse_io_error error;
    sparse_write_options o;
    sparse_tensor t = tensor_of(&e, REAL "3 4 3\n1 2 1\n2 1 -0.5\n3 4 1e100\n");
    memset(&o, 0, sizeof o);
    o.error = &error;
    check(mkdir(scratch("far"), 0700) == 0, "links", "a directory");
    check(symlink("far/b.mtx", scratch("a.mtx")) == 0 && symlink("c.mtx", scratch("far/b.mtx")) == 0, "links", "two");
    for (int old = 0; old < 2; old++) { /* the file is missing, then exists */
        o.durable = old == 1;
        check(sparse_write(&t, scratch("a.mtx"), &o) == SPARSE_OK, "links", error.message);
        check(lstat(scratch("a.mtx"), &status) == 0 && S_ISLNK(status.st_mode), "links", "the first one stays a link");
        check(lstat(scratch("far/b.mtx"), &status) == 0 && S_ISLNK(status.st_mode), "links", "the second one stays a link");
        check(lstat(scratch("far/c.mtx"), &status) == 0 && S_ISREG(status.st_mode), "links", "the file is written");
        check(!exists(scratch("far/c.mtx.0.tmp")), "links", "no temporary file is left");
        slurp(fopen(scratch("a.mtx"), "rb"), got, sizeof got);
        check(strcmp(got, REAL "3 4 3\n1 2 1\n2 1 -0.5\n3 4 1e+100\n") == 0, "links", got);
    }
    snprintf(name, sizeof name, "%s", scratch("far/c.mtx"));
    remove(scratch("far/b.mtx"));
    check(symlink(name, scratch("far/b.mtx")) == 0, "links", "an absolute one");
    check(sparse_write(&t, scratch("a.mtx"), &o) == SPARSE_OK, "links", error.message);
    check(lstat(name, &status) == 0 && S_ISREG(status.st_mode), "links", "the file of an absolute one");
    check(sparse_spy(&t, scratch("a.mtx")) == SPARSE_OK, "links", "a picture");
    check(lstat(scratch("a.mtx"), &status) == 0 && S_ISLNK(status.st_mode), "links", "a picture leaves a link");
    remove(scratch("far/b.mtx"));
    check(symlink("../a.mtx", scratch("far/b.mtx")) == 0, "links", "a loop");
    check(sparse_write(&t, scratch("a.mtx"), &o) == SPARSE_E_OPEN, "links", "a loop");
    check(strstr(error.message, strerror(ELOOP)) != NULL, "links", error.message);
    remove(scratch("far/b.mtx"));
    remove(scratch("far/c.mtx"));
    remove(scratch("a.mtx"));
    remove(scratch("far"));

    check(sparse_write_stream(&t, stdout, &o) == SPARSE_E_ARGUMENT, "durable", "a stream");
    o.durable = false;
    FILE *const full = fopen("/dev/full", "wb");
    if (full) {
        check(sparse_write_stream(&t, full, &o) == SPARSE_E_WRITE, "a full disk", error.message);
        check(strstr(error.message, strerror(ENOSPC)) != NULL, "a full disk", error.message);
        fclose(full);
    }
    sparse_free(&t);

    t = tensor_of(&whole, REAL "2 2 0\n"); /* reading the file again would be refused */
    o.symmetry = SPARSE_SYMMETRY_SKEW;
    check(sparse_write(&t, scratch("u.mtx"), &o) == SPARSE_E_SYMMETRY, "unsigned and skew-symmetric", error.message);
    sparse_free(&t);
}

static void test_write(void)
{
    static const char integers[] = INTEGER "3 4 3\n1 2 127\n2 1 0\n3 4 1\n";
    static const char reals[] = REAL "4 3 9\n1 2 0.1\n2 1 -0.0\n4 3 1e38\n1 1 16777217\n3 1 1.17549435e-38\n3 2 1e-45\n"
                                     "3 3 0.30000000000000004\n1 3 -3.4028234e38\n2 2 inf\n";
    static const char doubles[] = REAL "2 3 6\n1 1 5e-324\n1 2 2.2250738585072011e-308\n1 3 1.7976931348623157e308\n"
                                       "2 1 0.1\n2 2 123456789012345678\n2 3 -inf\n";
    static const char complexes[] = COMPLEX "2 2 2\n1 2 0.1 -0.0\n2 1 1e-300 7\n";
    static const char *const names[] = {"out.mtx", "out.tns", "out.xtns", "out.ttx"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t p = 0; p < sizeof names / sizeof *names; p++)
            for (int shape = 0; shape < 3; shape++) {
                const sparse_kind kind = kinds[k].kind;
                const sparse_encoding e = shape == 0   ? csr(kind)
                                          : shape == 1 ? coo(2, kind)
                                                       : encoding_of(2, kind);
                const char *const text = kind == SPARSE_C128  ? complexes
                                         : kind == SPARSE_F64 ? doubles
                                         : kind >= SPARSE_F32 ? reals
                                                              : integers;
                sparse_tensor t = tensor_of(&e, text);
                check_round_trip(&t, names[p]);
                sparse_free(&t);
            }

    const sparse_encoding three = coo(3, SPARSE_F64), one = coo(1, SPARSE_F64);
    sparse_tensor t = tensor_of(&three, EXTENDED "3 2\n2 3 4\n1 1 1 0.1\n2 3 4 5\n");
    for (size_t p = 0; p < sizeof names / sizeof *names; p++) check_round_trip(&t, names[p]);
    sparse_free(&t);
    t = tensor_of(&one, "%%MatrixMarket vector coordinate real general\n4 2\n2 5\n4 6\n");
    for (size_t p = 0; p < sizeof names / sizeof *names; p++) check_round_trip(&t, names[p]);
    sparse_free(&t);

    /* the printed text */
    char got[1000];
    const sparse_encoding e = csr(SPARSE_F64), dense = encoding_of(2, SPARSE_C64);
    t = tensor_of(&e, REAL "3 4 3\n1 2 1\n2 1 -0.5\n3 4 1e100\n");
    check(sparse_write(&t, scratch("out.mtx"), NULL) == SPARSE_OK, "write", "csr");
    slurp(fopen(scratch("out.mtx"), "rb"), got, sizeof got);
    check(strcmp(got, REAL "3 4 3\n1 2 1\n2 1 -0.5\n3 4 1e+100\n") == 0, "write", got);

    /* a failed write leaves the previous file unchanged, and no temporary files */
    sparse_io_error error;
    sparse_write_options o;
    memset(&o, 0, sizeof o);
    o.format = SPARSE_FILE_SMTX;
    o.error = &error;
    check(sparse_write(&t, scratch("out.mtx"), &o) == SPARSE_E_VALUE_TYPE, "write", "smtx");
    check(error.result == SPARSE_E_VALUE_TYPE, "write", error.message);
    slurp(fopen(scratch("out.mtx"), "rb"), got, sizeof got);
    check(strlen(got) > 60, "write", "the file is still there");
    check(!exists(scratch("out.mtx.0.tmp")), "write", "no temporary file is left");
    /* a replaced file keeps its mode; temporary files of killed writers do not block a name */
    struct stat status;
    for (int n = 0; n < 120; n++) {
        char left[32];
        snprintf(left, sizeof left, "kept.mtx.%d.tmp", n);
        FILE *const f = fopen(scratch(left), "w");
        if (f) fclose(f);
    }
    check(sparse_write(&t, scratch("kept.mtx"), NULL) == SPARSE_OK, "write", "beside 120 leftovers");
    check(chmod(scratch("kept.mtx"), 0600) == 0, "write", "chmod");
    check(sparse_write(&t, scratch("kept.mtx"), NULL) == SPARSE_OK, "write", "over a file");
    check(stat(scratch("kept.mtx"), &status) == 0 && (status.st_mode & 0777) == 0600, "write", "its mode");
    remove(scratch("kept.mtx"));
    for (int n = 0; n < 120; n++) {
        char left[32];
        snprintf(left, sizeof left, "kept.mtx.%d.tmp", n);
        check(remove(scratch(left)) == 0, "write", "a leftover stays");
    }
    check(sparse_write(&t, scratch("out.dat"), NULL) == SPARSE_E_FILE_FORMAT, "write",
          "an unknown extension");
    sparse_read_options behind;
    memset(&behind, 0, sizeof behind);
    o.format = behind.format = (sparse_file_format)SPARSE_P_FILE_COUNT;
    check(sparse_write(&t, scratch("out.mtx"), &o) == SPARSE_E_FILE_FORMAT, "write", "behind the last format");
    check(sparse_read(&t, scratch("out.mtx"), &behind) == SPARSE_E_FILE_FORMAT, "read", "behind the last format");
    behind.format = SPARSE_FILE_AUTO;
    behind.duplicates = (sparse_duplicates)(error.result > 0 ? 4 : 0);
    check(sparse_read(&t, scratch("out.mtx"), &behind) == SPARSE_E_ARGUMENT, "read", "behind the last of duplicates");
    check(sparse_write(&t, "no/such/place.mtx", NULL) == SPARSE_E_OPEN, "write", "no such directory");

    /* a path that is not a regular file is not replaced by one */
    check(mkfifo(scratch("pipe.mtx"), 0600) == 0, "write", "a pipe");
    check(sparse_write(&t, scratch("pipe.mtx"), NULL) == SPARSE_E_OPEN, "write", "into the place of a pipe");
    check(sparse_spy(&t, scratch("pipe.mtx")) == SPARSE_E_OPEN, "spy", "into the place of a pipe");
    check(stat(scratch("pipe.mtx"), &status) == 0 && S_ISFIFO(status.st_mode), "write", "the pipe is still there");
    check(!exists(scratch("pipe.mtx.0.tmp")), "write", "nothing is beside the pipe");
    o.format = SPARSE_FILE_AUTO;
    check(sparse_write(&t, scratch("pipe.mtx"), &o) == SPARSE_E_OPEN && strstr(error.message, "sparse_write_stream"), "write", "a pipe is told of");
    /* a link to a device is refused; otherwise the link would be replaced */
    check(symlink("/dev/zero", scratch("device")) == 0, "write", "a link to a device");
    check(sparse_write(&t, scratch("device"), &o) == SPARSE_E_OPEN && strstr(error.message, "sparse_write_stream"), "write",
          "a device, before a format is asked for");
    remove(scratch("device"));
    check(sparse_write(&t, "/dev", &o) == SPARSE_E_OPEN, "write", "a directory");
    remove(scratch("pipe.mtx"));

    /* file names of all lengths up to the longest, which end in characters of two bytes */
    char name[400], temporary[sizeof name + 6];
    for (size_t length = 60; length <= 255; length += length < 70 || length >= 240 ? 1 : 10) {
        const size_t at = (size_t)snprintf(name, sizeof name, "%s", scratch(""));
        memset(name + at, 'n', length - 4);
        for (size_t k = length - 4; k >= length - 13; k -= 2) memcpy(name + at + k - 2, "\xc3\xa9", 2);
        memcpy(name + at + length - 4, ".mtx", 5);
        check(sparse_write(&t, name, NULL) == SPARSE_OK, "write", name);
        snprintf(temporary, sizeof temporary, "%s.0.tmp", name);
        check(!exists(temporary) && exists(name) && remove(name) == 0, "write", "a long name");
    }
    struct rlimit limit, tight;
    getrlimit(RLIMIT_FSIZE, &limit);
    tight = limit;
    tight.rlim_cur = 50;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &tight); /* the disk is full after 50 bytes */
    const sparse_result result = sparse_write(&t, scratch("out.mtx"), &o);
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_DFL);
    check(result == SPARSE_E_WRITE, "write", "a full disk");
    check(strstr(error.message, strerror(EFBIG)) != NULL, "write", error.message);
    slurp(fopen(scratch("out.mtx"), "rb"), got, sizeof got);
    check(strlen(got) > 60, "write", "the file is still whole");
    check(!exists(scratch("out.mtx.0.tmp")), "write", "no half file is left");
    remove(scratch("out.mtx"));
    sparse_free(&t);

    t = tensor_of(&dense, MM("array complex general") "1 2\n1 2\n3 -4.5\n");
    FILE *const stream = tmpfile();
    check(sparse_write_stream(&t, stream, NULL) == SPARSE_OK, "write", "dense");
    slurp(stream, got, sizeof got);
    check(strcmp(got, MM("array complex general") "1 2\n1 2\n3 -4.5\n") == 0, "write", got);
    sparse_free(&t);
}

/* Blocks print and write their entries, not their padding: a 3 x 3 matrix in blocks of 2 x 2. */
static sparse_encoding bsr(void)
{
    sparse_encoding e = encoding_of(2, SPARSE_F64);
    e.levels = 4;
    for (unsigned l = 0; l < 4; l++) {
        e.level[l].map = (uint8_t)(l < 2 ? SPARSE_MAP_FLOORDIV : SPARSE_MAP_MOD);
        e.level[l].dim = (uint8_t)(l % 2);
        e.level[l].c = 2;
    }
    e.level[1].type = SPARSE_COMPRESSED;
    return e;
}

static void test_print(void)
{
    static const struct {
        const char *text, *expected;
    } prints[] = {
        {REAL "3 4 3\n1 1 1\n1 4 2\n3 1 3\n", "---- Sparse Tensor ----\nnse = 3\ndim = ( 3, 4 )\nlvl = ( 3, 4 )\n"
         "pos[1] : ( 0, 2, 2, 3 )\ncrd[1] : ( 0, 3, 0 )\nvalues : ( 1, 2, 3 )\n----\n"},
        {REAL "2 2 0\n", "---- Sparse Tensor ----\nnse = 0\ndim = ( 2, 2 )\nlvl = ( 2, 2 )\n"
         "pos[1] : ( 0, 0, 0 )\ncrd[1] : ( )\nvalues : ( )\n----\n"},
        {COMPLEX "2 2 1\n2 1 1 -2.5\n", "---- Sparse Tensor ----\nnse = 1\ndim = ( 2, 2 )\nlvl = ( 2, 2 )\n"
         "pos[0] : ( 0, 1 )\ncrd[0] : ( 1, 0 )\nvalues : ( ( 1, -2.5 ) )\n----\n"},
        {REAL "3 3 2\n1 2 5\n3 3 7\n", "---- Sparse Tensor ----\nnse = 8\ndim = ( 3, 3 )\nlvl = ( 2, 2, 2, 2 )\n"
         "pos[1] : ( 0, 1, 2 )\ncrd[1] : ( 0, 1 )\nvalues : ( 0, 5, 0, 0, 7, 0, 0, 0 )\n----\n"}};
    const sparse_encoding e[] = {csr(SPARSE_F64), csr(SPARSE_F64), coo(2, SPARSE_C128), bsr()};
    char got[1000];
    for (size_t k = 0; k < sizeof prints / sizeof *prints; k++) {
        sparse_tensor t = tensor_of(&e[k], prints[k].text);
        FILE *const stream = tmpfile();
        check(sparse_print(&t, stream) == SPARSE_OK, "print", "result");
        slurp(stream, got, sizeof got);
        check(strcmp(got, prints[k].expected) == 0, "print", got);
        if (k == 3) {
            FILE *const written = tmpfile();
            check(sparse_write_stream(&t, written, NULL) == SPARSE_OK, "write", "bsr");
            slurp(written, got, sizeof got);
            check(strncmp(got, REAL "3 3 5\n1 1 0\n1 2 5\n", strlen(REAL) + 18) == 0, "write", got);
        }
        sparse_free(&t);
    }
}

static void test_opaque(void)
{
    const unsigned char crd[] = {2}, pos[] = {0, 1}, value[] = {7};
    sparse_encoding e = coo(1, SPARSE_OPAQUE);
    sparse_tensor t;
    char got[1000];
    memset(&t, 0, sizeof t);
    e.pos_bits = e.crd_bits = 8;
    t.encoding = &e;
    t.dim[0] = t.lvl[0] = 3;
    t.pos[0].at = (void *)pos;
    t.pos[0].length = 2;
    t.crd[0].at = (void *)crd;
    t.val.at = (void *)value;
    t.crd[0].length = t.val.length = 1;
    FILE *const stream = tmpfile();
    check(sparse_print(&t, stream) == SPARSE_OK, "opaque", "print");
    slurp(stream, got, sizeof got);
    check(strstr(got, "crd[0] : ( 2 )\nvalues : ( ? )\n") != NULL, "opaque", got);
    check(sparse_write(&t, scratch("out.mtx"), NULL) == SPARSE_E_VALUE_TYPE, "opaque", "write");
    check(!exists(scratch("out.mtx")) && !exists(scratch("out.mtx.0.tmp")), "opaque", "no file is left");
}

static void test_spy(void)
{
    static char got[1 << 16];
    const sparse_encoding e = csr(SPARSE_F64), wide = coo(2, SPARSE_F64), cube = coo(3, SPARSE_F64);
    sparse_tensor t = tensor_of(&e, REAL "2 3 3\n1 1 1\n1 2 1\n2 3 1\n");
    check(sparse_spy(&t, scratch("out.svg")) == SPARSE_OK, "spy", "result");
    slurp(fopen(scratch("out.svg"), "rb"), got, sizeof got);
    check(strncmp(got, "<svg ", 5) == 0 && strstr(got, "</svg>\n") != NULL, "spy", got);
    check(strstr(got, "M0 0h2v1H0zM2 1h1v1H2z") != NULL, "spy", got);
    check(strstr(got, ": 2 x 3, 3 entries</text>") != NULL, "spy, title", got);
    check(strstr(got, ">positive</text>") != NULL && !strstr(got, ">negative</text>"), "spy, legend", got);
    check(strstr(got, ">2</text>") != NULL, "spy, the last column has a tick", got);
    sparse_free(&t);
    t = tensor_of(&wide, REAL "4000000000 3 2\n1 1 1\n4000000000 3 1\n");
    check(sparse_spy(&t, scratch("out.svg")) == SPARSE_OK, "spy", "wide");
    slurp(fopen(scratch("out.svg"), "rb"), got, sizeof got);
    check(strstr(got, "M2 255h1v1H2z") != NULL, "spy", got);
    check(strstr(got, ">15625000 x 1</text>") != NULL && strstr(got, ">3500000000</text>") != NULL, "spy, legend and ticks", got);
    sparse_free(&t);
    t = tensor_of(&wide, REAL "0 3 0\n");
    check(sparse_spy(&t, scratch("out.svg")) == SPARSE_OK, "spy", "nothing to see");
    sparse_free(&t);
    t = tensor_of(&cube, EXTENDED "3 0\n1 1 1\n");
    check(sparse_spy(&t, scratch("out.svg")) == SPARSE_E_DIMENSIONS, "spy", "rank 3");
    sparse_free(&t);
    t = tensor_of(&wide, REAL "2 2 3\n1 1 -1\n2 1 0\n2 2 3\n");
    check(sparse_spy(&t, scratch("out.svg")) == SPARSE_OK, "spy", "signs");
    slurp(fopen(scratch("out.svg"), "rb"), got, sizeof got);
    check(strstr(got, "class='a' d='M1 1h1v1H1z'") && strstr(got, "class='b' d='M0 0h1v1H0z'") &&
              strstr(got, "class='c' d='M0 1h1v1H0z'"),
          "spy, signs", got);
    check(strstr(got, ", 1 of them zero<") && strstr(got, ">negative<") && strstr(got, ">stored zero<"), "spy, legend of signs",
          got);
    sparse_free(&t);
    t = tensor_of(&wide, REAL "2 2 4\n1 1 250\n1 2 -30\n2 1 0.5\n2 2 0\n");
    check(sparse_spy(&t, scratch("out.svg")) == SPARSE_OK, "spy", "magnitudes");
    slurp(fopen(scratch("out.svg"), "rb"), got, sizeof got);
    check(strstr(got, "class='a' d='M0 0h1v1H0z'") && strstr(got, "class='b' fill-opacity='75%' d='M1 0h1v1H1z'") &&
              strstr(got, "class='a' fill-opacity='38%' d='M0 1h1v1H0z'"),
          "spy, shades of magnitudes", got);
    check(strstr(got, ">from 100</text>") && strstr(got, ">from 10</text>") && strstr(got, ">below 1</text>") &&
              !strstr(got, ">from 1</text>") && strstr(got, ">stored zero<"),
          "spy, legend of magnitudes", got);
    sparse_free(&t);
    t = tensor_of(&wide, REAL "1 3 3\n1 1 nan\n1 2 -inf\n1 3 2\n");
    check(sparse_spy(&t, scratch("out.svg")) == SPARSE_OK, "spy", "infinities");
    slurp(fopen(scratch("out.svg"), "rb"), got, sizeof got);
    check(strstr(got, ">positive</text>") && strstr(got, ">negative</text>") && !strstr(got, "opacity"), "spy, infinities", got);
    sparse_free(&t);
    remove(scratch("out.svg"));
}

/* The number of occurrences of a word in a text. */
static unsigned times_in(const char *text, const char *word)
{
    unsigned n = 0;
    for (; (text = strstr(text, word)) != NULL; text++) n++;
    return n;
}

static void test_draw_storage(void)
{
    static char got[1 << 16], many[4000];
    const sparse_encoding e = csr(SPARSE_F64), list = coo(2, SPARSE_C64);
    sparse_tensor t = tensor_of(&e, REAL "3 4 5\n1 1 1\n1 4 4\n3 1 5\n3 2 6\n3 3 1e-300\n");
    check(sparse_draw_storage(&t, NULL) == SPARSE_E_NULL, "draw", "no path");
    check(sparse_draw_storage(&t, scratch("out.svg")) == SPARSE_OK, "draw", "result");
    slurp(fopen(scratch("out.svg"), "rb"), got, sizeof got);
    check(strstr(got, ">0: dense i<") && strstr(got, ">1: compressed j<"), "draw, levels", got);
    check(strstr(got, ">pos[1]: 4 numbers of ") && strstr(got, ">crd[1]: 5 numbers of "), "draw, arrays", got);
    check(times_in(got, "<rect class='n'") == 3 + 4 && times_in(got, "<rect class='a'") == 5 + 5 &&
              times_in(got, "<rect class='b'") == 5 + 5,
          "draw, boxes", got);
    check(times_in(got, ">1e-300<") == 2 && !strstr(got, "the first "), "draw, a value in the tree and in its array", got);
    sparse_encoding named = e;
    named.name = "a<b>&\nc";
    t.encoding = &named;
    for (int k = 0; k < 2; k++) {
        check((k ? sparse_spy : sparse_draw_storage)(&t, scratch("out.svg")) == SPARSE_OK, "draw", "a name of XML");
        slurp(fopen(scratch("out.svg"), "rb"), got, sizeof got);
        check(strstr(got, ">a&lt;b&gt;&amp;c: ") != NULL, "draw, a name of XML", got);
    }
    sparse_free(&t);
    strcpy(many, "%%MatrixMarket matrix coordinate complex general\n60 60 60\n");
    for (int k = 1; k <= 60; k++) sprintf(many + strlen(many), "%d %d %d.5 -1\n", k, k, k);
    t = tensor_of(&list, many);
    check(sparse_draw_storage(&t, scratch("out.svg")) == SPARSE_OK, "draw", "complex");
    slurp(fopen(scratch("out.svg"), "rb"), got, sizeof got);
    check(strstr(got, "the first ") && strstr(got, ">nonunique <") && strstr(got, ">4.5, -1<"), "draw, what does not fit", got);
    sparse_free(&t);

    /* positions of a batch count within its own arrays */
    sparse_encoding batched = encoding_of(3, SPARSE_F64);
    batched.level[0].type = SPARSE_BATCH;
    batched.level[2].type = SPARSE_COMPRESSED;
    t = tensor_of(&batched, EXTENDED "3 4\n2 2 3\n1 1 1 7\n1 2 2 8\n2 1 2 9\n2 1 3 10\n");
    check(sparse_draw_storage(&t, scratch("out.svg")) == SPARSE_OK, "draw", "batches");
    slurp(fopen(scratch("out.svg"), "rb"), got, sizeof got);
    check(strstr(got, ", 2 stored in each batch<"), "draw, entries of a batch", got);
    check(times_in(got, ">7<") == 2 && times_in(got, ">8<") == 2 && times_in(got, ">9<") == 2 && times_in(got, ">10<") == 2,
          "draw, each value once in the tree of batches and once in its array", got);
    sparse_free(&t);
    remove(scratch("out.svg"));
}

/* Numbers are read and written with a point in locales whose decimal separator is a comma. */
static void test_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                        "fr_FR.utf8",  "de_DE",      "German"};
    const sparse_encoding e = encoding_of(2, SPARSE_F64);
    const char *name = NULL;
    for (size_t k = 0; name == NULL && k < sizeof names / sizeof *names; k++)
        name = setlocale(LC_ALL, names[k]);
    if (name == NULL || strcmp(localeconv()->decimal_point, ",") != 0) {
        printf("test_io: no locale with a decimal comma, its test is skipped\n");
        skipped++;
        return;
    }
    char got[200];
    sparse_tensor t = tensor_of(&e, ARRAY "1 2\n1.5\n0.30000000000000004\n");
    FILE *const stream = tmpfile();
    check(sparse_write_stream(&t, stream, NULL) == SPARSE_OK, "locale", name);
    slurp(stream, got, sizeof got);
    check(strcmp(got, ARRAY "1 2\n1.5\n0.30000000000000004\n") == 0, "locale", got);
    sparse_free(&t);
    setlocale(LC_ALL, "C");
}

/* ---- numbers against the C library ---- */

/* Does the kit read the text as strtod and strtof do, which round correctly? */
static void check_number(const char *text)
{
    sparse_p_decimal n;
    const char *const end = text + strlen(text);
    double x = 0, y = 0;
    bool good = sparse_p_scan(text, end, false, &n) == end;
    if (good) {
        sparse_p_to_real(&n, false, &x);
        sparse_p_to_real(&n, true, &y);
    }
    const double x_expected = strtod(text, NULL), y_expected = (double)strtof(text, NULL);
    good = good && memcmp(&x, &x_expected, sizeof x) == 0 && memcmp(&y, &y_expected, sizeof y) == 0;
    if (!good) check(false, "numbers", text);
}

/* Random numbers; then the midpoints between neighbouring numbers with all their digits, and numbers slightly above and
   below. */
static void test_numbers(void)
{
    char text[1200], above[1201];
    const int before = failed;
    for (int k = 0; k < 50000; k++) {
        const uint64_t bits = random_bits(), more = random_bits();
        double x;
        memcpy(&x, &bits, sizeof x);
        if (x - x < 0 || x - x > 0 || x != x) continue;
        snprintf(text, sizeof text, "%.*g", (int)(more % 20) + 1, x);
        check_number(text);
        snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)(bits >> (more % 64)),
                 (unsigned long long)more, (int)(bits % 700) - 350);
        check_number(text);
    }
    for (int k = 0; k < 2000; k++) {
        uint32_t bits = (uint32_t)random_bits();
        float a, b;
        if (k % 2 == 0) bits &= ~((uint32_t)0xFE << 23); /* subnormal, half of the time */
        memcpy(&a, &bits, sizeof a);
        bits++;
        memcpy(&b, &bits, sizeof b);
        if (a - a != 0 || b - b != 0) continue;
        snprintf(text, sizeof text, "%.200e", ((double)a + (double)b) / 2);
        check_number(text);
        char *const e = strchr(text, 'e');
        snprintf(above, sizeof above, "%.*s1%s", (int)(e - text), text, e);
        check_number(above);
        char *last = e - 1;
        while (*last == '0') last--;
        if (*last != '.') --*last;
        check_number(text);
    }
    memset(above, '0',
           sizeof above - 1); /* halfway between 1 and the next number; the difference is beyond digit 768 */
    memcpy(above, "1.00000000000000011102230246251565404236316680908203125", 55);
    strcpy(above + 1000, "1e0");
    check_number(above);
    check(failed == before, "numbers", "some are read differently from strtod");
}

/* ---- the files of SPARSE_DATA, against the tables of its README.md ---- */

/* | file | rows | cols | nnz | full | format | field | symmetry | sum | ... */
static void check_matrix(const char *path, const char *text, size_t length, char *cell[])
{
    const bool array = strcmp(cell[5], "array") == 0, smtx = ends_with(path, ".smtx");
    sparse_encoding e = array ? encoding_of(2, kind_of(cell[6])) : coo(2, kind_of(cell[6]));
    sparse_tensor t;
    sparse_io_error error;
    sparse_read_options o;
    memset(&o, 0, sizeof o);
    o.error = &error;
    o.duplicates = SPARSE_DUPLICATES_KEEP;
    sparse_result result = read_file(&t, &e, path, text, length, &o);
    if (result == SPARSE_E_VALUE_RANGE && e.kind == SPARSE_I64) { /* try unsigned */
        e.kind = SPARSE_U64;
        result = read_file(&t, &e, path, text, length, &o);
    }
    if (strcmp(cell[0], "Ragusa16.mtx") == 0) { /* declared a pattern, but has values */
        check(result == SPARSE_E_ENTRY, "a pattern with values", error.message);
        o.lenient = true;
        result = read_file(&t, &e, path, text, length, &o);
    }
    check(result == SPARSE_OK, "matrix", error.message);
    check(t.dim[0] == strtoull(cell[1], NULL, 10) && t.dim[1] == strtoull(cell[2], NULL, 10), "matrix sizes",
          path);
    check(t.val.length == strtoull(cell[4], NULL, 10), "matrix entries", path);
    if (array) { /* the expected sum is over the values in the file */
        sparse_free(&t);
        o.stored_half = true;
        check(read_file(&t, &e, path, text, length, &o) == SPARSE_OK, "array", error.message);
    }
    sums s = sums_of(&t);
    if (smtx) {
        s.part[0] = sum_of_columns(&t);
        s.size = 0;
    }
    if (*cell[8] != '\0') check(is_sum(&s, cell[8]), "matrix sum", path);
    sparse_free(&t);

    /* compressed rows, duplicates added up */
    sparse_encoding rows = csr(e.kind);
    o.duplicates = SPARSE_DUPLICATES_SUM;
    check(read_file(&t, &rows, path, text, length, &o) == SPARSE_OK, "csr", error.message);
    check(sparse_validate(&t, NULL) == SPARSE_OK, "csr is valid", path);
    s = sums_of(&t);
    if (!smtx && *cell[8] != '\0') check(is_sum(&s, cell[8]), "csr sum", path);
    sparse_free(&t);
}

/* | file | order | dims | nnz | layout | sum | remarks | ... */
static void check_tensor(const char *path, const char *text, size_t length, char *cell[])
{
    const size_t rank = (size_t)strtoul(cell[1], NULL, 10);
    const bool pattern = strstr(cell[4], "pattern") != NULL, zero = strstr(cell[6], "ZERO-BASED") != NULL;
    sparse_encoding e = strstr(cell[4], "array") ? encoding_of(rank, SPARSE_F64) : coo(rank, SPARSE_F64);
    sparse_tensor t;
    sparse_io_error error;
    sparse_read_options o;
    char dims[200];
    size_t n = 0;
    memset(&o, 0, sizeof o);
    o.error = &error;
    o.duplicates = SPARSE_DUPLICATES_KEEP;
    if (strstr(cell[4], "order nnz") != NULL) o.format = SPARSE_FILE_FROSTT_EXTENDED;
    if (zero) {
        check(read_file(&t, &e, path, text, length, &o) == SPARSE_E_COORDINATE, "counts from 0", path);
        check(strstr(error.message, "zero_based") != NULL, "counts from 0", error.message);
        o.zero_based = true;
    }
    const sparse_result result = read_file(&t, &e, path, text, length, &o);
    if (strcmp(cell[0], "taco_d432.ttx") == 0) { /* its sizes need 24 values */
        check(result == SPARSE_E_COUNT, "32 values for 4 x 3 x 2", error.message);
        return;
    }
    check(result == SPARSE_OK, "tensor", error.message);
    for (size_t d = 0; d < rank; d++)
        n += (size_t)snprintf(dims + n, sizeof dims - n, d ? "x%zu" : "%zu", t.dim[d]);
    if (!zero) check(strcmp(dims, cell[2]) == 0, "tensor sizes", path);
    const size_t entries = strstr(cell[4], "array") ? t.val.length : strtoul(cell[3], NULL, 10);
    check(t.val.length == entries, "tensor entries", path);
    const sums s = sums_of(&t);
    if (pattern)
        check(s.size <= (double)entries && s.size >= (double)entries, "pattern", path);
    else
        check(is_sum(&s, cell[5]), "tensor sum", path);
    sparse_free(&t);
}

/* The outcome for files that may be read or refused, and the content of some files that must be read. */
static const struct {
    const char *file, *outcome; /* a result, or a description of the tensor */
} decided[] = {
    {"array_values_on_one_line.mtx", "E_ENTRY"},
    {"banner_lowercase.mtx", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"blank_lines_between.mtx", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"cholmod_1e99.mtx", "2x2 1,1=1e+99 2,2=1e-99"},
    {"comment_between_entries.mtx", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"comment_long_line.mtx", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"cr_only.mtx", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"crlf.mtx", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"dims_2p63.mtx", "9223372036854775808x3 1,1=1"},
    {"dims_product_overflow.mtx", "4294967296x4294967296 1,1=1 4294967296,4294967296=2"},
    {"dims_rows_1e12.mtx", "1000000000000x2 1000000000000,2=7"},
    {"dims_zero.mtx", "0x0"},
    {"dims_zero_rows.mtx", "0x5"},
    {"duplicates.mtx", "3x3 1,1=4 2,2=-2.5 3,3=4"},
    {"duplicates_cancel.mtx", "2x2 1,1=0 2,2=1"},
    {"fmm_matrix_int8_dup.mtx", "3x1 1,1=1 2,1=1 3,1=2"},
    {"fmm_overflow_value_gt_float128.mtx", "E_VALUE_RANGE"},
    {"fmm_overflow_value_gt_float64.mtx", "E_VALUE_RANGE"},
    {"fmm_overflow_value_gt_int32.mtx", "3x3 2,2=8589934592"},
    {"fmm_permissive_banner_leading_spaces_eye3.mtx", "E_BANNER"},
    {"fmm_permissive_banner_one_percent_eye3.mtx", "E_BANNER"},
    {"fmm_symmetric_row_general_dup.mtx", "3x3 1,3=10 2,3=20 3,1=10 3,2=20 3,3=60"},
    {"fmm_vector_coordinate_dupes.mtx", "4x1 1,1=101 2,1=202 4,1=404"},
    {"fmm_windows_lineendings_nist_ex1_more_freeformat.mtx",
     "5x5 1,1=1 1,4=6 2,2=10.5 3,3=0.015 4,2=250.5 4,4=-280 4,5=33.32 5,5=12"},
    {"good.mtx.gz", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"gz_bomb_64mib.mtx.gz", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"gz_in_plain_name.mtx", "E_COMPRESSED_FILE"},
    {"header_extra_word.mtx", "E_BANNER"},
    {"header_mixed_case.mtx", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"header_tabs.mtx", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"hermitian_diagonal_imag.mtx", "2x2 1,1=3:1 1,2=1:-2 2,1=1:2"},
    {"index_plus.mtx", "E_ENTRY"},
    {"integer_2p53_plus_1.mtx", "1x1 1,1=9007199254740993"},
    {"integer_2p63.mtx", "E_VALUE_RANGE"},
    {"integer_int64_min.mtx", "1x1 1,1=-9223372036854775808"},
    {"lagraph_mangled14.mtx", "3x4 1,1=3 2,2=10.5"},
    {"lagraph_mangled_int8.mtx", "7x7 1,2=127 1,4=7 2,5=5 2,7=8 3,6=1 4,1=-129 4,3=0 5,6=7 6,3=5 7,3=9 7,4=1 7,5=1"},
    {"leading_spaces.mtx", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"long_line.mtx", "E_VALUE_RANGE"},
    {"many_spaces.mtx", "3x3 1,1=2"},
    {"mlir_coordinate_narrow.xtns", "300x1 300,1=1"},
    {"nnz_over_rows_cols.mtx", "2x2 1,1=6 1,2=2 2,1=3 2,2=4"},
    {"no_final_newline.mtx", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"not_gz.mtx.gz", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"nul_tail.mtx", "E_COUNT"},
    {"real_hermitian.mtx", "E_BANNER"},
    {"skew_diagonal_zero.mtx", "2x2 1,1=0 1,2=-1 2,1=1"},
    {"smtx_cols_duplicate.smtx", "3x4 1,4=2 3,2=1 3,3=1 3,4=1"},
    {"smtx_cols_unsorted.smtx", "3x4 1,1=1 1,4=1 3,2=1 3,3=1 3,4=1"},
    {"smtx_empty_matrix.smtx", "3x4"},
    {"smtx_good.smtx", "3x4 1,1=1 1,4=1 3,2=1 3,3=1 3,4=1"},
    {"smtx_good_no_commas.smtx", "3x4 1,1=1 1,4=1 3,2=1 3,3=1 3,4=1"},
    {"suitesparse_zero_based_az88.mtx", "E_COORDINATE"},
    {"suitesparse_zero_based_c32.mtx", "E_COORDINATE"},
    {"symmetric_both.mtx", "E_SYMMETRY"},
    {"symmetric_upper.mtx", "E_SYMMETRY"},
    {"tns_comments.tns", "2x2x2 1,1,1=1 2,2,2=2"},
    {"tns_comments_only.tns", "E_HEADER"},
    {"tns_crlf.tns", "2x2x2 1,1,1=1 2,2,2=2"},
    {"tns_dims_product_overflow.tns", "4294967295x4294967295x4294967295 1,1,1=2 4294967295,4294967295,4294967295=1"},
    {"tns_duplicates.tns", "3x2x3 1,2,3=3 3,2,1=4"},
    {"tns_empty.tns", "E_HEADER"},
    {"tns_index_2p32_plus_1.tns", "4294967297x1x1 1,1,1=2 4294967297,1,1=1"},
    {"tns_nan.tns", "1x1x1 1,1,1=nan"},
    {"tns_one_column.tns", "E_HEADER"},
    {"tns_order_1.tns", "7 3=1 7=2"},
    {"tns_order_65.tns", "E_DIMENSIONS"},
    {"trailing_blank_lines.mtx", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"trailing_spaces.mtx", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"unsorted_reverse.mtx", "3x3 1,3=1 2,2=2 3,1=3 3,3=4"},
    {"utf8_bom.mtx", "E_BANNER"},
    {"utf8_comment.mtx", "3x3 1,1=1.5 2,2=-2.5 3,3=4"},
    {"value_17_digits.mtx", "4x1 1,1=0.1 2,1=0.30000000000000004 3,1=9007199254740992 4,1=1"},
    {"value_forms.mtx", "6x6 1,1=0.5 2,2=5 3,3=-0 4,4=2 5,5=5e-324 6,6=1.7976931348623157e+308"},
    {"value_fortran_d.mtx", "E_ENTRY"},
    {"value_hex_float.mtx", "E_ENTRY"},
    {"value_inf.mtx", "3x3 1,1=inf 2,2=-inf"},
    {"value_nan.mtx", "3x3 1,1=nan"},
    {"value_underflow.mtx", "1x1 1,1=0"},
};

/* The rank of a tensor file: 2 for Matrix Market, otherwise from the line of the rank or of an entry. */
static size_t rank_of(const char *path, const char *text, size_t length)
{
    sparse_p_reader r;
    memset(&r, 0, sizeof r);
    r.window.begin = r.at = text;
    r.window.end = text + length;
    r.window.ended = true;
    r.syntax.comment[0] = r.syntax.comment[1] = '#';
    if (!ends_with(path, "tns") || !sparse_p_next_line(&r)) return 2;
    const size_t words = sparse_p_count_words(&r),
                 rank = ends_with(path, ".xtns") ? (size_t)(*r.at - '0') : words - 1;
    return rank >= 1 && rank <= SPARSE_MAX_RANK ? rank : 3;
}

/* | file | expect | ... */
static void check_bad(const char *path, const char *text, size_t length, char *cell[])
{
    char got[1000], detail[2000];
    const char *first = length > 0 ? (const char *)memchr(text, '\n', length) : NULL;
    char banner[100] = "";
    snprintf(banner, sizeof banner, "%.*s", first != NULL && first - text < 90 ? (int)(first - text) : 0,
             text);
    const char *const field = strstr(banner, " integer ")   ? "integer"
                              : strstr(banner, " complex ") ? "complex"
                                                            : "real";
    const size_t rank = rank_of(path, text, length);
    sparse_encoding e = coo(rank, kind_of(field));
    sparse_tensor t;
    sparse_io_error error;
    sparse_read_options o;
    for (unsigned l = 0; l < rank; l++) e.level[l].properties = l + 1 < rank ? SPARSE_NONUNIQUE : 0;
    memset(&o, 0, sizeof o);
    o.error = &error;
    const sparse_result result = read_file(&t, &e, path, text, length, &o);
    snprintf(got, sizeof got, "%s", sparse_name(result) + strlen("SPARSE_"));
    if (result == SPARSE_OK) describe(&t, got, sizeof got);
    sparse_free(&t);
    const bool large =
        result == SPARSE_E_OVERFLOW || (result == SPARSE_E_COORDINATE && strcmp(cell[1], "accept") == 0);
    if (SIZE_MAX < UINT64_MAX && large) { /* sizes larger than size_t */
        skipped++;
        return;
    }
    snprintf(detail, sizeof detail, "%s: %s (%s)", cell[0], got, error.message);
    if (strcmp(cell[1], "accept") == 0) check(result == SPARSE_OK, "to be accepted", detail);
    if (strcmp(cell[1], "reject") == 0) check(result != SPARSE_OK, "to be rejected", detail);
    if (result != SPARSE_OK)
        check(error.result == result && strlen(error.message) > 20, "has a sentence", detail);
    bool known = strcmp(cell[1], "reject") == 0;
    for (size_t k = 0; k < sizeof decided / sizeof *decided; k++)
        if (strcmp(decided[k].file, cell[0]) == 0) {
            known = true;
            check(strcmp(decided[k].outcome, got) == 0, "bad", detail);
        }
    if (strcmp(cell[1], "policy") == 0) check(known, "no policy is laid down", detail);
}

typedef void check_file(const char *path, const char *text, size_t length, char *cell[]);

/* Checks a file of one of the tables, if it is of a format that the kit reads, or is meant to be refused. */
static void check_row(const char *folder, check_file *test, char *cell[])
{
    static const char *const extension[] = {".mtx",    ".smtx",    ".tns",   ".ttx",
                                            ".mtx.gz", ".smtx.gz", ".tns.gz"};
    char path[500];
    bool read = strcmp(folder, "bad") == 0;
    for (size_t k = 0; k < sizeof extension / sizeof *extension; k++)
        read |= ends_with(cell[0], extension[k]);
    if (!read) return;
    snprintf(path, sizeof path, "%s/%s/%s", data_directory(), folder, cell[0]);
    size_t length;
    char *text = load_plain(path, &length);
    if (length == SIZE_MAX) {
        printf("test_io: %s is not there, skipped\n", path);
        skipped++;
    } else if (length > 2 && memcmp(text, "\x1F\x8B", 2) == 0 && ends_with(path, ".gz")) {
        sparse_encoding e = csr(SPARSE_F64);
        sparse_tensor t;
        check(read_file(&t, &e, path, text, length, NULL) == SPARSE_E_COMPRESSED_FILE, "gzip", path);
        free(text);
        text = load_gzip(path, &length);
        path[strlen(path) - strlen(".gz")] = '\0';
        if (length != SIZE_MAX)
            test(path, text, length, cell);
        else if (strcmp(cell[1], "reject") != 0)
            skipped++; /* gzip is missing, or fails */
    } else {
        test(path, text, length, cell);
    }
    free(text);
}

static void test_data(void)
{
    static const struct {
        const char *title, *folder;
        check_file *test;
        size_t columns;
    } tables[] = {{"## Matrices", "matrices", check_matrix, 11},
                  {"## Tensors", "tensors", check_tensor, 8},
                  {"## Bad", "bad", check_bad, 4}};
    char path[500];
    snprintf(path, sizeof path, "%s/README.md", data_directory());
    FILE *const in = fopen(path, "rb");
    if (in == NULL) {
        printf("test_io: no %s (set SPARSE_DATA), its files are skipped\n", path);
        skipped++;
        return;
    }
    char row[2000], *cell[12];
    size_t table = SIZE_MAX;
    while (fgets(row, sizeof row, in) != NULL) {
        if (strncmp(row, "## ", 3) == 0) table = SIZE_MAX;
        for (size_t k = 0; k < 3; k++)
            if (strncmp(row, tables[k].title, strlen(tables[k].title)) == 0) table = k;
        if (table == SIZE_MAX || row[0] != '|') continue;
        const size_t columns = split_row(row, cell, 12);
        if (columns == tables[table].columns && strcmp(cell[0], "file") != 0 &&
            strncmp(cell[0], "---", 3) != 0)
            check_row(tables[table].folder, tables[table].test, cell);
    }
    fclose(in);
}

int main(void)
{
    test_cases();
    test_windows();
    test_calls();
    test_memory();
    test_expansion();
    test_array_in_place();
    test_ends();
    test_blame();
    test_numbers();
    test_places();
    test_write();
    test_print();
    test_opaque();
    test_spy();
    test_draw_storage();
    test_locale();
    test_data();
    scratch(NULL);
    printf("test_io: %d passed, %d failed, %d skipped\n", passed, failed, skipped);
    return failed > 0;
}
