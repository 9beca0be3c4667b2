/* test_files.c: reading other file formats than Matrix Market, FROSTT and .smtx (see test_io.c), compressed files, and
   writing.

   Every rule has cases, rows of tables with a text and the expected tensor or error: add a row there. Then the files of
   ../shared/data (or SPARSE_DATA), files that SciPy writes and reads, if it is installed, and round trips over formats,
   encodings and types. Compressed files are tested if zlib is linked. Run from the top of the repository. Ends with one
   line, "test_files: N passed, N failed, N skipped". */
#define _XOPEN_SOURCE 700 /* popen, mkdtemp */
#define TEST "test_files"
#include "files.h"

/* ---- text ---- */

static const io_case cases[] = {
    {"sptensor", "coo3", SPTENSOR, "2x3x4 1,1,1=1.5 2,3,4=-2"},
    {"sptensor", "coo3", "sptensor \r\n3 \r\n2 3 4 \r\n1 \r\n2 3 4 -2\r\n", "2x3x4 2,3,4=-2"},
    {"sptensor", "coo3 zero", "sptensor\n3\n2 3 4\n1\n1 2 3 5\n", "2x3x4 2,3,4=5"},
    {"sptensor", "c64", "sptensor\n2\n2 2\n1\n1 2 3 4\n", "2x2 1,2=3:4"},
    {"sptensor", "coo3", "sptensor\n3\n2 3 4\n0\n", "2x3x4"},
    {"sptensor", "coo3", "sptensor\n3\n2 3 4\n1\n0 2 3 5\n", "E_COORDINATE 5:1"},
    {"sptensor", "coo3", "sptensor\n3\n2 3 4\n2\n1 1 1 5\n", "E_COUNT"},
    {"sptensor", "coo3", "sptensor\n3\n2 3 4\n1\n1 1 1 5\n1 1 2 5\n", "E_COUNT 6:1"},
    {"sptensor", "coo3", "sptensor\n3\n2 3\n1\n1 1 1 5\n", "E_HEADER 3:4"},
    {"sptensor", "coo3", "sptensor\n2\n2 3\n1\n1 1 5\n", "E_DIMENSIONS 2:1"},
    {"sptensor", "coo3", "sptensor\n3\n2 3 4\n99999999\n1 1 1 5\n", "E_COUNT"},
    {"sptensor", "coo3", "sptensor\n", "E_HEADER 2:1"},
    {"sptensor", "coo3 sptensor", "tensor\n3\n", "E_BANNER 1:1"},

    {"edges", "", "# Directed graph\n# Nodes: 4 Edges: 2\n# FromNodeId\tToNodeId\n0\t1\n3\t1\n", "4x4 1,2=1 4,2=1"},
    {"edges", "edges", "0 1 0.5\n1 4 2\n", "5x5 1,2=0.5 2,5=2"},
    {"edges", "", "% asym\n1 2\n", "2x2 1,2=1"}, /* KONECT */
    {"edges", "", "% sym unweighted\n% 2 3 3\n1 2\n3 3\n", "3x3 1,2=1 3,3=1"},
    {"edges", "", "% bip unweighted\n1 2\n3 5\n", "3x5 1,2=1 3,5=1"},
    {"edges", "zero", "% asym\n1 2\n", "3x3 2,3=1"},
    {"edges", "one", "# Nodes: 2\n1 2\n", "2x2 1,2=1"},
    {"edges", "edges one", "1 2\n3 2\n", "3x3 1,2=1 3,2=1"},
    {"edges", "edges one", "1 0\n", "E_COORDINATE 1:3"},
    {"edges", "edges one zero", "1 1\n", "E_ARGUMENT"},
    {"smtx", "smtx one", "1, 1, 1\n0 1\n0\n", "E_ARGUMENT"},
    {"mtx", "one", REAL "2 2 1\n1 2 5\n", "2x2 1,2=5"},
    {"edges", "edges", "% c\n# d\n0 1\n", "2x2 1,2=1"},
    {"edges", "edges", "# c\n0 1\n% d\n1 1\n", "2x2 1,2=1 2,2=1"},
    {"edges", "edges dim", "1 2\n", "5x6 2,3=1"},
    {"edges", "edges", "", "0x0"},
    {"edges", "", "0 1\n4 2\n", "5x5 1,2=1 5,3=1"},
    {"edges", "", "0\t1\t7\n4\t0\t.5\n", "5x5 1,2=7 5,1=0.5"},
    {"edges", "", "3 0\n\n\n\n", "4x4 4,1=1"}, /* a METIS file would have edges */
    {"edges", "", "1 2 7\n4 1 5\n", "E_FILE_FORMAT 0:0"},
    {"edges", "", "1.5 2\n", "E_FILE_FORMAT 1:1"},
    {"edges", "", "1 2 7\n# c\n1 2 3 4\n", "E_FILE_FORMAT 3:1"},
    {"edges or METIS", "", "3 3\n2 3\n1 3\n1 2\n", "E_FILE_FORMAT 0:0"},
    {"entries or METIS", "c64", "2 1 011 2\n4 5 2 7\n6 7 1 7\n", "E_FILE_FORMAT 0:0"},
    {"edges", "coo3", "0 1\n4 2\n", "E_DIMENSIONS 1:1"},
    {"edges", "edges", "0 1\n0 1\n", "2x2 1,2=2"},
    {"edges", "edges error", "0 1\n0 1\n", "E_DUPLICATE 2:1"},
    {"edges", "edges", "0 1\n0 1 5\n", "E_ENTRY 2:1"},
    {"edges", "edges", "0 1 5\n0 1\n", "E_ENTRY 2:1"},
    {"edges", "edges", "0 1 5 7\n", "E_ENTRY 1:1"},
    {"edges", "edges", "0\n", "E_ENTRY 1:1"},
    {"edges", "edges", "0 -1\n", "E_COORDINATE 1:3"},
    {"edges", "edges", "0 18446744073709551615\n", "E_COORDINATE 1:3"},
    {"edges", "edges dim", "5 2\n", "E_COORDINATE 1:1"},
    {"edges", "edges csr8", "0 300\n", "E_COORDINATE_WIDTH 1:1"},
    {"edges", "edges csr8", "300 2\n1 2\n", "E_COORDINATE_WIDTH 3:1"}, /* known to be square only at the end */
    {"edges", "edges coo3", "0 1\n", "E_DIMENSIONS 1:1"},
    {"edges", "edges vec", "0 1\n", "E_DIMENSIONS 1:1"},

    {"csv", "", "row,col,value\n1,2,3.5\n3,1,-2\n", "3x2 1,2=3.5 3,1=-2"},
    {"csv", "", "\"i\",\"j\",\"a, b\"\n1,2,3.5\n", "E_FILE_FORMAT 1:1"},
    {"csv", "csv", "i;j;v\r\n1;2;3.5\r\n3; 1 ;-2", "3x2 1,2=3.5 3,1=-2"},
    {"csv", "csv", "1,2,3.5\n3,1,-2\n", "3x2 1,2=3.5 3,1=-2"},
    {"csv", "csv", "1\t2\t3.5\n", "1x2 1,2=3.5"},
    {"csv", "csv", "1,2\n2,1\n", "2x2 1,2=1 2,1=1"},
    {"csv", "csv c64", "1,2,3,4\n", "1x2 1,2=3:4"},
    {"csv", "csv coo3", "a,b,c,v\n1,2,3,4\n", "1x2x3 1,2,3=4"},
    {"csv", "csv zero", "0,1,5\n", "1x2 1,2=5"},
    {"csv", "csv dim", "1,2,5\n", "5x6 1,2=5"},
    {"csv", "csv dim", "i,j,v\n", "5x6"},
    {"csv", "csv", "# c\n\n1,2,5\n", "1x2 1,2=5"},
    {"csv", "csv vec", "3,5\n", "3 3=5"},
    {"csv", "csv i8", "1,2,128\n", "E_VALUE_RANGE 1:5"},
    {"csv", "csv", "0,1,5\n", "E_COORDINATE 1:1"},
    {"csv", "csv", "1,2,5\n1,2\n", "E_ENTRY 2:4"},
    {"csv", "csv", "1,2,5\n1,2,3,4\n", "E_ENTRY 2:6"},
    {"csv", "csv", "1,,2\n1,2,3\n", "E_ENTRY 1:3"},
    {"csv", "csv", "1,2,\n", "E_ENTRY 1:5"},
    {"csv", "csv", "1,2,3,4\n", "E_DIMENSIONS 1:1"},
    {"csv", "csv", "1,2.0,3\n", "E_ENTRY 1:3"},
    {"csv", "csv", "1 2 3\n", "E_ENTRY 1:1"},
    {"csv", "csv", "1,2,\"3\"\n", "E_ENTRY 1:5"},
    {"csv", "csv", "1,2,3;4\n", "E_ENTRY 1:6"},
    {"csv", "csv", "1,2,3\n1\t2,3\n", "E_ENTRY 2:2"},
    {"csv", "csv", "1,2,3\n1,2 3\n", "E_ENTRY 2:5"},
    {"csv", "csv", "1,18446744073709551616,3\n", "E_COORDINATE 1:3"},
    {"csv", "csv", "", "E_HEADER 1:1"},
    {"csv", "csv", "i,j,v\n", "E_HEADER 2:1"},
    {"csv", "csv", "\xEF\xBB\xBF" "1,2,5\n", "1x2 1,2=5"},
    {"csv", "csv", "\xEF\xBB\xBF" "i,j,v\n1,2,5\n", "1x2 1,2=5"},
    {"csv", "csv error", "1,2,3\n1,2,4\n", "E_DUPLICATE 2:1"},

    {"table", "table", "0,1.5,0\n-2e3,0,7\n", "2x3 1,1=0 1,2=1.5 1,3=0 2,1=-2000 2,2=0 2,3=7"},
    {"table", "table drop", "0,1.5,0\n-2e3,0,7\n0,0,0\n", "3x3 1,2=1.5 2,1=-2000 2,3=7"},
    {"table", "table csr drop i8", "0,1,0\n0,0,0\n", "2x3 1,2=1"},
    {"table", "table dense", "1;2\r\n\r\n3 ; 4", "2x2 1,1=1 1,2=2 2,1=3 2,2=4"},
    {"table", "table dense", "# c\n  1\t2\n#d\n3\t4\n\n", "2x2 1,1=1 1,2=2 2,1=3 2,2=4"},
    {"table", "table dense", " 1   2 3 \n4\t5 6\n", "2x3 1,1=1 1,2=2 1,3=3 2,1=4 2,2=5 2,3=6"},
    {"table", "table", "1 2\t3\n4 5\t6\n", "E_ENTRY 1:3"},
    {"table", "table", "\xEF\xBB\xBF" "1,2\n", "1x2 1,1=1 1,2=2"},
    {"table", "table", "\"a, b\",c\n1,2\n", "E_ENTRY 2:4"},
    {"table", "table", "a b,c\n1,2\n", "1x2 1,1=1 1,2=2"},
    {"table", "table", "a b\n1 2\n", "1x2 1,1=1 1,2=2"},
    {"table", "table", "a\n1\n", "1x1 1,1=1"},
    {"table", "table", "x,1\n1,2\n", "E_ENTRY 1:1"},
    {"table", "table", "1,x\n1,2\n", "E_ENTRY 1:3"},
    {"table", "table", ",a,b\n0,1,2\n", "E_ENTRY 1:1"},
    {"table", "table", ",0\n1,2\n", "E_ENTRY 1:1"},
    {"table", "table", "1,2\n1,2,3\n", "E_ENTRY 2:4"},
    {"table", "table", "1,2\n1\n", "E_ENTRY 2:2"},
    {"table", "table", "1 2\n1\n", "E_ENTRY 2:2"},
    {"table", "table", "1 2\n1 2 3 4\n", "E_ENTRY 2:5"},
    {"table", "table", "1 2\n1 2x\n", "E_ENTRY 2:3"},
    {"table", "table", "1,2,\n", "E_ENTRY 1:5"},
    {"table", "table", "1,,2\n", "E_ENTRY 1:3"},
    {"table", "table", "1,2\n1 2\n", "E_ENTRY 2:3"},
    {"table", "table", "1,\"2\"\n", "E_ENTRY 1:3"},
    {"table", "table", "1,5;2,5\n", "E_ENTRY 1:4"},
    {"table", "table i8", "1,2\n3,128\n", "E_VALUE_RANGE 2:3"},
    {"table", "table i8", "1.0,-1.28e2\n", "1x2 1,1=1 1,2=-128"},
    {"table", "table i8", "1.5,2\n", "E_VALUE_RANGE 1:1"},
    {"table", "table c64", "1,2\n", "1x2 1,1=1:0 1,2=2:0"},
    {"table", "table dim", "1,2\n", "1x2 1,1=1 1,2=2"},
    {"table", "table zero", "1,2\n", "1x2 1,1=1 1,2=2"},
    {"table", "table vec", "5\n0\n7\n", "3 1=5 2=0 3=7"},
    {"table", "table vec drop", "5\n0\n0\n", "3 1=5"},
    {"table", "table dense1", "5\n0\n7\n", "3 1=5 2=0 3=7"},
    {"table", "table vec", "5,7\n", "E_DIMENSIONS 1:1"},
    {"table", "table coo3", "5,7\n", "E_DIMENSIONS 1:1"},
    {"table", "table", "", "E_HEADER 1:1"},
    {"table", "table", "# c\n\n", "E_HEADER 3:1"},
    {"table", "table", "a,b\n", "E_HEADER 2:1"},

    /* entries or a table */
    {"csv or table", "", "1,2,3.5\n3,1,-2\n", "E_FILE_FORMAT 1:1"},
    {"csv or table", "", "# c\n1.5e0,2.0,0\n3,1,-2\n", "E_FILE_FORMAT 2:1"},
    {"csv or table", "", "1,2\n3,1\n", "E_FILE_FORMAT 1:1"},
    {"csv or table", "", "x,y,z\n3,1,2\n", "E_FILE_FORMAT 1:1"},
    {"csv or table", "", "i,j,v\n3,1,2\n", "3x1 3,1=2"},
    {"csv or table", "", "\"Row\" , Col\n3,1\n", "3x1 3,1=1"},
    {"csv or table", "", "1,2,1,5\n3,1,1,7\n", "E_FILE_FORMAT 1:1"},
    {"csv or table", "", "a,b,c,d\n1,2,1,5\n", "E_FILE_FORMAT 1:1"},
    {"csv or table", "c64", "1,2,1.5,5\n3,1,1,7\n", "E_FILE_FORMAT 1:1"},
    {"csv or table", "drop", "0,2,1,5\n3,1,1,7\n", "2x4 1,2=2 1,3=1 1,4=5 2,1=3 2,2=1 2,3=1 2,4=7"},
    {"csv or table", "drop", "1,2.0,1,5\n3,1,1,7\n", "2x4 1,1=1 1,2=2 1,3=1 1,4=5 2,1=3 2,2=1 2,3=1 2,4=7"},
    {"csv or table", "drop", "a,b,c,d\n-1,2,1,5\n", "1x4 1,1=-1 1,2=2 1,3=1 1,4=5"},
    {"csv or table", "drop", "1,1,1,1,1,1,1,1,1,1\n1,1,1,1,1,1,1,1,1,0\n",
     "2x10 1,1=1 1,2=1 1,3=1 1,4=1 1,5=1 1,6=1 1,7=1 1,8=1 1,9=1 1,10=1 "
     "2,1=1 2,2=1 2,3=1 2,4=1 2,5=1 2,6=1 2,7=1 2,8=1 2,9=1"},
    {"csv or table", "coo3", "1,2,1,5\n3,1,1,7\n", "3x2x1 1,2,1=5 3,1,1=7"},
    {"csv or table", "vec", "1,2\n3,1\n", "3 1=2 3=1"},

    {"metis", "graph", "% c\n3 2\n2 3\n1\n1\n", "3x3 1,2=1 1,3=1 2,1=1 3,1=1"},
    {"metis", "graph", "3 1\n2\n1\n\n", "3x3 1,2=1 2,1=1"},
    {"metis", "graph", "3 1\n2\n% c\n1\n", "3x3 1,2=1 2,1=1"},
    {"metis", "graph", "2 1 001\n2 7\n1 7\n", "2x2 1,2=7 2,1=7"},
    {"metis", "graph", "2 1 011 2\n4 5 2 7\n6 7 1 7\n", "2x2 1,2=7 2,1=7"},
    {"metis", "graph", "2 1 100\n9 2\n9 1\n", "2x2 1,2=1 2,1=1"},
    {"metis", "graph", "0 0\n", "0x0"},
    {"metis", "", "% c\n3 2\n2 3\n1\n1\n", "3x3 1,2=1 1,3=1 2,1=1 3,1=1"},
    {"metis", "", "3 1\r\n2\r\n1\r\n", "3x3 1,2=1 2,1=1"},
    {"metis", "", "3 1\n\n3\n2\n\n\n", "3x3 2,3=1 3,2=1"},
    {"metis", "", "2 1 011 2\n4 5 2 7\n6 7 1 7\n", "2x2 1,2=7 2,1=7"},
    {"metis", "graph", "3 3\n2 3\n1 3\n1 2\n", "3x3 1,2=1 1,3=1 2,1=1 2,3=1 3,1=1 3,2=1"},
    {"metis", "", "3 3\n2 3\n1 3\n1 3\n", "4x4 2,4=2 3,4=1 4,4=1"},
    {"metis", "", "3 2\n2 3\n1 2\n\n", "4x4 2,3=1 3,4=1 4,3=1"},
    {"metis", "", "3 1\n2\n1 1\n", "E_FILE_FORMAT 2:1"},
    {"metis", "", "3 2\n2 3\n1\n4\n", "E_FILE_FORMAT 3:1"},
    {"metis", "graph", "2 1\n3\n1\n", "E_COORDINATE 2:1"},
    {"metis", "graph", "2 1\n0\n1\n", "E_COORDINATE 2:1"},
    {"metis", "graph", "2 2\n2\n1\n", "E_COUNT 4:1"},
    {"metis", "graph", "2 1\n2 2\n1\n", "E_COUNT 3:1"},
    {"metis", "graph", "3 1\n2\n", "E_COUNT 3:1"},
    {"metis", "graph", "2 1\n2\n1\n2\n", "E_COUNT 4:1"},
    {"metis", "graph", "2 1 002\n2\n1\n", "E_HEADER 1:1"},
    {"metis", "graph", "2 1 001\n2\n1 7\n", "E_ENTRY 2:2"},
    {"metis", "graph", "2 1 010 99\n1 2\n1 1\n", "E_OVERFLOW 1:1"},
    {"metis", "graph", "2 1 011 2\n4 x 2 7\n", "E_ENTRY 2:3"},
    {"metis", "graph", "999999999 1\n2\n1\n", "E_COUNT 4:1"},
    {"metis", "graph", "", "E_HEADER 1:1"},

    {"boeing", "", RUA " 1 3 4\n 1 3 2\n  1.5 -2.0  4.0\n", "3x2 1,1=1.5 2,2=4 3,1=-2"},
    {"boeing", "", RB("RUA", "3 1 1 1 0", "3 2 3 0", "(3I2) (3I2) (3F5.1)") " 1 3 4\n 1 3 2\n  1.5 -2.0  4.0\n",
     "3x2 1,1=1.5 2,2=4 3,1=-2"},
    {"boeing", "", RB("RUA", "5 1 1 1 2", "3 2 3 0", "(3I2) (3I2) (3F5.1) (3F5.1)") "F  1 0\n 1 3 4\n 1 3 2\n"
     "  1.5 -2.0  4.0\n  1.0  2.0  3.0\n", "3x2 1,1=1.5 2,2=4 3,1=-2"},
    {"boeing implied", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) (3F5.2)") " 1 3 4\n 1 3 2\n  150 -200  4.5\n",
     "3x2 1,1=1.5 2,2=4.5 3,1=-2"},
    {"boeing exponents", "", RB("rua", "4 1 1 2", "3 2 3 0", "(3I2) (3I2) (2D9.2)")
     " 1 3 4\n 1 3 2\n  1.5D+01 -2.0+02\n  4.5E-1\n", "3x2 1,1=15 2,2=0.45 3,1=-200"},
    {"boeing scale", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) (1P,3F6.1)")
     " 1 3 4\n 1 3 2\n  15.0 2.0E0   -50\n", "3x2 1,1=1.5 2,2=-0.5 3,1=2"},
    {"boeing negative scale", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) (-1P,3F6.1)")
     " 1 3 4\n 1 3 2\n   1.5 2.0E0    -5\n", "3x2 1,1=15 2,2=-5 3,1=2"},
    {"boeing widths", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I1) (3I1) (3E9.2)") "134\n132\n-1.00D+00-2.00D+00-3.00D+00\n",
     "3x2 1,1=-1 2,2=-3 3,1=-2"},
    {"boeing formats", "", RB("rua", "3 1 1 1", "3 2 3 0", "( 3i2 )(2(3I2))  (1P3(1E9.2E2))")
     " 1 3 4\n 1 3 2\n  1.00D+0 -2.00D+0   4.0D+0\n", "3x2 1,1=1 2,2=4 3,1=-2"},
    {"boeing symmetric", "", RB("rsa", "3 1 1 1", "2 2 2 0", "(3I2) (3I2) (3F5.1)") " 1 3 3\n 1 2\n  1.5 -2.0\n",
     "2x2 1,1=1.5 1,2=-2 2,1=-2"},
    {"boeing half", "half", RB("rsa", "3 1 1 1", "2 2 2 0", "(3I2) (3I2) (3F5.1)") " 1 3 3\n 1 2\n  1.5 -2.0\n",
     "2x2 1,1=1.5 2,1=-2"},
    {"boeing skew", "", RB("rza", "3 1 1 1", "2 2 1 0", "(3I2) (3I2) (3F5.1)") " 1 2 2\n 2\n  1.5\n", "2x2 1,2=-1.5 2,1=1.5"},
    {"boeing Hermitian", "c128", RB("cha", "3 1 1 1", "2 2 1 0", "(3I2) (3I2) (3F5.1)") " 1 2 2\n 2\n  1.5  2.0\n",
     "2x2 1,2=1.5:-2 2,1=1.5:2"},
    {"boeing integer", "i8", RB("iua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) (3I4)") " 1 3 4\n 1 3 2\n   7-128 127\n",
     "3x2 1,1=7 2,2=127 3,1=-128"},
    {"boeing integer", "u64", RB("iua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) (3I21)")
     " 1 3 4\n 1 3 2\n                    7 18446744073709551615 10000000000000000000\n",
     "3x2 1,1=7 2,2=10000000000000000000 3,1=18446744073709551615"},
    {"boeing pattern", "", RB("pra", "2 1 1 0", "3 2 3 0", "(3I2) (3I2)") " 1 3 4\n 1 3 2\n", "3x2 1,1=1 2,2=1 3,1=1"},
    {"boeing empty", "", RB("rua", "1 1 0 0", "3 2 0 0", "(3I2) (3I2) (3F5.1)") " 1 1 1\n", "3x2"},
    {"boeing CRLF", "", "t\r\n3 1 1 1\r\nrua 3 2 3 0\r\n(3I2) (3I2) (3F5.1)\r\n 1 3 4\r\n 1 3 2\r\n  1.5 -2.0  4.0\r\n",
     "3x2 1,1=1.5 2,2=4 3,1=-2"},
    {"boeing elements", "", RB("rse", "3 1 1 1", "3 2 4 6", "(3I2) (4I2) (6F5.1)")
     " 1 3 5\n 1 2 3 2\n  1.0  2.0  3.0  4.0  5.0  6.0\n", "3x3 1,1=1 1,2=2 2,1=2 2,2=9 2,3=5 3,2=5 3,3=4"},
    {"boeing elements", "", RB("pse", "2 1 1 0", "3 2 4 0", "(3I2) (4I2)") " 1 3 5\n 1 2 3 2\n",
     "3x3 1,1=1 1,2=1 2,1=1 2,2=1 2,3=1 3,2=1 3,3=1"},
    {"boeing elements", "", RB("rue", "3 1 1 1", "3 1 2 4", "(3I2) (4I2) (6F5.1)") " 1 3\n 3 1\n  1.0  2.0  3.0  4.0\n",
     "3x3 1,1=4 1,3=2 3,1=3 3,3=1"},
    {"boeing elements", "c128", RB("che", "3 1 1 1", "2 1 2 3", "(3I2) (4I2) (6F5.1)")
     " 1 3\n 2 1\n  1.0  0.5  2.0  3.0  4.0  0.0\n", "2x2 1,1=4:0 1,2=2:3 2,1=2:-3 2,2=1:0.5"},
    {"boeing elements", "", RB("rse", "3 1 1 1", "3 2 4 5", "(3I2) (4I2) (6F5.1)")
     " 1 3 5\n 1 2 3 2\n  1.0  2.0  3.0  4.0  5.0  6.0\n", "E_COUNT 6:8"},
    {"boeing both triangles", "", RB("rsa", "3 1 1 1", "2 2 2 0", "(3I2) (3I2) (3F5.1)") " 1 2 3\n 2 1\n  1.5 -2.0\n",
     "E_SYMMETRY 6:4"},
    {"boeing both triangles", "lenient", RB("rsa", "3 1 1 1", "2 2 2 0", "(3I2) (3I2) (3F5.1)") " 1 2 3\n 2 1\n  1.5 -2.0\n",
     "2x2 1,2=-2 2,1=1.5"},
    {"boeing upper", "lenient", RB("rsa", "3 1 1 1", "2 2 1 0", "(3I2) (3I2) (3F5.1)") " 1 1 2\n 1\n -2.0\n",
     "2x2 1,2=-2 2,1=-2"},
    {"boeing type", "", RB("xua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) (3F5.1)"), "E_BANNER 3:1"},
    {"boeing type", "", RB("qua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) (3F5.1)"), "E_BANNER 3:1"},
    {"boeing type", "", RB("rre", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) (3F5.1)"), "E_HEADER 3:1"},
    {"boeing type", "", RB("rsa", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) (3F5.1)"), "E_HEADER 3:1"},
    {"boeing type", "", RB("cua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) (3F5.1)"), "E_VALUE_TYPE 3:22"},
    {"boeing type", "u8", RB("iza", "3 1 1 1", "2 2 1 0", "(3I2) (3I2) (3I5)"), "E_VALUE_TYPE 3:22"},
    {"boeing formats", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) (3A5)"), "E_HEADER 4:13"},
    {"boeing formats", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (3I0) (3F5.1)"), "E_HEADER 4:7"},
    {"boeing formats", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (99999I2) (3F5.1)"), "E_HEADER 4:7"},
    {"boeing formats", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2"), "E_HEADER 4:7"},
    {"boeing formats", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2)"), "E_HEADER 4:12"},
    {"boeing formats", "", RB("rua", "3 1 1 1", "3 2 3 0", "(((3I2))) (3I2) (3F5.1)"), "E_HEADER 4:1"},
    {"boeing formats", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) 1P(3F5.1)"), "E_HEADER 4:13"},
    {"boeing formats", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) -(3F5.1)"), "E_HEADER 4:13"},
    {"boeing formats", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (-1(3I2)) (3F5.1)"), "E_HEADER 4:7"},
    {"boeing formats", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (-3I2) (3F5.1)"), "E_HEADER 4:7"},
    {"boeing format", "", RB("rua", "3 1 1 1", "3 2 3 0", "( 3 I 2 ) (3 I2) ( 3 F 5 . 1 )") " 1 3 4\n 1 3 2\n  1.5 -2.0  4.0\n",
     "3x2 1,1=1.5 2,2=4 3,1=-2"},
    {"boeing format", "", RB("rua", "3 1 1 1", "3 2 3 0", "(1X,3I2) (3(1X,I1)) (1X,3(1X,F4.1))") "x 1 3 4\n 1x3 2\nxx 1.5x-2.0x 4.0\n",
     "3x2 1,1=1.5 2,2=4 3,1=-2"},
    {"boeing format", "", RB("rua", "4 1 2 1", "3 2 3 0", "(3I2,1X) (2(I1,2X)) (3(F5.1,X))") " 1 3 4\n1xx3\n2\n  1.5x -2.0x  4.0\n",
     "3x2 1,1=1.5 2,2=4 3,1=-2"},
    {"boeing format", "", RB("rua", "3 1 1 1", "3 2 3 0", "(2(3X,2I2)) (3I2) (3F5.1)"), "E_HEADER 4:1"},
    {"boeing format", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2 (3I2) (3F5.1)"), "E_HEADER 4:1"},
    {"boeing format lies", "", RUA "  1  3  4\n 1 3 2\n  1.5 -2.0  4.0\n", "E_ENTRY 5:1"},
    {"boeing format lies", "", RUA " 1 3 4 9\n 1 3 2\n  1.5 -2.0  4.0\n", "E_ENTRY 5:8"},
    {"boeing format lies", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I4) (3I2) (3F5.1)") " 1 3 4\n 1 3 2\n  1.5 -2.0  4.0\n",
     "E_ENTRY 5:3"},
    {"boeing format lies", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) (3F4.1)") " 1 3 4\n 1 3 2\n  1.5 -2.0  4.0\n",
     "E_ENTRY 7:6"},
    {"boeing format lies", "lenient", RUA " 1 3 4\n 1 3 2\n  1.5  -2.0   4.0\n", "3x2 1,1=1.5 2,2=4 3,1=-2"},
    {"boeing lines", "", RB("rua", "3 1 1 1", "3 2 3 0", "(1I2) (3I2) (3F5.1)") " 1\n 3\n 4\n 1 3 2\n", "E_HEADER 4:1"},
    {"boeing lines", "lenient", RB("rua", "3 1 1 1", "3 2 3 0", "(1I2) (3I2) (3F5.1)")
     " 1\n 3\n 4\n 1 3 2\n  1.5 -2.0  4.0\n", "3x2 1,1=1.5 2,2=4 3,1=-2"},
    {"boeing pointers", "", RUA " 2 3 4\n 1 3 2\n  1.5 -2.0  4.0\n", "E_POSITIONS 5:2"},
    {"boeing pointers", "", RUA " 1 3 3\n 1 3 2\n  1.5 -2.0  4.0\n", "E_POSITIONS 5:6"},
    {"boeing pointers", "", RUA " 1 5 4\n 1 3 2\n  1.5 -2.0  4.0\n", "E_POSITIONS 5:4"},
    {"boeing pointers", "", RUA " 1 x 4\n 1 3 2\n  1.5 -2.0  4.0\n", "E_POSITIONS 5:4"},
    {"boeing indices", "", RUA " 1 3 4\n 1 4 2\n  1.5 -2.0  4.0\n", "E_COORDINATE 6:4"},
    {"boeing indices", "", RUA " 1 3 4\n 1 0 2\n  1.5 -2.0  4.0\n", "E_COORDINATE 6:4"},
    {"boeing indices", "", RUA " 1 3 4\n 1 1 2\n  1.5 -2.0  4.0\n", "E_DUPLICATE 6:4"},
    {"boeing indices", "last", RUA " 1 3 4\n 1 1 2\n  1.5 -2.0  4.0\n", "3x2 1,1=-2 2,2=4"},
    {"boeing values", "", RUA " 1 3 4\n 1 3 2\n  1.5   x   4.0\n", "E_ENTRY 7:9"},
    {"boeing values", "", RUA " 1 3 4\n 1 3 2\n  1.5 -2.0\n", "E_ENTRY 7:11"},
    {"boeing values", "", RUA " 1 3 4\n 1 3 2\n", "E_COUNT 3:1"},
    {"boeing values", "", RUA " 1 3 4\n 1 3 2\n  1.5 -2.0  4.0\n  1.0\n", "E_COUNT 8:3"},
    {"boeing values", "", RB("RUA", "3 1 1 1 0", "3 2 3 0", "(3I2) (3I2) (3F5.1)") " 1 3 4\n 1 3 2\n  1.5 -2.0  4.0\n  1.0\n",
     "E_COUNT 8:3"},
    {"boeing values", "", RUA " 1 3 4\n 1 3 2\n  1.5 1e9999999\n", "3x2 1,1=1.5 2,2=9999.9 3,1=1e+98"},
    {"boeing sizes", "", RB("rua", "3 1 1 1", "3 999999999 3 0", "(3I2) (3I2) (3F5.1)") " 1 3 4\n", "E_COUNT 3:1"},
    {"boeing sizes", "", RB("rua", "3 1 1 1", "3 2 999999999 0", "(3I2) (3I2) (3F5.1)") " 1 3 4\n 1 3 2\n", "E_COUNT 3:1"},
    {"boeing sizes", "", RB("rua", "3 1 1", "3 2 3 0", "(3I2) (3I2) (3F5.1)"), "E_HEADER 2:6"},
    {"boeing sizes", "", RB("rua", "3 1 1 1", "3 -2 3 0", "(3I2) (3I2) (3F5.1)"), "E_HEADER 3:17"},
    {"boeing sizes", "csr8", RB("rua", "1 1 0 0", "3 300 0 0", "(3I2) (3I2) (3F5.1)"), "E_COORDINATE_WIDTH 3:1"},
    {"boeing rank", "coo3", RUA, "E_DIMENSIONS 3:1"},

    {"sizes", "dense", REAL "4294967296 4294967296 1\n1 1 5\n", "E_OVERFLOW 2:1"},

    {"compressed", "", "\x28\xB5\x2F\xFD and so on", "E_COMPRESSED_FILE 0:0"},
    {"compressed", "", "\xFD\x37zXZ and so on", "E_COMPRESSED_FILE 0:0"},
    {"compressed", "", "BZh91AY and so on", "E_COMPRESSED_FILE 0:0"},
    {"compressed", "", "\x1F\x9D and so on", "E_COMPRESSED_FILE 0:0"},
    {"compressed", "", "\x04\x22\x4D\x18 and so on", "E_COMPRESSED_FILE 0:0"},
    {"compressed", "", "\x1F\x8B and so on", "E_COMPRESSED_FILE"},
    {"zip", "", "PK\x03\x04 and so on", "E_HEADER 0:15"},
};

/* The expected outcome may omit the line and column of an error. "E_" stands for any error. */
static bool is_outcome(const char *got, const char *expected)
{
    const size_t length = strlen(expected);
    if (strcmp(expected, "E_") == 0) return strncmp(got, expected, length) == 0;
    return strncmp(got, expected, length) == 0 && (got[length] == '\0' || (expected[0] == 'E' && got[length] == ' '));
}

static void test_cases(void)
{
    char got[1000], detail[3000];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (size_t step = 0; step <= 2; step++) {
            const io_case *const c = &cases[k];
            outcome(c->options, c->text, strlen(c->text), step, got, sizeof got);
            snprintf(detail, sizeof detail, "[%s] by %zu \"%s\": got %s, not %s", c->options, step, c->text, got, c->expected);
            check(is_outcome(got, c->expected), c->rule, detail);
        }
}

/* Checks that a text, or bytes, are refused, with a message that contains the words after its position. */
static void check_said(const char *what, const char *options, const char *text, size_t length, const char *words)
{
    setup s = setup_of(options);
    sparse_io_error error;
    sparse_tensor t;
    char place[60] = "memory: ";
    memset(&t, 0, sizeof t);
    t.encoding = &s.e;
    s.o.error = &error;
    const sparse_result result = sparse_read_memory(&t, text, length, &s.o);
    if (error.line > 0) snprintf(place, sizeof place, "memory:%zu:%zu: ", error.line, error.column);
    else if (error.column > 0) snprintf(place, sizeof place, "memory: byte %zu: ", error.column);
    check(result != SPARSE_OK && strncmp(error.message, place, strlen(place)) == 0 &&
              strlen(error.message) > strlen(place) + 15 && strstr(error.message, words) != NULL, what, error.message);
    sparse_free(&t);
}

/* Text files of every kind, truncated at every position, are read, or refused with the number of a line in the file. */
static void test_cut(void)
{
    static const struct {
        const char *options, *text;
    } files[] = {{"mtx", SYMMETRIC "% c\n3 3 2\n2 1 17.5\n3 1 -4e3\n"},
                 {"mtx c64", COMPLEX "2 2 1\n1 2 3 4\n"},
                 {"mtx dense", ARRAY "2 2\n1\n2\n3\n4\n"},
                 {"tns coo3", "# c\n1 1 1 1.5\n2 3 4 5\n"},
                 {"xtns coo3", EXTENDED "3 2\n2 3 4\n1 1 1 1.5\n2 3 4 5\n"},
                 {"smtx", "3, 4, 5\n0 2 2 5 \n0 3 1 2 3 \n"},
                 {"rb", RUA " 1 3 4\n 1 3 2\n  1.5 -2.0  4.0\n"},
                 {"rb", RB("rse", "3 1 1 1", "3 2 4 6", "(3I2) (4I2) (6F5.1)") " 1 3 5\n 1 2 3 2\n  1.0  2.0  3.0  4.0  5.0  6.0\n"},
                 {"sptensor coo3", SPTENSOR},
                 {"graph", "% c\n3 2 111 2\n5 5 5 2 7 3 6\n5 5 5 1 7\n5 5 5 1 6\n"},
                 {"edges", "# Nodes: 4\n0\t1\t0.5\n3\t2\t1\n"},
                 {"csv", "row,col,value\n1,2,3.5\n3,1,-2\n"}};
    char got[1000], detail[1200];
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const size_t length = strlen(files[k].text);
        size_t refused = 0;
        outcome(files[k].options, files[k].text, length, 0, got, sizeof got);
        check(got[0] != 'E', "cut nowhere", got);
        for (size_t n = 0; n < length; n++) {
            outcome(files[k].options, files[k].text, n, 0, got, sizeof got);
            snprintf(detail, sizeof detail, "%s at %zu: %s", files[k].options, n, got);
            check(strncmp(got, "error", 5) != 0 && (got[0] != 'E' || !strstr(got, " 0:")), "cut", detail);
            if (got[0] == 'E') check_said("cut", files[k].options, files[k].text, n, " "), refused++;
        }
        check(refused > 0, "cut", files[k].options);
    }
}

/* Adds 2^64 to one size or coordinate after the other, in every kind of text: the number must not be truncated to 64
   bits. */
static void test_beyond(void)
{
    static const struct {
        const char *options, *text;
    } files[] = {{"mtx", MM("coordinate pattern general") "3 3 2\n2 1\n3 1\n"},
                 {"tns coo3", "1 1 1 .5\n2 3 4 .5\n"},
                 {"xtns coo3", EXTENDED "3 2\n2 3 4\n1 1 1 .5\n2 3 4 .5\n"},
                 {"smtx", "3, 4, 5\n0 2 2 5 \n0 3 1 2 3 \n"},
                 {"sptensor coo3", "sptensor\n3\n2 3 4\n2\n1 1 1 .5\n2 3 4 .5\n"},
                 {"graph", "3 2\n2 3\n1\n1\n"},
                 {"edges", "0 1\n3 2\n"},
                 {"csv", "1,2\n3,1\n"}};
    char got[1000], text[200], detail[1400];
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const char *const file = files[k].text;
        outcome(files[k].options, file, strlen(file), 0, got, sizeof got);
        check(got[0] != 'E', "beyond 64 bits, none", got);
        for (const char *at = file, *end; *at; at = end) {
            const size_t digits = strspn(at, "0123456789");
            end = at + (digits > 0 ? digits : 1);
            if (digits == 0 || (at > file && at[-1] == '.')) continue;
            const int n = snprintf(text, sizeof text, "%.*s184467440737095516%02d%s", (int)(at - file), file, 16 + atoi(at), end);
            outcome(files[k].options, text, (size_t)n, 0, got, sizeof got);
            snprintf(detail, sizeof detail, "[%s] \"%s\": got %s", files[k].options, text, got);
            check(is_outcome(got, "E_"), "beyond 64 bits", detail);
        }
    }
}

/* The messages of refusals. */
static void test_said(void)
{
    static const io_case said[] = {
        {"zstd", "", "\x28\xB5\x2F\xFD and so on", "compressed input (zstd): decompress it first"},
        {"xz", "", "\xFD\x37zXZ and so on", "compressed input (xz): decompress it first"},
        {"bzip2", "mtx", "BZh91AY and so on", "compressed input (bzip2): decompress it first"},
        {"compress", "", "\x1F\x9D and so on", "compressed input (compress): decompress it first"},
        {"lz4", "csv", "\x04\x22\x4D\x18 and so on", "compressed input (lz4): decompress it first"},
        {"edges", "edges error", "0 1\n2 1\n0 1\n", "3:1: the edge from 0 to 1 is there already (option duplicates)"},
        {"metis", "graph error", "2 2\n2 2\n1 1\n", "the edge from 1 to 2 is there already (option duplicates)"},
        {"mtx", "error", REAL "3 3 2\n3 1 1\n3 1 2\n", "4:1: there is an entry at 3 1 already (option duplicates)"},
        {"edges or METIS", "", "3 3\n2 3\n1 3\n1 2\n", "it may be a graph of METIS, or a list of edges or entries"},
        {"edges or entries", "", "3 3 1\n2 3 1\n", "it may be entries of a matrix that count from 1, or edges with weights"},
        {"smtx", "smtx", "3, 4, 1\n0 1\n1\n", "2:4: the line has 2 row offsets, but 3 rows have 4"},
        {"csv", "csv", "1.5,2,3\n4,5,6\n", "1:1: \"1.5\" is not a coordinate; those of an entry come first in its line"},
        {"csv", "csv", "1,2,3,4\n1,2,x,4\n", "1:1: the line has 4 fields, but t has 2 coordinates and a value"},
        {"csv", "csv", "1,2,3\n1,2,3,4\n", "2:6: the line has 4 fields, not 3"},
        {"csv", "csv", "1,2,3\n1,2,3 4\n", "2:7: \"4\" should not follow field 3 of 3"},
        {"csv or table", "", "1,2,3\n4,5,6\n", "1:1: neither the text nor its name tells the format: its lines may be entries "
                                             "(SPARSE_FILE_CSV) or rows of a table (SPARSE_FILE_TABLE); set the option format"},
        {"table", "table", "1,2,3\n1,2,3,4,5\n", "2:6: the line has 5 fields, not 3"},
        {"table", "table", "1 2 3\n1 2 3 4 5\n", "2:7: the line has 5 fields, not 3"},
        {"table", "table", "1,2,3\n4,5\n", "2:4: the line has 2 fields, not 3"},
        {"table", "table", ",0,1\n0,5,6\n", "1:1: the first field is empty, as where a column without a name counts the rows: leave that out"},
        {"boeing", "", RUA "  1  3  4\n 1 3 2\n  1.5 -2.0  4.0\n", "5:1: the field of a number is blank: the file is cut, or its format lies"},
        {"boeing", "", RUA " 1 3 4 9\n 1 3 2\n  1.5 -2.0  4.0\n", "5:8: the line goes on after 3 fields of 2 columns: the format lies"},
        {"boeing", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I4) (3I2) (3F5.1)") " 1 3 4\n 1 3 2\n  1.5 -2.0  4.0\n",
         "5:3: two numbers in a field of 4 columns: the format lies (option lenient goes by the blanks)"},
        {"boeing", "", RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (3I0) (3F5.1)"),
         "4:7: the format of the indices is none that is read here, as (16I5) is"},
        {"boeing", "", RB("rua", "3 1 1 1", "3 2 999999999 0", "(3I2) (3I2) (3F5.1)") " 1 3 4\n 1 3 2\n",
         "3:1: 999999999 indices are announced, but only 7 bytes follow"}};
    for (size_t k = 0; k < sizeof said / sizeof *said; k++)
        check_said(said[k].rule, said[k].options, said[k].text, strlen(said[k].text), said[k].expected);
#if !SPARSE_ZLIB
    check_said("gzip", "", "\x1F\x8B and so on", strlen("\x1F\x8B and so on"),
               "compressed input (gzip): decompress it first, or compile with SPARSE_ZLIB 1 and link with -lz");
#endif
}

/* ---- binary files ---- */

static void check_bytes(const char *what, const char *options, const bytes *b, const char *expected)
{
    char got[1000], detail[2000];
    if (setup_of(options).skip) {
        skipped++;
        return;
    }
    for (size_t step = 0; step <= 7; step += 7) {
        outcome(options, b->at, b->length, step, got, sizeof got);
        snprintf(detail, sizeof detail, "[%s]: got %s, not %s", options, got, expected);
        check(is_outcome(got, expected), what, detail);
    }
}

/* The refusal of a binary file reports a byte position between 1 and the length of the file; it must equal `byte` if that is
   not 0. */
static void check_place(const char *what, const char *options, const bytes *b, size_t byte)
{
    char got[1000];
    outcome(options, b->at, b->length, 0, got, sizeof got);
    const char *const place = strrchr(got, ' ');
    const size_t column = place && strncmp(place, " 0:", 3) == 0 ? (size_t)strtoul(place + 3, NULL, 10) : 0;
    check(column > 0 && column <= b->length + 1 && (byte == 0 || column == byte), what, got);
}

static void test_npy(void)
{
    static const struct {
        const char *options, *dictionary, *elements;
        size_t length;
        const char *expected;
    } arrays[] = {
        {"", NPY("|i1", "False", "(2, 3)"), "\1\2\3\4\5\377", 6, "2x3 1,1=1 1,2=2 1,3=3 2,1=4 2,2=5 2,3=-1"},
        {"", NPY("|i1", "True", "(2, 3)"), "\1\2\3\4\5\377", 6, "2x3 1,1=1 1,2=3 1,3=5 2,1=2 2,2=4 2,3=-1"},
        {"dense", NPY("|u1", "False", "(1, 2)"), "\0\377", 2, "1x2 1,1=0 1,2=255"},
        {"drop", NPY("|b1", "False", "(1, 2)"), "\0\7", 2, "1x2 1,2=1"},
        {"", NPY("<i2", "False", "(1, 1)"), "\376\377", 2, "1x1 1,1=-2"},
        {"", NPY(">i2", "False", "(1, 1)"), "\376\377", 2, "1x1 1,1=-257"},
        {"", NPY("<u4", "False", "(1, 1)"), "\1\0\0\200", 4, "1x1 1,1=2147483649"},
        {"", NPY(">f4", "False", "(1, 1)"), "\77\200\0\0", 4, "1x1 1,1=1"},
        {"", NPY("<f2", "False", "(1, 1)"), "\0\76", 2, "1x1 1,1=1.5"},
        {"", NPY(">f2", "False", "(1, 1)"), "\174\0", 2, "1x1 1,1=inf"},
        {"", NPY("<f8", "False", "(1, 1)"), "\0\0\0\0\0\0\4\300", 8, "1x1 1,1=-2.5"},
        {"c64", NPY(">c8", "False", "(1, 1)"), "\77\200\0\0\300\0\0\0", 8, "1x1 1,1=1:-2"},
        {"c128", NPY("|i1", "False", "(1, 1)"), "\5", 1, "1x1 1,1=5:0"},
        {"u64", NPY("<u8", "False", "(1, 1)"), "\377\377\377\377\377\377\377\377", 8, "1x1 1,1=18446744073709551615"},
        {"i64", NPY("<i8", "False", "(1, 1)"), "\0\0\0\0\0\0\0\200", 8, "1x1 1,1=-9223372036854775808"},
        {"i64", NPY("<f8", "False", "(1, 1)"), "\0\0\0\0\0\0\340\303", 8, "1x1 1,1=-9223372036854775808"},
        {"i64", NPY("<u8", "False", "(1, 1)"), "\0\0\0\0\0\0\0\200", 8, "E_VALUE_RANGE"},
        {"i64", NPY("<f8", "False", "(1, 1)"), "\0\0\0\0\0\0\4\300", 8, "E_VALUE_RANGE"},
        {"i64", NPY("<f8", "False", "(1, 1)"), "\0\0\0\0\0\0\370\177", 8, "E_VALUE_RANGE"},
        {"u8", NPY("|i1", "False", "(1, 1)"), "\377", 1, "E_VALUE_RANGE"},
        {"f32", NPY("<f8", "False", "(1, 1)"), "\0\0\0\0\0\0\0\160", 8, "E_VALUE_RANGE"},
        {"f32 inf", NPY("<f8", "False", "(1, 1)"), "\0\0\0\0\0\0\0\160", 8, "1x1 1,1=inf"},
        {"f32", NPY("<f8", "False", "(1, 1)"), "\0\0\0\0\0\0\360\177", 8, "1x1 1,1=inf"},
        {"f32", NPY("<u8", "False", "(1, 1)"), "\1\0\0\1\0\0\0\0", 8, "1x1 1,1=16777216"},
        {"vec", NPY("|i1", "False", "(3,)"), "\1\0\3", 3, "3 1=1 2=0 3=3"},
        {"", NPY("|i1", "False", "(2,)"), "\1\3", 2, "2x1 1,1=1 2,1=3"},
        {"coo3", NPY("|i1", "False", "(1, 2, 2)"), "\1\2\3\4", 4, "1x2x2 1,1,1=1 1,1,2=2 1,2,1=3 1,2,2=4"},
        {"", NPY("|i1", "False", "(0, 3)"), "", 0, "0x3"},
        {"", " { \"shape\" : ( 1,1 ) , \"descr\":\"|i1\",'fortran_order':False}  \n", "\5", 1, "1x1 1,1=5"},
        {"", NPY("|i1", "False", "()"), "\5", 1, "E_DIMENSIONS"},
        {"", NPY("|i1", "False", "(1, 1, 1)"), "\5", 1, "E_DIMENSIONS"},
        {"", NPY("|i1", "False", "(1, 1, 1, 1, 1, 1, 1, 1, 1)"), "\5", 1, "E_HEADER"},
        {"", NPY("|i1", "False", "(2, 2)"), "\1\2\3", 3, "E_COUNT"},
        {"", NPY("|i1", "False", "(2, 2)"), "\1\2\3\4\5", 5, "E_COUNT"},
        {"", NPY("|i1", "False", "(4294967296, 4294967296)"), "\1", 1, "E_"},
        {"", NPY("|i1", "False", "(18446744073709551616, 1)"), "\1", 1, "E_HEADER"},
        {"", NPY("|i1", "False", "(4294967295, 0)"), "", 0, "4294967295x0"},
        {"64", NPY("|i1", "False", "(18446744073709551615, 0)"), "", 0, "18446744073709551615x0"},
        {"", NPY("|i1", "False", "(-1, 1)"), "\1", 1, "E_HEADER"},
        {"", NPY("|i1", "Maybe", "(1, 1)"), "\1", 1, "E_HEADER"},
        {"", NPY("|i3", "False", "(1, 1)"), "\1\1\1", 3, "E_VALUE_TYPE"},
        {"", NPY("<f16", "False", "(1, 1)"), "1234567890123456", 16, "E_VALUE_TYPE"},
        {"", NPY("|O", "False", "(1, 1)"), "\1", 1, "E_VALUE_TYPE"},
        {"", NPY("|S3", "False", "(1, 1)"), "abc", 3, "E_VALUE_TYPE"},
        {"", NPY("<U1", "False", "(1, 1)"), "abcd", 4, "E_VALUE_TYPE"},
        {"", NPY("|V3", "False", "(1, 1)"), "abc", 3, "E_VALUE_TYPE"},
        {"", NPY("<M8[s]", "False", "(1, 1)"), "12345678", 8, "E_VALUE_TYPE"},
        {"", "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1, 1), }", "12345678", 8, "E_VALUE_TYPE"},
        {"", NPY("<c8", "False", "(1, 1)"), "12345678", 8, "E_VALUE_TYPE"},
        {"", NPY("", "False", "(1, 1)"), "12345678", 8, "E_VALUE_TYPE"},
        {"", NPY("<f264", "False", "(1, 1)"), "12345678", 8, "E_VALUE_TYPE"},
        {"", "{'descr': '|i1', 'shape': (1, 1), }", "\1", 1, "E_HEADER"},
        {"", "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 1), 'more': 1}", "\1", 1, "E_HEADER"},
        {"", "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 1)", "\1", 1, "E_HEADER"},
        {"", "", "", 0, "E_HEADER"},
        {"csr8", NPY("|i1", "False", "(0, 300)"), "", 0, "E_COORDINATE_WIDTH"},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        for (int version = 1; version <= 3; version++) {
            const bytes b = npy(version, arrays[k].dictionary, arrays[k].elements, arrays[k].length);
            check_bytes(arrays[k].dictionary, arrays[k].options, &b, arrays[k].expected);
            if (arrays[k].expected[0] == 'E') check_place(arrays[k].dictionary, arrays[k].options, &b, 0);
        }
    static const struct {
        const char *dictionary, *words;
    } said[] = {{NPY("|O", "False", "(1, 1)"), "of type \"|O\", are Python objects, which would have to be executed"},
                {NPY("<f16", "False", "(1, 1)"), "of type \"<f16\", are long doubles, which differ among machines"},
                {NPY("", "False", "(1, 1)"), "of type \"\", have a type that is not known"},
                {NPY("|i1", "Maybe", "(1, 1)"), "the header of the array is damaged"},
                {NPY("|i1", "False", "(2147483648, 2147483648, 4)"), "the array should have more elements than there can be"},
                {NPY("|i1", "False", "(2, 2)"), "the array should have 4 elements of 1 bytes, but has 1 bytes"}};
    for (size_t k = 0; k < sizeof said / sizeof *said; k++) {
        const bytes lie = npy(1, said[k].dictionary, "\1", 1);
        check_said(said[k].dictionary, "", lie.at, lie.length, said[k].words);
    }
    bytes b = npy(1, NPY("|i1", "False", "(1, 3)"), "\1\377\2", 3);
    check_place("npy: the byte of an element", "u8", &b, b.length - 1);
    b = npy(1, NPY("|i1", "False", "(1, 1)"), "\1", 1);
    b.at[6] = 4;
    check_bytes("npy version", "", &b, "E_FILE_FORMAT");
    b.at[6] = 1;
    b.at[8] = 127; /* the header extends past the end of the file */
    check_bytes("npy header", "", &b, "E_HEADER");
    for (b.length = 6; b.length < 12; b.length++) check_bytes("npy cut", "npy", &b, "E_");
}

static void test_npz(void)
{
    static const struct {
        const char *options;
        member m[6];
        const char *expected;
    } files[] = {
        {"", {FORMAT("csr"), SHAPE("\2\3"), {"data.npy", "|i1", "(3,)", "\5\6\7", 3}, {"indices.npy", "|i1", "(3,)", "\2\0\1", 3},
              {"indptr.npy", "<i2", "(3,)", "\0\0\1\0\3\0", 6}}, "2x3 1,3=5 2,1=6 2,2=7"},
        {"", {FORMAT("csc"), SHAPE("\2\3"), {"data.npy", "|i1", "(3,)", "\5\6\7", 3}, {"indices.npy", "|i1", "(3,)", "\1\0\1", 3},
              {"indptr.npy", "|u1", "(4,)", "\0\1\1\3", 4}}, "2x3 1,3=6 2,1=5 2,3=7"},
        {"", {FORMAT("bsr"), SHAPE("\2\4"), {"data.npy", "|i1", "(2, 1, 2)", "\1\2\3\4", 4}, {"indices.npy", "|i1", "(2,)", "\1\0", 2},
              {"indptr.npy", "|i1", "(3,)", "\0\1\2", 3}}, "2x4 1,3=1 1,4=2 2,1=3 2,2=4"},
        {"", {FORMAT("coo"), SHAPE("\2\3"), {"data.npy", "|i1", "(2,)", "\5\6", 2}, {"row.npy", "|i1", "(2,)", "\1\0", 2},
              {"col.npy", "|i1", "(2,)", "\2\0", 2}}, "2x3 1,1=6 2,3=5"},
        {"", {FORMAT("dia"), SHAPE("\3\3"), {"data.npy", "|i1", "(2, 3)", "\1\2\3\4\5\6", 6}, {"offsets.npy", "|i1", "(2,)", "\377\1", 2}},
         "3x3 1,2=5 2,1=1 2,3=6 3,2=2"},
        {"coo3", {{"shape.npy", "|i1", "(3,)", "\2\3\4", 3}, {"data.npy", "|i1", "(2,)", "\5\6", 2},
                  {"coords.npy", "|i1", "(3, 2)", "\0\1\0\2\1\3", 6}}, "2x3x4 1,1,2=5 2,3,4=6"},
        {"", {{"format.npy", "<U3", "()", "c\0\0\0o\0\0\0o\0\0\0", 12}, SHAPE("\2\3"), {"data.npy", "|i1", "(1,)", "\5", 1},
              {"row.npy", "|i1", "(1,)", "\1", 1}, {"col.npy", "|i1", "(1,)", "\2", 1}}, "2x3 2,3=5"},
        {"", {FORMAT("csr"), SHAPE("\2\3"), {"data.npy", "|i1", "(1,)", "\5", 1}, {"indices.npy", "|i1", "(1,)", "\3", 1},
              {"indptr.npy", "|i1", "(3,)", "\0\1\1", 3}}, "E_COORDINATE"},
        {"", {FORMAT("csr"), SHAPE("\2\3"), {"data.npy", "|i1", "(1,)", "\5", 1}, {"indices.npy", "|i1", "(1,)", "\377", 1},
              {"indptr.npy", "|i1", "(3,)", "\0\1\1", 3}}, "E_COORDINATE"},
        {"", {FORMAT("csr"), SHAPE("\2\3"), {"data.npy", "|i1", "(1,)", "\5", 1}, {"indices.npy", "|i1", "(1,)", "\2", 1},
              {"indptr.npy", "|i1", "(3,)", "\0\2\1", 3}}, "E_POSITIONS"},
        {"", {FORMAT("csr"), SHAPE("\2\3"), {"data.npy", "|i1", "(1,)", "\5", 1}, {"indices.npy", "|i1", "(1,)", "\2", 1},
              {"indptr.npy", "|i1", "(3,)", "\1\1\1", 3}}, "E_POSITIONS"},
        {"", {FORMAT("csr"), SHAPE("\2\3"), {"data.npy", "|i1", "(1,)", "\5", 1}, {"indices.npy", "|i1", "(1,)", "\2", 1},
              {"indptr.npy", "|i1", "(3,)", "\0\0\0", 3}}, "E_POSITIONS"},
        {"", {FORMAT("csr"), SHAPE("\2\3"), {"data.npy", "|i1", "(1,)", "\5", 1}, {"indices.npy", "|i1", "(1,)", "\2", 1},
              {"indptr.npy", "|i1", "(2,)", "\0\1", 2}}, "E_POSITIONS"},
        {"", {FORMAT("csr"), SHAPE("\2\0"), {"data.npy", "|i1", "(1,)", "\5", 1}, {"indices.npy", "|i1", "(1,)", "\0", 1},
              {"indptr.npy", "|i1", "(3,)", "\0\1\1", 3}}, "E_COORDINATE"},
        {"", {FORMAT("csr"), SHAPE("\2\3"), {"data.npy", "|i1", "(2,)", "\5\6", 2}, {"indices.npy", "|i1", "(1,)", "\2", 1},
              {"indptr.npy", "|i1", "(3,)", "\0\1\1", 3}}, "E_HEADER"},
        {"", {FORMAT("csr"), SHAPE("\2\3"), {"data.npy", "|i1", "(1,)", "\5", 1}, {"indices.npy", "<f2", "(1,)", "\0\0", 2},
              {"indptr.npy", "|i1", "(3,)", "\0\1\1", 3}}, "E_HEADER"},
        {"", {FORMAT("csr"), SHAPE("\2\3"), {"data.npy", "|i1", "(1,)", "\5", 1}, {"indices.npy", "|i1", "(1,)", "\2", 1},
              {"indptr.npy", "<f2", "(3,)", "\0\0\0\0\1\0", 6}}, "E_HEADER"},
        {"", {FORMAT("dia"), SHAPE("\3\3"), {"data.npy", "|i1", "(1, 3)", "\1\2\3", 3}, {"offsets.npy", "<f2", "(1,)", "\0\0", 2}},
         "E_HEADER"},
        {"", {FORMAT("coo"), SHAPE("\2\3"), {"data.npy", "|i1", "(1,)", "\5", 1}, {"row.npy", "<f2", "(1,)", "\0\0", 2},
              {"col.npy", "|i1", "(1,)", "\0", 1}}, "E_HEADER"},
        {"", {FORMAT("coo"), SHAPE("\2\3"), {"data.npy", "|i1", "(1,)", "\5", 1}, {"row.npy", "|i1", "(1,)", "\0", 1},
              {"col.npy", "<f2", "(1,)", "\0\0", 2}}, "E_HEADER"},
        {"", {{"shape.npy", "|i1", "(2,)", "\2\3", 2}, {"data.npy", "|i1", "(1,)", "\5", 1},
              {"coords.npy", "<f2", "(2, 1)", "\0\0\0\0", 4}}, "E_HEADER"},
        {"", {FORMAT("csr"), SHAPE("\2\3"), {"data.npy", "|S1", "(1,)", "5", 1}, {"indices.npy", "|i1", "(1,)", "\2", 1},
              {"indptr.npy", "|i1", "(3,)", "\0\1\1", 3}}, "E_VALUE_TYPE"},
        {"", {FORMAT("bsr"), SHAPE("\3\4"), {"data.npy", "|i1", "(1, 2, 2)", "\1\2\3\4", 4}, {"indices.npy", "|i1", "(1,)", "\1", 1},
              {"indptr.npy", "|i1", "(2,)", "\0\1", 2}}, "E_HEADER"},
        {"", {FORMAT("bsr"), SHAPE("\2\4"), {"data.npy", "|i1", "(1, 0, 2)", "", 0}, {"indices.npy", "|i1", "(1,)", "\1", 1},
              {"indptr.npy", "|i1", "(2,)", "\0\1", 2}}, "E_HEADER"},
        {"", {FORMAT("coo"), SHAPE("\2\3"), {"data.npy", "|i1", "(2,)", "\5\6", 2}, {"row.npy", "|i1", "(1,)", "\1", 1},
              {"col.npy", "|i1", "(2,)", "\2\0", 2}}, "E_HEADER"},
        {"", {FORMAT("coo"), SHAPE("\2\3"), {"data.npy", "|i1", "(1,)", "\5", 1}, {"row.npy", "|i1", "(1,)", "\2", 1},
              {"col.npy", "|i1", "(1,)", "\0", 1}}, "E_COORDINATE"},
        {"", {FORMAT("coo"), SHAPE("\377\3")}, "E_OVERFLOW"},
        {"", {FORMAT("xyz"), SHAPE("\2\3"), {"data.npy", "|i1", "(1,)", "\5", 1}}, "E_FILE_FORMAT"},
        {"", {FORMAT("csr"), SHAPE("\2\3")}, "E_HEADER"},
        {"", {FORMAT("csr")}, "E_HEADER"},
        {"coo3", {FORMAT("csr"), SHAPE("\2\3")}, "E_DIMENSIONS"},
        {"", {{"shape.npy", "|i1", "(2,)", "\2\3", 2}, {"data.npy", "|i1", "(1,)", "\5", 1},
              {"coords.npy", "|i1", "(2, 1)", "\0\1", 2}, {"fill_value.npy", "|i1", "()", "\1", 1}}, "E_VALUE_TYPE"},
        {"", {{"shape.npy", "|i1", "(2,)", "\2\3", 2}, {"data.npy", "|i1", "(1,)", "\5", 1}, {"coords.npy", "|i1", "(2, 1)", "\0\1", 2},
              {"fill_value.npy", "<f8", "()", "\0\0\0\0\0\0\360\77", 8}}, "E_VALUE_TYPE"},
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        size_t count = 0;
        while (count < 6 && files[k].m[count].name) count++;
        const bytes b = npz(files[k].m, count);
        check_bytes(files[k].expected, files[k].options, &b, files[k].expected);
        if (files[k].expected[0] == 'E') check_place(files[k].expected, files[k].options, &b, 0);
    }

    /* changes each byte, and truncates at each byte: the archive is read as before, or refused */
    const bytes good = npz(files[0].m, 5);
    char got[1000];
    int refused = 0;
    for (size_t k = 0; k < good.length; k++) {
        bytes b = good;
        b.at[k] = (char)(b.at[k] ^ 0x10);
        outcome("", b.at, b.length, 0, got, sizeof got);
        refused += got[0] == 'E';
        check(got[0] == 'E' || strcmp(got, files[0].expected) == 0, "npz with a byte changed", got);
        outcome("npz", good.at, k, 0, got, sizeof got);
        check(got[0] == 'E', "npz cut", got);
    }
    check(refused > (int)good.length / 2, "npz with a byte changed", "is refused, mostly");
    char method[6000];
    memcpy(method, good.at, good.length);
    for (size_t k = 0; k + 4 < good.length; k++)
        if (memcmp(method + k, "PK\1\2", 4) == 0) method[k + 10] = 14; /* LZMA */
    outcome("", method, good.length, 0, got, sizeof got);
    check(is_outcome(got, "E_COMPRESSED_FILE"), "npz by LZMA", got);
    check_said("npz by LZMA", "", method, good.length, "format.npy is compressed by method 14 of zip, which is not read");
    memcpy(method, good.at, good.length);
    for (size_t k = 0; k + 4 < good.length; k++)
        if (memcmp(method + k, "PK\1\2", 4) == 0) method[k + 8] = 1;
    check_said("npz with a password", "", method, good.length, "format.npy is encrypted");
    const member none[] = {{"format.npy", "|S3", "(0,)", "", 0}, SHAPE("\2\3"), {"data.npy", "|i1", "(1,)", "\5", 1}};
    const bytes wordless = npz(none, 3);
    check_said("npz: a format of no words", "", wordless.at, wordless.length, "the format \"\" of the archive is none of");
    check_said("npz, cut", "", good.at, good.length - 1, "the zip archive has no directory at its end: it is cut or damaged");

    /* numbers in extra fields, as in archives larger than 4 GiB */
    for (unsigned wide = 1; wide < 16; wide++) {
        archive a;
        memset(&a, 0, sizeof a);
        a.wide = wide;
        for (size_t n = 0; n < 5; n++) {
            const bytes array = npy_of(&files[0].m[n]);
            add_member(&a, files[0].m[n].name, 0, crc_of(array.at, array.length), array.length, array.at, array.length);
        }
        bytes b = close_archive(&a);
        check_bytes("npz, wide", "", &b, files[0].expected);
        if (wide & 8) {
            b.at[b.length - 22 - 20 + 8 + 7] = 1; /* the end-of-directory record is missing */
            check_said("npz, wide", "", b.at, b.length, "the end of the zip archive is damaged");
        }
    }

    /* archive members whose headers contradict their content */
    static const member *const m = files[0].m;
    static const struct {
        int crc, size;
        const char *words;
    } lies[] = {{1, 0, "data.npy is damaged: its CRC-32 is not what the zip directory says"},
                {0, 1, "data.npy is compressed by method 0 of zip, which is not read"}};
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
        archive a;
        memset(&a, 0, sizeof a);
        for (size_t n = 0; n < 5; n++) {
            const bytes array = npy_of(&m[n]);
            const bool data = n == 2;
            add_member(&a, m[n].name, 0, crc_of(array.at, array.length) ^ (data && lies[k].crc), array.length + (data && lies[k].size),
                       array.at, array.length);
        }
        const bytes b = close_archive(&a);
        check_said("npz: a member lies", "", b.at, b.length, lies[k].words);
    }
#if SPARSE_ZLIB
    for (size_t k = 0; files[k].expected[0] != 'E'; k++) { /* the archives again, with deflated members */
        archive a;
        memset(&a, 0, sizeof a);
        for (size_t n = 0; n < 6 && files[k].m[n].name; n++) {
            const bytes array = npy_of(&files[k].m[n]), less = deflated(array.at, array.length, -MAX_WBITS);
            add_member(&a, files[k].m[n].name, 8, crc_of(array.at, array.length), array.length, less.at, less.length);
        }
        const bytes b = close_archive(&a);
        check_bytes("npz deflated", files[k].options, &b, files[k].expected);
    }
    /* deflated members that are truncated, have another checksum or size, or expand to far more than they declare */
    enum { GOOD, CUT, SUM, SHORTER, LONGER, BOMB, WAYS };
    static const char *const words[] = {NULL, "data.npy: its deflated data are damaged", "data.npy is damaged: its CRC-32",
                                        "data.npy: it expands more than it should (option expansion)",
                                        "data.npy: its deflated data are damaged",
                                        "data.npy: it expands more than it should (option expansion)"};
    static char zeros[3 << 20];
    for (int way = 0; way < WAYS; way++) {
        archive a;
        memset(&a, 0, sizeof a);
        for (size_t n = 0; n < 5; n++) {
            const bytes array = npy_of(&m[n]);
            const bool bomb = n == 2 && way == BOMB;
            const bytes less = bomb ? deflated(zeros, sizeof zeros, -MAX_WBITS) : deflated(array.at, array.length, -MAX_WBITS);
            const size_t size = bomb ? sizeof zeros : array.length;
            const int here = n == 2 ? way : GOOD;
            add_member(&a, m[n].name, 8, crc_of(array.at, array.length) ^ (here == SUM), size + (here == LONGER) - (here == SHORTER),
                       less.at, less.length - (here == CUT ? 3 : 0));
        }
        const bytes b = close_archive(&a);
        if (way == GOOD) check_bytes("npz deflated", "", &b, files[0].expected);
        else check_said("npz deflated", "", b.at, b.length, words[way]);
        if (way != GOOD) check_place("npz deflated", "", &b, 0);
    }
#endif
}

/* ---- the files of SPARSE_DATA ---- */

/* Expected sizes and entries are from the index of the data. The sum is math.fsum of Python over the values; `same` names a
   Matrix Market file of the matrix. */
static const struct {
    const char *file, *options;
    size_t rank, dim[4], entries;
    const char *sum, *same;
} data_files[] = {
    {"matrices/arc130.rua", "", 2, {130, 130}, 1282, "-4717871.064029914", "matrices/arc130.mtx"},
    {"matrices/west0067.rua", "", 2, {67, 67}, 294, "34.3087486", "matrices/west0067.mtx"},
    {"matrices/west0479.rb", "", 2, {479, 479}, 1910, "-1750540.0748997678", "matrices/west0479.mtx"},
    {"matrices/rua_32.rb", "", 2, {32, 32}, 126, "192901", "matrices/rua_32.mtx"},
    {"matrices/bcsstk01.rb", "", 2, {48, 48}, 400, "46625043418.15753", NULL},
    {"matrices/farm.rb", "i64", 2, {7, 17}, 41, "1023", NULL},
    {"matrices/lap_25.rb", "", 2, {25, 25}, 169, "169", NULL},
    {"matrices/well1850.rra", "", 2, {1850, 712}, 8758, "1119.2882276638657", NULL},
    {"matrices/lock1074.pse", "", 2, {1074, 1074}, 51588, "51588", NULL},
    {"matrices/young3c.csa", "c128 lenient", 2, {841, 841}, 3988, NULL, NULL}, /* declared symmetric, but not quite */
    {"tensors/pyttb_sptensor_sparse_continuous_size_20_16_12_rng_1.sptensor.txt", "coo3", 3, {20, 16, 12}, 576,
     "67.86400767450125", NULL},
    {"tensors/aminoacid.sptensor.txt.gz", "coo3 zero", 3, {5, 201, 61}, 61305, "6896373.007", NULL},
};

/* Reads a file of the data; returns false if the file is missing, or if it is compressed and cannot be decompressed. */
static bool read_data(sparse_tensor *t, const sparse_encoding *e, const char *file, const sparse_read_options *o)
{
    char path[500];
    snprintf(path, sizeof path, "%s/%s", data_directory(), file);
    memset(t, 0, sizeof *t);
    t->encoding = e;
    if (!exists(path) || (!SPARSE_ZLIB && ends_with(file, ".gz"))) {
        printf("test_files: %s, or what reads it, is not there, skipped\n", file);
        skipped++;
        return false;
    }
    check(sparse_read(t, path, o) == SPARSE_OK, "data", o->error->message);
    return true;
}

static void test_data(void)
{
    for (size_t k = 0; k < sizeof data_files / sizeof *data_files; k++) {
        setup s = setup_of(data_files[k].options);
        sparse_io_error error;
        sparse_tensor t, same;
        s.o.error = &error;
        if (!read_data(&t, &s.e, data_files[k].file, &s.o)) continue;
        check(memcmp(t.dim, data_files[k].dim, data_files[k].rank * sizeof *t.dim) == 0, "data: sizes", data_files[k].file);
        check(t.val.length == data_files[k].entries, "data: entries", data_files[k].file);
        check(sparse_validate(&t, NULL) == SPARSE_OK, "data: valid", data_files[k].file);
        const sums sum = sums_of(&t);
        if (data_files[k].sum) check(is_sum(&sum, data_files[k].sum), "data: sum", data_files[k].file);
        if (data_files[k].same && read_data(&same, &s.e, data_files[k].same, &s.o)) {
            bool equal = false;
            check(sparse_equal(&t, &same, 0, &equal) == SPARSE_OK && equal, "data: the same", data_files[k].same);
            sparse_free(&same);
        }
        sparse_free(&t);
    }
    setup s = setup_of("c128");
    sparse_tensor t;
    sparse_io_error error;
    char path[500];
    snprintf(path, sizeof path, "%s/matrices/young3c.csa", data_directory());
    memset(&t, 0, sizeof t);
    t.encoding = &s.e;
    s.o.error = &error;
    if (exists(path)) check(sparse_read(&t, path, &s.o) == SPARSE_E_SYMMETRY, "data: both triangles", error.message);
    sparse_free(&t);
}

/* ---- writing ---- */

/* Write options from the words of a case: a format, symmetric, skew, hermitian, half, pattern. */
static sparse_write_options write_options_of(const char *words, sparse_io_error *error)
{
    sparse_write_options w;
    memset(&w, 0, sizeof w);
    w.format = setup_of(words).o.format;
    w.symmetry = has_word(words, "symmetric")   ? SPARSE_SYMMETRY_SYMMETRIC
                 : has_word(words, "skew")      ? SPARSE_SYMMETRY_SKEW
                 : has_word(words, "hermitian") ? SPARSE_SYMMETRY_HERMITIAN
                                                : SPARSE_SYMMETRY_GENERAL;
    w.pattern = has_word(words, "pattern");
    w.stored_half = has_word(words, "half");
    w.zero_based = has_word(words, "from0");
    if (has_word(words, "comments")) w.comments = " one\ntwo\r%three";
    w.error = error;
    return w;
}

/* Matrices as Matrix Market text, options, and the text that is written, or the error. */
static const io_case writes[] = {
    {"symmetric", "mtx symmetric", REAL "2 2 3\n1 1 5\n1 2 3\n2 1 3\n", SYMMETRIC "2 2 2\n1 1 5\n2 1 3\n"},
    {"symmetric", "mtx symmetric dense", ARRAY "2 2\n1\n2\n2\n3\n", MM("array real symmetric") "2 2\n1\n2\n3\n"},
    {"symmetric", "mtx symmetric pattern", REAL "2 2 2\n1 2 3\n2 1 4\n", MM("coordinate pattern symmetric") "2 2 1\n2 1\n"},
    {"symmetric", "mtx symmetric c64", COMPLEX "2 2 2\n1 2 3 4\n2 1 3 4\n", MM("coordinate complex symmetric") "2 2 1\n2 1 3 4\n"},
    {"skew", "mtx skew", REAL "2 2 3\n1 2 -3\n2 1 3\n2 2 0\n", SKEW "2 2 1\n2 1 3\n"},
    {"skew", "mtx skew i8", INTEGER "2 2 2\n1 2 -127\n2 1 127\n", MM("coordinate integer skew-symmetric") "2 2 1\n2 1 127\n"},
    {"skew", "mtx skew dense", ARRAY "2 2\n0\n-2\n2\n0\n", MM("array real skew-symmetric") "2 2\n-2\n"},
    {"hermitian", "mtx hermitian c64", COMPLEX "2 2 3\n1 2 3 4\n2 1 3 -4\n2 2 5 0\n",
     MM("coordinate complex hermitian") "2 2 2\n2 1 3 -4\n2 2 5 0\n"},
    {"pattern", "mtx pattern", REAL "2 3 2\n1 2 5\n2 3 7\n", PATTERN "2 3 2\n1 2\n2 3\n"},
    {"pattern", "mtx pattern dense", ARRAY "1 2\n1\n2\n", PATTERN "1 2 2\n1 1\n1 2\n"},
    {"pattern", "mtx pattern dense", ARRAY "2 2\n1\n0\n0\n2\n", PATTERN "2 2 2\n1 1\n2 2\n"},
    {"pattern", "csv pattern dense", ARRAY "2 2\n1\n0\n0\n2\n", "row,column\n1,1\n2,2\n"},
    {"comments", "mtx comments", REAL "1 1 1\n1 1 5\n", REAL "% one\n%two\n%%three\n1 1 1\n1 1 5\n"},
    {"comments", "tns comments", REAL "1 1 1\n1 1 5\n", "# one\n#two\n#%three\n1 1 5\n"},
    {"symmetry", "mtx symmetric", REAL "2 2 2\n1 2 3\n2 1 4\n", "E_SYMMETRY"},
    {"symmetry", "mtx symmetric", REAL "2 2 1\n1 2 3\n", "E_SYMMETRY"},
    {"symmetry", "mtx symmetric", REAL "2 2 1\n2 1 3\n", "E_SYMMETRY"},
    {"symmetry", "mtx symmetric", REAL "2 3 0\n", "E_SYMMETRY"},
    {"symmetry", "mtx symmetric dense", ARRAY "2 2\n1\n2\n9\n3\n", "E_SYMMETRY"},
    {"symmetry", "mtx skew", REAL "2 2 2\n1 2 3\n2 1 3\n", "E_SYMMETRY"},
    {"symmetry", "mtx skew", REAL "1 1 1\n1 1 3\n", "E_SYMMETRY"},
    {"symmetry", "mtx skew i8", INTEGER "2 2 2\n1 2 -128\n2 1 -128\n", "E_SYMMETRY"},
    {"symmetry", "mtx skew pattern", REAL "1 1 0\n", "E_SYMMETRY"},
    {"symmetry", "mtx hermitian", REAL "1 1 1\n1 1 1\n", "E_SYMMETRY"},
    {"symmetry", "mtx hermitian c64", COMPLEX "2 2 2\n1 2 3 4\n2 1 3 4\n", "E_SYMMETRY"},
    {"symmetry", "mtx hermitian c64", COMPLEX "1 1 1\n1 1 3 4\n", "E_SYMMETRY"},
    {"symmetry", "csv symmetric", REAL "1 1 1\n1 1 1\n", "E_SYMMETRY"},
    {"symmetry", "npy symmetric", REAL "1 1 1\n1 1 1\n", "E_SYMMETRY"},
    {"half", "mtx half symmetric", REAL "2 2 2\n1 1 5\n2 1 3\n", SYMMETRIC "2 2 2\n1 1 5\n2 1 3\n"},
    {"half", "mtx half symmetric dense", ARRAY "2 2\n1\n2\n0\n3\n", MM("array real symmetric") "2 2\n1\n2\n3\n"},
    {"half", "mtx half symmetric pattern", REAL "2 2 1\n2 1 4\n", MM("coordinate pattern symmetric") "2 2 1\n2 1\n"},
    {"half", "mtx half skew", REAL "2 2 2\n2 1 3\n2 2 0\n", SKEW "2 2 1\n2 1 3\n"},
    {"half", "mtx half skew i8", INTEGER "2 2 1\n2 1 -128\n", MM("coordinate integer skew-symmetric") "2 2 1\n2 1 -128\n"},
    {"half", "mtx half hermitian c64", COMPLEX "2 2 2\n2 1 3 -4\n2 2 5 0\n",
     MM("coordinate complex hermitian") "2 2 2\n2 1 3 -4\n2 2 5 0\n"},
    {"half", "mtx half symmetric", REAL "2 2 1\n1 2 3\n", "E_SYMMETRY"},
    {"half", "mtx half symmetric", REAL "2 2 2\n1 2 3\n2 1 3\n", "E_SYMMETRY"},
    {"half", "mtx half symmetric", REAL "2 3 0\n", "E_SYMMETRY"},
    {"half", "mtx half skew", REAL "1 1 1\n1 1 3\n", "E_SYMMETRY"},
    {"half", "mtx half hermitian c64", COMPLEX "1 1 1\n1 1 3 4\n", "E_SYMMETRY"},
    {"half", "csv half symmetric", REAL "1 1 1\n1 1 1\n", "E_SYMMETRY"},
    {"half", "mtx half", REAL "1 1 1\n1 1 1\n", "E_ARGUMENT"},
    {"half", "graph half", REAL "2 2 1\n2 1 1\n", "E_SYMMETRY"},
    {"smtx", "smtx", REAL "2 3 2\n1 2 1\n2 3 1\n", "2, 3, 2\n0 1 2\n1 2\n"},
    {"smtx", "smtx pattern", REAL "2 3 2\n1 2 5\n2 3 7\n", "2, 3, 2\n0 1 2\n1 2\n"},
    {"smtx", "smtx", REAL "2 3 2\n1 2 5\n2 3 7\n", "E_VALUE_TYPE"},
    {"smtx", "smtx coo", REAL "2 3 2\n1 2 1\n1 2 1\n", "E_VALUE_TYPE"},
    {"csv", "csv", REAL "2 3 2\n1 2 5\n2 3 7\n", "row,column,value\n1,2,5\n2,3,7\n"},
    {"csv", "csv from0", REAL "2 3 1\n1 2 5\n", "row,column,value\n0,1,5\n"},
    {"csv", "csv c64", COMPLEX "1 1 1\n1 1 5 6\n", "row,column,real,imaginary\n1,1,5,6\n"},
    {"csv", "csv pattern", REAL "1 1 1\n1 1 5\n", "row,column\n1,1\n"},
    {"table", "table comments", REAL "2 3 2\n1 2 5\n2 3 0.5\n", "# one\n#two\n#%three\n0,5,0\n0,0,0.5\n"},
    {"table", "table vec", REAL "3 1 1\n2 1 5\n", "0\n5\n0\n"},
    {"table", "table c64", COMPLEX "1 1 1\n1 1 5 6\n", "E_VALUE_TYPE"},
    {"table", "table coo3", "%%MatrixMarket tensor coordinate real general\n1 1 1 1\n1 1 1 5\n", "E_DIMENSIONS"},
    {"table", "table", REAL "0 3 0\n", "E_SHAPE"},
    {"edges", "edges", REAL "2 2 1\n1 2 5\n", "0 1 5\n"},
    {"edges", "edges pattern", REAL "2 2 1\n1 2 5\n", "0 1\n"},
    {"edges", "edges", REAL "2 3 1\n1 2 5\n", "E_SHAPE"},
    {"edges", "edges c64", COMPLEX "1 1 1\n1 1 5 6\n", "E_VALUE_TYPE"},
    {"metis", "graph", REAL "3 3 2\n1 3 1\n3 1 1\n", "3 1\n3\n\n1\n"},
    {"metis", "graph", REAL "2 2 2\n1 2 7\n2 1 7\n", "2 1 001\n2 7\n1 7\n"},
    {"metis", "graph coo", REAL "2 2 4\n1 2 1\n1 2 1\n2 1 1\n2 1 1\n", "2 1 001\n2 2\n1 2\n"},
    {"metis", "graph", REAL "2 2 2\n1 2 7\n2 1 8\n", "E_SYMMETRY"},
    {"metis", "graph", REAL "2 2 2\n1 2 0.5\n2 1 0.5\n", "E_VALUE_TYPE"},
    {"metis", "graph", REAL "1 1 1\n1 1 1\n", "E_VALUE_TYPE"},
    {"sptensor", "sptensor", REAL "2 3 1\n1 2 5\n", "sptensor\n2\n2 3\n1\n1 2 5\n"},
    {"sptensor", "sptensor pattern", REAL "2 3 1\n1 2 5\n", "E_VALUE_TYPE"},
    {"npz", "npz dense1", ARRAY "2 1\n5\n6\n", "E_DIMENSIONS"},
};

static void test_writes(void)
{
    char detail[2000];
    for (size_t k = 0; k < sizeof writes / sizeof *writes; k++) {
        const io_case *const c = &writes[k];
        setup s = setup_of(c->options);
        sparse_io_error error;
        const sparse_write_options w = write_options_of(c->options, &error);
        sparse_tensor t = tensor_of(&s.e, c->text);
        bytes b;
        const sparse_result result = write_bytes(&t, &w, &b);
        if (b.length < sizeof b.at) b.at[b.length] = '\0';
        snprintf(detail, sizeof detail, "[%s] %s: %.500s (%s)", c->options, sparse_name(result), result ? "" : b.at,
                 error.message);
        if (c->expected[0] == 'E') check(strcmp(sparse_name(result) + strlen("SPARSE_"), c->expected) == 0, c->rule, detail);
        else check(result == SPARSE_OK && strcmp(b.at, c->expected) == 0, c->rule, detail);
        check(error.result == result && (result == SPARSE_OK || strlen(error.message) > 25), "has a sentence", error.message);
        sparse_free(&t);
    }
}

/* BSR with blocks of 2 x 2. */
static sparse_encoding blocks(sparse_kind kind)
{
    sparse_encoding e = encoding_of(2, kind);
    e.levels = 4;
    for (unsigned l = 0; l < 4; l++) {
        e.level[l].map = (uint8_t)(l < 2 ? SPARSE_MAP_FLOORDIV : SPARSE_MAP_MOD);
        e.level[l].dim = (uint8_t)(l % 2);
        e.level[l].c = 2;
    }
    e.level[1].type = SPARSE_COMPRESSED;
    return e;
}

static sparse_encoding csc(sparse_kind kind)
{
    sparse_encoding e = csr(kind);
    e.level[0].dim = 1;
    e.level[1].dim = 0;
    return e;
}

/* Writes a tensor in a format and reads it back: the result must be equal. */
static sparse_tensor written_and_read(const sparse_tensor *t, const char *word, const char *detail)
{
    sparse_io_error error;
    sparse_write_options w = write_options_of(word, &error);
    setup s = setup_of(word);
    sparse_tensor back;
    bytes b;
    bool equal = false;
    memset(&back, 0, sizeof back);
    back.encoding = t->encoding;
    s.o.error = &error;
    check(write_bytes(t, &w, &b) == SPARSE_OK, "round trip: write", error.message);
    check(sparse_read_memory(&back, b.at, b.length, &s.o) == SPARSE_OK, "round trip: read", error.message);
    check(memcmp(t->dim, back.dim, sizeof t->dim) == 0, "round trip: sizes", detail);
    check(sparse_equal(t, &back, 0, &equal) == SPARSE_OK && equal, "round trip: values", detail);
    return back;
}

/* The option `symmetry` returns the symmetry that a file declares, also if both triangles are read. A refused file leaves it
   unchanged. */
static void test_symmetry_stated(void)
{
    static const struct {
        const char *options, *text;
        sparse_symmetry stated;
    } files[] = {{"mtx", REAL "1 1 1\n1 1 5\n", SPARSE_SYMMETRY_GENERAL},
                 {"mtx", SYMMETRIC "2 2 1\n2 1 5\n", SPARSE_SYMMETRY_SYMMETRIC},
                 {"mtx half", SYMMETRIC "2 2 1\n2 1 5\n", SPARSE_SYMMETRY_SYMMETRIC},
                 {"mtx lenient", SYMMETRIC "2 2 2\n2 1 5\n1 2 5\n", SPARSE_SYMMETRY_SYMMETRIC},
                 {"mtx half", MM("coordinate real skew-symmetric") "2 2 1\n2 1 5\n", SPARSE_SYMMETRY_SKEW},
                 {"mtx c64", MM("coordinate complex hermitian") "2 2 1\n2 1 5 1\n", SPARSE_SYMMETRY_HERMITIAN},
                 {"rb half", RB("rsa", "3 1 1 1", "2 2 2 0", "(3I2) (3I2) (3F5.1)") " 1 3 3\n 1 2\n  1.5 -2.0\n",
                  SPARSE_SYMMETRY_SYMMETRIC},
                 {"rb", RB("rza", "3 1 1 1", "2 2 1 0", "(3I2) (3I2) (3F5.1)") " 1 2 2\n 2\n  1.5\n", SPARSE_SYMMETRY_SKEW},
                 {"edges half", "0 1 5\n", SPARSE_SYMMETRY_GENERAL}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        setup s = setup_of(files[k].options);
        sparse_symmetry stated = (sparse_symmetry)(files[k].stated + 1);
        sparse_tensor t;
        memset(&t, 0, sizeof t);
        t.encoding = &s.e;
        s.o.symmetry = &stated;
        check(sparse_read_memory(&t, files[k].text, 1, &s.o) != SPARSE_OK, "symmetry", "refused");
        check((int)stated == (int)files[k].stated + 1, "symmetry of what is refused", files[k].text);
        check(sparse_read_memory(&t, files[k].text, strlen(files[k].text), &s.o) == SPARSE_OK, "symmetry", files[k].text);
        check(stated == files[k].stated, "symmetry", files[k].text);
        sparse_free(&t);
    }
}

/* Checks that a list of edges is read, and that the message contains the words. */
static void check_noted(const char *options, const char *text, const char *words)
{
    setup s = setup_of(options);
    sparse_io_error error;
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    t.encoding = &s.e;
    s.o.error = &error;
    check(sparse_read_memory(&t, text, strlen(text), &s.o) == SPARSE_OK && error.result == SPARSE_OK, "noted", error.message);
    check(strstr(error.message, words) != NULL, "noted", error.message);
    sparse_free(&t);
}

/* If a list of edges does not say whether vertices count from 0 or 1, and has no vertex 0, the message states the
   assumption. */
static void test_noted(void)
{
    check_noted("edges", "1 2\n2 3\n", "set the option one_based");
    check_noted("", "1 2\n2 3\n", "set the option one_based");
    check_noted("edges", "1 2\n2 0\n", ": success");
    check_noted("edges", "0 2\n2 1\n", ": success");
    check_noted("edges one", "1 2\n2 3\n", ": success");
    check_noted("edges zero", "1 2\n2 3\n", ": success");
    check_noted("", "# Nodes: 3\n1 2\n", ": success");
    check_noted("", "% sym\n1 2\n", ": success");
    check_noted("edges", "", ": success");
}

/* Formats with a number for each row or column are refused if the tensor has far more rows or columns than entries. */
static void test_rows_refused(void)
{
    static const char *const formats[] = {"rb", "npz", "smtx", "graph"};
    const sparse_encoding e = coo(2, SPARSE_F64);
    const uint64_t size = UINT64_C(3000000000);
    sparse_tensor t = tensor_of(&e, REAL "3 3 2\n1 2 1\n2 1 1\n");
    if (size <= SIZE_MAX) t.dim[0] = t.lvl[0] = t.dim[1] = t.lvl[1] = (size_t)size;
    for (size_t k = 0; size <= SIZE_MAX && k < sizeof formats / sizeof *formats; k++) {
        sparse_io_error error;
        sparse_write_options w;
        memset(&w, 0, sizeof w);
        w.error = &error;
        w.pattern = k == 2;
        for (size_t n = 0; n < sizeof format_words / sizeof *format_words; n++)
            if (strcmp(format_words[n].word, formats[k]) == 0) w.format = format_words[n].format;
        FILE *const out = tmpfile();
        check(sparse_write_stream(&t, out, &w) == SPARSE_E_OVERFLOW, "rows refused", error.message);
        check(strstr(error.message, "a number for each of 3000000000 ") != NULL, "rows refused", error.message);
        check(ftell(out) == 0, "rows refused", "nothing is written");
        fclose(out);
    }
    sparse_free(&t);
}

/* Each format refuses to write properties that it cannot express: that a matrix is symmetric, or a pattern. (HDF5 is tested
   in test_binsparse.c.) */
static void test_options_refused(void)
{
    static const struct {
        const char *word;
        bool symmetry, pattern;
    } formats[] = {{"mtx", true, true},   {"xtns", false, false}, {"tns", false, false},      {"smtx", false, true},
                   {"rb", true, true},    {"npy", false, false},  {"npz", false, false},      {"bsp", true, true},
                   {"sptensor", false, false}, {"graph", true, true}, {"edges", false, true}, {"csv", false, true},
                   {"table", false, false}};
    const sparse_encoding e = csr(SPARSE_F64);
    sparse_tensor t = tensor_of(&e, REAL "2 2 2\n1 2 1\n2 1 1\n");
    check(sizeof formats / sizeof *formats + 2 == SPARSE_P_FILE_COUNT, "options refused", "of every format but HDF5");
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (int pattern = 0; pattern < 2; pattern++) {
            char words[40];
            bytes b;
            snprintf(words, sizeof words, "%s %s", formats[f].word, pattern ? "pattern" : "symmetric");
            const sparse_write_options w = write_options_of(words, NULL);
            const sparse_result result = write_bytes(&t, &w, &b);
            check(result == ((pattern ? formats[f].pattern : formats[f].symmetry) ? SPARSE_OK
                             : pattern                                            ? SPARSE_E_VALUE_TYPE
                                                                                  : SPARSE_E_SYMMETRY),
                  "options refused", words);
        }
    sparse_free(&t);
}

/* Every type in every format, from several encodings: the file reads back as an equal tensor. */
static void test_round_trips(void)
{
    static const struct {
        const char *word;
        bool zeros, complex_too, padded; /* can the format keep explicit zeros, complex values, a -0 among padding? */
    } formats[] = {{"mtx", true, true, true},  {"tns", true, true, true},  {"xtns", true, true, true},
                   {"rb", true, true, false},  {"npz", true, true, false}, {"npy", false, true, true},
                   {"csv", true, true, true},  {"edges", true, false, true}, {"sptensor", true, true, true},
                   {"table", false, false, true}};
    static const char *const integers = INTEGER "4 4 5\n1 2 127\n2 1 0\n3 4 1\n4 1 77\n4 4 100\n";
    static const char *const reals = REAL "4 4 10\n1 2 0.1\n2 1 -0.0\n4 3 1e38\n1 1 16777217\n3 1 1.17549435e-38\n3 2 1e-45\n"
                                          "3 3 0.30000000000000004\n4 4 inf\n1 4 -inf\n4 2 nan\n";
    static const char *const complexes = COMPLEX "4 4 6\n1 2 0.1 -0.0\n2 1 1e-30 7\n4 4 -5 1e10\n3 3 -0.0 inf\n3 4 nan -0.0\n"
                                                 "1 1 -0.0 -0.0\n";
    char detail[100], before[256], after[256];
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (int shape = 0; shape < 5; shape++) {
                const sparse_kind kind = kinds[k].kind;
                const bool complex_kind = kind == SPARSE_C64 || kind == SPARSE_C128;
                const sparse_encoding e = shape == 0   ? csr(kind)
                                          : shape == 1 ? csc(kind)
                                          : shape == 2 ? coo(2, kind)
                                          : shape == 3 ? encoding_of(2, kind)
                                                       : blocks(kind);
                if (complex_kind && !formats[f].complex_too) continue;
                sparse_tensor t = tensor_of(&e, complex_kind ? complexes : kind >= SPARSE_F32 ? reals : integers), back;
                snprintf(detail, sizeof detail, "%s, type %s, encoding %d", formats[f].word, kinds[k].name, shape);
                back = written_and_read(&t, formats[f].word, detail);
                if (formats[f].zeros && shape <= 2)
                    check(t.val.length == back.val.length &&
                              memcmp(t.val.at, back.val.at, t.val.length * e.value_size) == 0,
                          "round trip: bit for bit", detail);
                if (formats[f].padded || shape <= 2)
                    check(sparse_unpack_dense_untyped(&t, before) == SPARSE_OK && sparse_unpack_dense_untyped(&back, after) == SPARSE_OK &&
                              memcmp(before, after, 16 * e.value_size) == 0,
                          "round trip: every element", detail);
                sparse_free(&back);
                sparse_free(&t);
            }
}

/* Sizes that NumPy would read as negative numbers. */
static void test_numpy_sizes(void)
{
    const sparse_encoding e = coo(2, SPARSE_F64);
    for (int z = 0; z < 2 && sizeof(size_t) > 4; z++) {
        sparse_io_error error;
        const sparse_write_options w = write_options_of(z ? "npz" : "npy", &error);
        sparse_tensor t = tensor_of(&e, REAL "0 9223372036854775808 0\n");
        bytes b;
        check(write_bytes(&t, &w, &b) == SPARSE_E_OVERFLOW, "numpy: sizes", error.message);
        sparse_free(&t);
    }
}

/* The file name determines the separator: .tsv, in upper or lower case, compressed or not, means tabs. */
static void test_tabs(void)
{
    const sparse_encoding e = csr(SPARSE_F64);
    sparse_tensor t = tensor_of(&e, REAL "2 3 1\n2 3 5\n");
    static const char *const names[] = {"out.csv", "out.tsv", "out.TSV", "out.tsv.gz"};
    for (size_t k = 0; k < (SPARSE_ZLIB ? 4 : 3); k++) {
        const char *const path = scratch(names[k]);
        size_t length;
        check(sparse_write(&t, path, NULL) == SPARSE_OK, "tabs: write", path);
        char *const text = k == 3 ? load_gzip(path, &length) : load_plain(path, &length);
        if (length == SIZE_MAX) skipped++;
        else check((memchr(text, '\t', length) != NULL) == (k > 0), "tabs", path);
        free(text);
        remove(path);
    }
    sparse_free(&t);
}

/* Round trips in formats for some matrices only: patterns; symmetric ones with integer weights and without a diagonal. */
static void test_round_trips_of_some(void)
{
    static const char *const words[] = {"smtx", "graph", "graph"};
    static const char *const texts[] = {INTEGER "4 5 5\n1 2 1\n1 5 1\n3 1 1\n4 2 1\n4 4 1\n",
                                        INTEGER "5 5 6\n1 2 1\n2 1 1\n2 4 1\n4 2 1\n1 4 1\n4 1 1\n",
                                        INTEGER "5 5 4\n1 2 127\n2 1 127\n2 4 1\n4 2 1\n"};
    for (size_t f = 0; f < sizeof words / sizeof *words; f++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (int shape = 0; shape < 3; shape++) {
                const sparse_kind kind = kinds[k].kind;
                const sparse_encoding e = shape == 0 ? csr(kind) : shape == 1 ? csc(kind) : coo(2, kind);
                if (f > 0 && (kind == SPARSE_C64 || kind == SPARSE_C128)) continue; /* METIS has no complex weights */
                sparse_tensor t = tensor_of(&e, texts[f]), back;
                back = written_and_read(&t, words[f], words[f]);
                check(t.val.length == back.val.length, "round trip: entries", words[f]);
                sparse_free(&back);
                sparse_free(&t);
            }
}

/* Comments are read, and written back. */
static void test_comments(void)
{
    static const struct {
        const char *options, *text, *comments;
    } files[] = {{"mtx", REAL "% one \n\n%two\n1 1 1\n%three\n1 1 5\n", " one\ntwo"},
                 {"mtx", REAL "1 1 1\n1 1 5\n", ""},
                 {"xtns", EXTENDED "#c\n2 1\n1 1\n1 1 5\n", "c"},
                 {"tns", "# a\r\n# b\r\n1 1 5\n", " a\n b"},
                 {"edges", "% a\n0 1\n", " a"},
                 {"graph", "% a\n%b\n2 1\n2\n1\n", " a\nb"},
                 {"csv", "#a\nrow,col,value\n1,1,5\n", "a"},
                 {"table", "# a\n#b\n1,5\n", " a\nb"},
                 {"rb", RUA " 1 3 4\n 1 3 2\n  1.5 -2.0  4.0\n", "a title"}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        setup s = setup_of(files[k].options);
        char comments[100], few[12];
        sparse_tensor t;
        bytes b;
        sparse_write_options w;
        memset(&t, 0, sizeof t);
        memset(&w, 0, sizeof w);
        t.encoding = &s.e;
        s.o.comments = comments;
        s.o.comments_size = sizeof comments;
        check(sparse_read_memory(&t, files[k].text, strlen(files[k].text), &s.o) == SPARSE_OK, "comments", files[k].text);
        check(strcmp(comments, files[k].comments) == 0, "comments", comments);
        w.format = s.o.format;
        w.comments = *comments ? comments : NULL;
        check(write_bytes(&t, &w, &b) == SPARSE_OK, "comments written", files[k].text);
        s.o.comments = few;
        for (size_t size = 1, all = strlen(files[k].comments); size <= sizeof few; size++) {
            s.o.comments_size = size;
            check(sparse_read_memory(&t, b.at, b.length, &s.o) == SPARSE_OK, "comments read back", b.at);
            check(strlen(few) == (all < size ? all : size - 1) && strncmp(few, files[k].comments, size - 1) == 0,
                  "comments, as many as fit", few);
        }
        few[0] = '!';
        s.o.comments_size = 0;
        check(sparse_read_memory(&t, b.at, b.length, &s.o) == SPARSE_OK && few[0] == '!', "comments, none fits", b.at);
        s.o.comments = NULL;
        s.o.comments_size = sizeof few;
        check(sparse_read_memory(&t, b.at, b.length, &s.o) == SPARSE_OK, "comments, nowhere", b.at);
        sparse_free(&t);
    }
    enum { BLANKS = 300000 }; /* more than the first window, in which comments are searched */
    static char text[BLANKS + 20];
    char comments[100];
    setup s = setup_of("coo2 tns");
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    t.encoding = &s.e;
    s.o.comments = comments;
    s.o.comments_size = sizeof comments;
    snprintf(text, sizeof text, "# a\n%*s\n1 1 5\n", BLANKS, "");
    check(sparse_read_memory(&t, text, strlen(text), &s.o) == SPARSE_OK && sparse_entries(&t) == 1, "comments", "and blanks");
    check(strcmp(comments, " a") == 0, "comments and blanks", comments);
    sparse_free(&t);
}

/* ---- compression ---- */

#if SPARSE_ZLIB

/* Reading a compressed data file gives the result of reading the output of the gzip program. */
static void test_gzip_data(void)
{
    static const char *const names[] = {"matrices/bayer10.mtx.gz", "matrices/yeast_sc_counts.mtx.gz", "tensors/med4.tns.gz",
                                        "matrices/dlmc_tf_mag0.98_symbol_modality.smtx.gz", "tensors/3D_12031.tns.gz"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        setup s = setup_of(k == 2 ? "coo5" : k == 4 ? "coo3" : "");
        char path[500], got[40], expected[40];
        size_t length;
        sparse_io_error error;
        sparse_tensor t, same;
        sparse_encoding four = coo(4, SPARSE_F64);
        if (k == 2) s.e = four;
        s.o.error = &error;
        if (!read_data(&t, &s.e, names[k], &s.o)) continue;
        snprintf(path, sizeof path, "%s/%s", data_directory(), names[k]);
        char *const text = load_gzip(path, &length);
        memset(&same, 0, sizeof same);
        same.encoding = &s.e;
        path[strlen(path) - strlen(".gz")] = '\0';
        if (length != SIZE_MAX) {
            bool equal = false;
            check(sparse_p_read_text(&same, path, text, length, &s.o) == SPARSE_OK, "gzip: the plain text", error.message);
            check(sparse_equal(&t, &same, 0, &equal) == SPARSE_OK && equal, "gzip: the same", names[k]);
            snprintf(got, sizeof got, "%zu", t.val.length);
            snprintf(expected, sizeof expected, "%zu", same.val.length);
            check(strcmp(got, expected) == 0, "gzip: entries", got);
        } else
            skipped++; /* no gzip program */
        free(text);
        sparse_free(&same);
        sparse_free(&t);
    }
}

static void test_gzip(void)
{
    static const char text[] = REAL "2 2 2\n1 1 5\n2 2 6\n", half[] = REAL "2 2 2\n1 1 5\n";
    static char blank[1 << 20];
    const bytes whole = gzip(text, strlen(text)), first = gzip(half, strlen(half)), none = gzip("", 0);
    bytes b = whole;
    char got[1000];
    check_bytes("gzip", "", &b, "2x2 1,1=5 2,2=6");
    check_bytes("gzip", "csv", &b, "E_ENTRY");
    bytes second = gzip("2 2 6\n", 6);
    b = first;
    add(&b, second.at, second.length);
    check_bytes("gzip: members", "", &b, "2x2 1,1=5 2,2=6");
    b = none;
    add(&b, whole.at, whole.length);
    add(&b, none.at, none.length);
    check_bytes("gzip: empty members", "", &b, "2x2 1,1=5 2,2=6");
    check_bytes("gzip: nothing", "", &none, "E_FILE_FORMAT");
    const bytes twice = gzip(whole.at, whole.length);
    check_said("gzip in gzip", "", twice.at, twice.length, "compressed input (gzip): it is compressed twice, decompress it once");
    b = whole;
    add(&b, "more", 4);
    check_bytes("gzip: more follows", "", &b, "E_COMPRESSED_FILE");
    b = whole;
    add(&b, "\0\0\0\0", 4);
    check_bytes("gzip: more follows", "", &b, "E_COMPRESSED_FILE");
    b = whole;
    add(&b, whole.at, 5);
    check_bytes("gzip: a member is cut", "", &b, "E_COMPRESSED_FILE");
    check_said("gzip: a member is cut", "", b.at, b.length, "the gzip data are cut short");
    b = whole;
    b.at[b.length - 8] ^= 1;
    check_said("gzip: CRC-32", "", b.at, b.length, "the gzip data are damaged: their CRC-32 or length is wrong");
    check_place("gzip: CRC-32", "", &b, 0);
    for (size_t k = 2; k < whole.length; k++) { /* truncated anywhere, and every byte changed */
        b = whole;
        b.length = k;
        outcome("", b.at, b.length, 0, got, sizeof got);
        check(is_outcome(got, "E_COMPRESSED_FILE"), "gzip: cut", got);
        check_place("gzip: cut", "", &b, k + 1);
        b = whole;
        b.at[k] = (char)(b.at[k] ^ 0x20);
        outcome("", b.at, b.length, 0, got, sizeof got);
        check(got[0] == 'E' || strcmp(got, "2x2 1,1=5 2,2=6") == 0, "gzip: a byte changed", got);
        if (k + 8 >= whole.length) check(is_outcome(got, "E_COMPRESSED_FILE"), "gzip: CRC-32 and length", got);
    }

    /* data that expand more than a thousandfold are refused, unless an option allows it */
    memset(blank, '\n', sizeof blank);
    bytes bomb = first;
    for (int k = 0; k < 3; k++) {
        const bytes more = gzip(blank, sizeof blank);
        add(&bomb, more.at, more.length);
    }
    add(&bomb, second.at, second.length);
    check_bytes("gzip: a bomb", "", &bomb, "E_COMPRESSED_FILE");
    setup s = setup_of("");
    sparse_tensor t;
    sparse_io_error error;
    memset(&t, 0, sizeof t);
    t.encoding = &s.e;
    s.o.error = &error;
    check(sparse_read_memory(&t, bomb.at, bomb.length, &s.o) == SPARSE_E_COMPRESSED_FILE, "gzip: a bomb", error.message);
    check(strstr(error.message, "option expansion") != NULL, "gzip: a bomb", error.message);
    s.o.expansion = 2000;
    check(sparse_read_memory(&t, bomb.at, bomb.length, &s.o) == SPARSE_OK, "gzip: expansion", error.message);

    /* writing, and memory that runs out */
    check(sparse_write(&t, scratch("out.mtx.gz"), NULL) == SPARSE_OK, "gzip: write", "result");
    check(!exists(scratch("out.mtx.gz.0.tmp")) && !exists(scratch("out.mtx.gz.1.tmp")), "gzip: write", "nothing is left");
    size_t length;
    char *const plain = load_gzip(scratch("out.mtx.gz"), &length);
    if (length != SIZE_MAX) check(length == strlen(text) && !memcmp(plain, text, length), "gzip: written", "as the gzip program sees it");
    else skipped++;
    free(plain);
    sparse_free(&t);
    check(sparse_read(&t, scratch("out.mtx.gz"), &s.o) == SPARSE_OK, "gzip: read back", error.message);
    remove(scratch("out.mtx.gz"));
    sparse_free(&t);
    sparse_result result = SPARSE_E_MEMORY;
    for (long fuse = 0; result != SPARSE_OK && fuse < 100; fuse++) {
        budget limit = {0, 1 << 20, fuse};
        sparse_hooks hooks = {budget_resize, &limit};
        t.hooks = &hooks;
        result = sparse_read_memory(&t, whole.at, whole.length, &s.o);
        check(result == SPARSE_OK || result == SPARSE_E_MEMORY, "gzip: memory", error.message);
        sparse_free(&t);
        check(limit.used == 0, "gzip: memory", "leaked");
    }
    t.hooks = NULL;
}

#else

static void test_gzip(void)
{
    sparse_encoding e = csr(SPARSE_F64);
    sparse_tensor t = tensor_of(&e, REAL "1 1 1\n1 1 5\n");
    check(sparse_write(&t, scratch("out.mtx.gz"), NULL) == SPARSE_E_COMPRESSED_FILE, "gzip: write", "without zlib");
    check(!exists(scratch("out.mtx.gz")), "gzip: write", "no file is left");
    sparse_free(&t);
    printf("test_files: zlib is not there, what is compressed is skipped\n");
    skipped++;
}

static void test_gzip_data(void) {}

#endif

/* ---- SciPy ---- */

/* The kit reads files written by SciPy and NumPy, and they read the kit's files, for every encoding and byte order. */
static void test_scipy(void)
{
    static const char *const names[] = {"csr.npz", "csc.npz", "coo.npz", "bsr.npz", "dia.npz", "csr_z.npz", "bsr_z.npz",
                                        "c.npy", "f.npy", "big.npy", "u.rb"};
    char out[2000], expected[1000], got[1000];
    setup s = setup_of("drop");
    sparse_io_error error;
    s.o.error = &error;
    const bool there = run_python(
        "import numpy as np, scipy.sparse as sp, scipy.io as io\n"
        "d = np.array([[0, 1.5, 0, 2], [0, 0, -3, 0], [0.1, 0, 0, 0], [0, 0, 7, 8.]])\n"
        "for f in 'csr csc coo bsr dia'.split():\n"
        "    m = sp.csr_matrix(d).tobsr((2, 2)) if f == 'bsr' else sp.coo_matrix(d).asformat(f)\n"
        "    sp.save_npz(f + '.npz', m, compressed=False)\n"
        "    sp.save_npz(f + '_z.npz', m)\n"
        "np.save('c.npy', d); np.save('f.npy', np.asfortranarray(d)); np.save('big.npy', d.astype('>f8'))\n"
        "io.hb_write('u.rb', sp.csc_matrix(d))\n", out, sizeof out);
    if (!there) {
        printf("test_files: no python with SciPy, its files are skipped\n");
        skipped++;
        return;
    }
    check(*out == '\0', "SciPy writes", out);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        sparse_tensor t;
        memset(&t, 0, sizeof t);
        t.encoding = &s.e;
        s.o.lenient = strcmp(names[k], "u.rb") == 0; /* its fields are narrower than its format says */
        const sparse_result result = sparse_read(&t, scratch(names[k]), &s.o);
        if (!SPARSE_ZLIB && strstr(names[k], "_z")) {
            check(result == SPARSE_E_COMPRESSED_FILE, names[k], error.message);
            continue;
        }
        check(result == SPARSE_OK, names[k], error.message);
        if (!result) describe(&t, got, sizeof got);
        check(!result && strcmp(got, "4x4 1,2=1.5 1,4=2 2,3=-3 3,1=0.1 4,3=7 4,4=8") == 0, names[k], got);
        sparse_free(&t);
    }
    sparse_tensor t = tensor_of(&s.e, REAL "2 3 4\n1 2 0.1\n2 1 -3\n2 3 1e300\n1 1 7\n");
    check(sparse_write(&t, scratch("w.npz"), NULL) == SPARSE_OK, "SciPy: w.npz", "written");
    check(sparse_write(&t, scratch("w.npy"), NULL) == SPARSE_OK, "SciPy: w.npy", "written");
    sparse_free(&t);
    t = tensor_of(&s.e, REAL "2 2 3\n1 2 0.1\n2 1 -3\n1 1 7\n");
    check(sparse_write(&t, scratch("w.rb"), NULL) == SPARSE_OK, "SciPy: w.rb", "written");
    sparse_free(&t);
    sparse_encoding by_columns = csc(SPARSE_I16);
    t = tensor_of(&by_columns, INTEGER "2 3 2\n1 2 4\n2 3 -5\n");
    check(sparse_write(&t, scratch("i.npz"), NULL) == SPARSE_OK, "SciPy: i.npz", "written");
    sparse_free(&t);
    run_python("import numpy as np, scipy.sparse as sp, scipy.io as io\n"
               "m = sp.load_npz('w.npz')\n"
               "print(m.format, m.shape, m.toarray().tolist(), (np.load('w.npy') == m.toarray()).all(),\n"
               "      (io.hb_read('w.rb').toarray() == m.toarray()[:, :2]).all())\n"
               "m = sp.load_npz('i.npz')\n"
               "print(m.format, m.dtype, m.toarray().tolist())\n"
               "import os\n"
               "for f in os.listdir('.'): os.remove(f)\n", out, sizeof out);
    snprintf(expected, sizeof expected, "%s", "csr (2, 3) [[7.0, 0.1, 0.0], [-3.0, 0.0, 1e+300]] True True\n"
                                              "csc int16 [[0, 4, 0], [0, 0, -5]]\n");
    check(strcmp(out, expected) == 0, "SciPy reads", out);
}

/* ---- the format of a file, from its text, name or columns ---- */

/* Calls `make` to write a text of n lines to a file of this name, reads it, and compares sizes and entries, or the error. */
static void check_told(const char *name, void (*make)(FILE *, size_t), size_t n, const char *expected)
{
    sparse_encoding e = coo(2, SPARSE_F64);
    sparse_tensor t;
    sparse_io_error error;
    sparse_read_options o;
    char got[100];
    FILE *const out = fopen(scratch(name), "wb");
    memset(&t, 0, sizeof t);
    memset(&o, 0, sizeof o);
    memset(&error, 0, sizeof error);
    t.encoding = &e;
    o.error = &error;
    if (out) make(out, n), fclose(out);
    for (unsigned threads = 1; threads < 4; threads += 2) { /* with OpenMP also in larger windows */
        o.threads = threads;
        const sparse_result result = sparse_read(&t, scratch(name), &o);
        snprintf(got, sizeof got, "%zux%zu %zu", t.dim[0], t.dim[1], t.val.length);
        if (result) snprintf(got, sizeof got, "%s", sparse_name(result));
        check(strcmp(got, expected) == 0, name, result ? error.message : got);
        sparse_free(&t);
    }
    remove(scratch(name));
}

/* Graphs in METIS format: a ring, and a path. */
static void make_ring(FILE *out, size_t n)
{
    fprintf(out, "%zu %zu\n", n, n);
    for (size_t v = 1; v <= n; v++) fprintf(out, "%zu %zu\n", v > 1 ? v - 1 : n, v < n ? v + 1 : 1);
}
static void make_path(FILE *out, size_t n)
{
    fprintf(out, "%% a path\n%zu %zu\n2\n", n, n - 1);
    for (size_t v = 2; v < n; v++) fprintf(out, "%zu %zu\n", v - 1, v + 1);
    fprintf(out, "%zu\n", n - 1);
}
/* Lists of edges without and with weights, and of entries. */
static void make_edges(FILE *out, size_t n)
{
    for (size_t v = 0; v < n; v++) fprintf(out, "%zu\t%zu\n", v, n - 1 - v);
}
static void make_weights(FILE *out, size_t n)
{
    for (size_t v = 0; v < n; v++) fprintf(out, "%zu %zu .5\n", v, n - 1 - v);
}
static void make_triplets(FILE *out, size_t n)
{
    for (size_t v = 0; v < n; v++) fprintf(out, "%zu\t%zu\t.5\n", v + 1, n - v);
}
/* A diagonal, whose row offsets are one long line */
static void make_offsets(FILE *out, size_t n)
{
    fprintf(out, "%zu, %zu, %zu\n", n, n, n);
    for (size_t v = 0; v <= n; v++) fprintf(out, "%zu ", v);
    for (size_t v = 0; v < n; v++) fprintf(out, "%s%zu", v ? " " : "\n", v);
}
static void make_market(FILE *out, size_t n)
{
    fprintf(out, "%%%%MatrixMarket matrix coordinate pattern general\n1 1 0\n");
    (void)n;
}

static void test_told(void)
{
    check_told("ring", make_ring, 100, "SPARSE_E_FILE_FORMAT"); /* may be a list of edges, too */
    check_told("ring.metis", make_ring, 100, "100x100 200");
    check_told("ring", make_ring, 20000, "SPARSE_E_FILE_FORMAT"); /* may be a list of edges, as far as it is searched */
    check_told("ring.graph", make_ring, 20000, "20000x20000 40000");
    check_told("ring.edges", make_ring, 20000, "20001x20001 20001");
    check_told("path", make_path, 20000, "20000x20000 39998");
    check_told("path.txt", make_path, 3, "3x3 4");
    check_told("path.tns", make_path, 20000, "20000x20000 39998");
    check_told("edges", make_edges, 20000, "20000x20000 20000");
    check_told("edges.el", make_edges, 3, "3x3 3");
    check_told("weights", make_weights, 20000, "20000x20000 20000");
    check_told("weights.tns", make_weights, 3, "SPARSE_E_COORDINATE");
    check_told("triplets", make_triplets, 20000, "SPARSE_E_FILE_FORMAT");
    check_told("triplets.tns", make_triplets, 20000, "20000x20000 20000");
    check_told("triplets.tsv", make_triplets, 20000, "SPARSE_E_FILE_FORMAT");
    check_told("triplets.wel", make_triplets, 3, "4x4 3");
    check_told("offsets", make_offsets, 20000, "20000x20000 20000");
    check_told("offsets.mtx", make_offsets, 3, "3x3 3");
    check_told("market.smtx", make_market, 0, "1x1 0");
}

int main(void)
{
    test_gzip();
    test_told();
    test_gzip_data();
    test_scipy();
    test_data();
    test_writes();
    test_symmetry_stated();
    test_noted();
    test_rows_refused();
    test_options_refused();
    test_round_trips();
    test_tabs();
    test_numpy_sizes();
    test_round_trips_of_some();
    test_comments();
    test_npy();
    test_npz();
    test_cases();
    test_cut();
    test_beyond();
    test_said();
    scratch(NULL);
    printf("test_files: %d passed, %d failed, %d skipped\n", passed, failed, skipped);
    return failed > 0;
}
