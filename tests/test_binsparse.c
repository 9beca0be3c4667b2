/* test_binsparse.c: Binsparse files in .npz archives and in HDF5: every format, type and structure of the specification,
   malformed archives, and tensors of every encoding that are written and read back with equal arrays. Most cases are rows of
   a table: options, descriptor, arrays, and the expected tensor or error.

   Ends with one line, "test_binsparse: N passed, N failed, N skipped". */
#define _XOPEN_SOURCE 700 /* popen, mkdtemp */
#define TEST "test_binsparse"
#define SPARSE_MMAP 1
#include "files.h"

/* ---- reading ---- */

#define HEAD(format, shape, stored) "{'binsparse': {'version': '0.1', 'format': " format ", 'shape': " shape ", 'number_of_stored_values': " #stored ", "
#define TYPES(types)   "'data_types': {" types "}}}"
#define V(type)        "'values': '" type "'"
#define P1             "'pointers_to_1': 'uint8', "
#define I0             "'indices_0': 'uint8', "
#define I1             "'indices_1': 'uint8', "
#define CSR_TYPES      TYPES(P1 I1 V("int8"))
#define U1(name, n, elements)  {name ".npy", "|u1", "(" #n ",)", elements, n}
#define VALUES(n, elements)    {"values.npy", "|i1", "(" #n ",)", elements, n}
#define CSR_ARRAYS     {U1("pointers_to_1", 4, "\0\1\1\3"), U1("indices_1", 3, "\1\0\2"), VALUES(3, "\5\6\7")}
#define NONE           {NULL, NULL, NULL, NULL, 0}
#define LEVEL(level, rank, rest)  "{'level': '" level "', 'rank': " #rank ", " rest "}"
#define ELEMENT        "'subformat': {'level': 'element'}"

static const struct {
    const char *options, *descriptor;
    member m[6];
    const char *expected;
} files[] = {
    /* formats with a predefined name */
    {"", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, CSR_ARRAYS, "3x3 1,2=5 3,1=6 3,3=7"},
    {"csr", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, CSR_ARRAYS, "3x3 1,2=5 3,1=6 3,3=7"},
    {"dense", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, CSR_ARRAYS, "3x3 1,1=0 1,2=5 1,3=0 2,1=0 2,2=0 2,3=0 3,1=6 3,2=0 3,3=7"},
    {"bsp", HEAD("'CSC'", "[3, 3]", 3) CSR_TYPES, CSR_ARRAYS, "3x3 1,3=6 2,1=5 3,3=7"},
    {"", HEAD("'DCSR'", "[9, 3]", 3) TYPES(I0 P1 I1 V("int8")),
     {U1("indices_0", 2, "\2\7"), U1("pointers_to_1", 3, "\0\1\3"), U1("indices_1", 3, "\1\0\2"), VALUES(3, "\5\6\7")},
     "9x3 3,2=5 8,1=6 8,3=7"},
    {"", HEAD("'DCSC'", "[3, 9]", 3) TYPES(I0 P1 I1 V("int8")),
     {U1("indices_0", 2, "\2\7"), U1("pointers_to_1", 3, "\0\1\3"), U1("indices_1", 3, "\1\0\2"), VALUES(3, "\5\6\7")},
     "3x9 1,8=6 2,3=5 3,8=7"},
    {"", HEAD("'COO'", "[3, 3]", 2) TYPES(I0 I1 V("int8")), {U1("indices_0", 2, "\0\2"), U1("indices_1", 2, "\1\0"), VALUES(2, "\5\6")},
     "3x3 1,2=5 3,1=6"},
    {"coo", HEAD("'COOR'", "[3, 3]", 2) TYPES(I0 I1 V("int8")), {U1("indices_0", 2, "\0\2"), U1("indices_1", 2, "\1\0"), VALUES(2, "\5\6")},
     "3x3 1,2=5 3,1=6"},
    {"", HEAD("'COOC'", "[3, 3]", 2) TYPES(I0 I1 V("int8")), {U1("indices_0", 2, "\0\2"), U1("indices_1", 2, "\1\0"), VALUES(2, "\5\6")},
     "3x3 1,3=6 2,1=5"},
    {"vec", HEAD("'VEC'", "[9]", 2) TYPES(I0 V("int8")), {U1("indices_0", 2, "\1\4"), VALUES(2, "\5\6")}, "9 2=5 5=6"},
    {"vec", HEAD("'CVEC'", "[9]", 2) TYPES(I0 V("int8")), {U1("indices_0", 2, "\1\4"), VALUES(2, "\5\6")}, "9 2=5 5=6"},
    {"", HEAD("'CVEC'", "[9]", 2) TYPES(I0 V("int8")), {U1("indices_0", 2, "\1\4"), VALUES(2, "\5\6")}, "9x1 2,1=5 5,1=6"},
    {"dense1", HEAD("'DVEC'", "[2]", 2) TYPES(V("int8")), {VALUES(2, "\5\6")}, "2 1=5 2=6"},
    {"dense", HEAD("'DMAT'", "[2, 2]", 4) TYPES(V("int8")), {VALUES(4, "\5\6\7\0")}, "2x2 1,1=5 1,2=6 2,1=7 2,2=0"},
    {"dense", HEAD("'DMATR'", "[1, 2]", 2) TYPES(V("int8")), {VALUES(2, "\5\6")}, "1x2 1,1=5 1,2=6"},
    {"dense", HEAD("'DMATC'", "[2, 2]", 4) TYPES(V("int8")), {VALUES(4, "\5\6\7\0")}, "2x2 1,1=5 1,2=7 2,1=6 2,2=0"},
    /* custom formats */
    {"coo3", HEAD(LEVEL("sparse", 3, ELEMENT), "[2, 3, 4]", 1) TYPES(I0 I1 "'indices_2': 'uint8', " V("int8")),
     {U1("indices_0", 1, "\1"), U1("indices_1", 1, "\2"), U1("indices_2", 1, "\3"), VALUES(1, "\5")}, "2x3x4 2,3,4=5"},
    {"coo3", HEAD("{'swizzle': [2, 0, 1], 'level': 'sparse', 'rank': 1, 'subformat': " LEVEL("sparse", 2, ELEMENT) "}", "[2, 3, 4]", 2)
     TYPES(I0 P1 I1 "'indices_2': 'uint8', " V("int8")),
     {U1("indices_0", 1, "\3"), U1("pointers_to_1", 2, "\0\2"), U1("indices_1", 2, "\0\1"), U1("indices_2", 2, "\2\0"), VALUES(2, "\5\6")},
     "2x3x4 1,3,4=5 2,1,4=6"},
    {"coo3", HEAD(LEVEL("sparse", 1, "'subformat': " LEVEL("dense", 2, ELEMENT)), "[9, 1, 2]", 2) "'swizzle': [0, 2, 1], " TYPES(I0 V("int8")),
     {U1("indices_0", 1, "\4"), VALUES(2, "\5\6")}, "9x1x2 5,1,1=5 5,1,2=6"},
    {"", HEAD(LEVEL("dense", 1, "'subformat': " LEVEL("sparse", 1, ELEMENT)), "[3, 3]", 3) CSR_TYPES, CSR_ARRAYS, "3x3 1,2=5 3,1=6 3,3=7"},
    {"dense", HEAD(LEVEL("dense", 1, "'subformat': " LEVEL("dense", 1, ELEMENT)), "[1, 2]", 2) TYPES(V("int8")), {VALUES(2, "\5\6")},
     "1x2 1,1=5 1,2=6"},
    /* members in any order, unknown ones, white space, no version, no number of values */
    {"", "{ 'tool': {'a': [1, -2.5e3, null, true, {}], 'b': []}, 'binsparse' : {\n 'data_types' :{" P1 I1 V("int8") "},'shape':[ 3 ,3 ],\t"
     "'format':'CSR', 'more': 'x\\\"y' } } ", CSR_ARRAYS, "3x3 1,2=5 3,1=6 3,3=7"},
    /* value types */
    {"", HEAD("'CSR'", "[3, 3]", 3) TYPES(P1 I1 V("iso[int8]")), {U1("pointers_to_1", 4, "\0\1\1\3"), U1("indices_1", 3, "\1\0\2"), VALUES(1, "\5")},
     "3x3 1,2=5 3,1=5 3,3=5"},
    {"vec", HEAD("'CVEC'", "[9]", 2) TYPES(I0 V("bint8")), {U1("indices_0", 2, "\1\4"), {"values.npy", "|b1", "(2,)", "\1\0", 2}}, "9 2=1 5=0"},
    {"vec", HEAD("'CVEC'", "[9]", 2) TYPES(I0 V("bint8")), {U1("indices_0", 2, "\1\4"), VALUES(2, "\1\0")}, "9 2=1 5=0"},
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES(I0 V("float32")), {U1("indices_0", 1, "\1"), {"values.npy", "<f4", "(1,)", "\0\0\200\77", 4}}, "9 2=1"},
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES(I0 V("float32")), {U1("indices_0", 1, "\1"), {"values.npy", ">f4", "(1,)", "\77\200\0\0", 4}}, "9 2=1"},
    {"vec c64", HEAD("'CVEC'", "[9]", 1) TYPES(I0 V("complex[int8]")), {U1("indices_0", 1, "\1"), VALUES(2, "\5\6")}, "9 2=5:6"},
    {"vec c64", HEAD("'CVEC'", "[9]", 1) TYPES(I0 V("complex[float32]")), {U1("indices_0", 1, "\1"), {"values.npy", "<c8", "(1,)", "\0\0\200\77\0\0\0\100", 8}},
     "9 2=1:2"},
    {"vec c64", HEAD("'CVEC'", "[9]", 2) TYPES(I0 V("iso[complex[int8]]")), {U1("indices_0", 2, "\1\4"), VALUES(2, "\5\6")}, "9 2=5:6 5=5:6"},
    {"vec c64", HEAD("'CVEC'", "[9]", 1) TYPES(I0 V("int8")), {U1("indices_0", 1, "\1"), VALUES(1, "\5")}, "9 2=5:0"},
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES(I0 V("complex[int8]")), {U1("indices_0", 1, "\1"), VALUES(2, "\5\6")}, "E_VALUE_TYPE"},
    {"vec drop", HEAD("'CVEC'", "[9]", 2) TYPES(I0 V("int8")), {U1("indices_0", 2, "\1\4"), VALUES(2, "\5\0")}, "9 2=5"},
    /* fill values */
    {"vec", HEAD("'CVEC'", "[9]", 1) "'fill': true, " TYPES(I0 "'fill_value': 'int8', " V("int8")),
     {U1("indices_0", 1, "\1"), VALUES(1, "\5"), {"fill_value.npy", "|i1", "(1,)", "\0", 1}}, "9 2=5"},
    {"vec", HEAD("'CVEC'", "[9]", 1) "'fill': true, " TYPES(I0 "'fill_value': 'int8', " V("int8")),
     {U1("indices_0", 1, "\1"), VALUES(1, "\5"), {"fill_value.npy", "|i1", "(1,)", "\1", 1}}, "E_VALUE_TYPE"},
    {"vec", HEAD("'CVEC'", "[9]", 1) "'fill': true, " TYPES(I0 "'fill_value': 'int8', " V("int8")),
     {U1("indices_0", 1, "\1"), VALUES(1, "\5"), {"fill_value.npy", "|i1", "(2,)", "\0\0", 2}}, "E_COUNT"},
    {"vec", HEAD("'CVEC'", "[9]", 1) "'fill': true, " TYPES(I0 V("int8")), {U1("indices_0", 1, "\1"), VALUES(1, "\5")}, "E_HEADER"},
    {"vec", HEAD("'CVEC'", "[9]", 1) "'fill': false, " TYPES(I0 V("int8")), {U1("indices_0", 1, "\1"), VALUES(1, "\5")}, "9 2=5"},
    /* structures */
    {"", HEAD("'COO'", "[3, 3]", 2) "'structure': 'symmetric_lower', " TYPES(I0 I1 V("int8")),
     {U1("indices_0", 2, "\1\2"), U1("indices_1", 2, "\1\0"), VALUES(2, "\5\6")}, "3x3 1,3=6 2,2=5 3,1=6"},
    {"half", HEAD("'COO'", "[3, 3]", 2) "'structure': 'symmetric_lower', " TYPES(I0 I1 V("int8")),
     {U1("indices_0", 2, "\1\2"), U1("indices_1", 2, "\1\0"), VALUES(2, "\5\6")}, "3x3 2,2=5 3,1=6"},
    {"", HEAD("'COO'", "[3, 3]", 1) "'structure': 'symmetric_upper', " TYPES(I0 I1 V("int8")),
     {U1("indices_0", 1, "\0"), U1("indices_1", 1, "\2"), VALUES(1, "\6")}, "3x3 1,3=6 3,1=6"},
    {"", HEAD("'COO'", "[3, 3]", 1) "'structure': 'skew_symmetric_lower', " TYPES(I0 I1 V("int8")),
     {U1("indices_0", 1, "\2"), U1("indices_1", 1, "\0"), VALUES(1, "\6")}, "3x3 1,3=-6 3,1=6"},
    {"c64", HEAD("'COO'", "[3, 3]", 1) "'structure': 'hermitian_upper', " TYPES(I0 I1 V("complex[int8]")),
     {U1("indices_0", 1, "\0"), U1("indices_1", 1, "\2"), VALUES(2, "\6\1")}, "3x3 1,3=6:1 3,1=6:-1"},
    {"", HEAD("'COO'", "[3, 3]", 1) "'structure': 'hermitian_upper', " TYPES(I0 I1 V("int8")),
     {U1("indices_0", 1, "\0"), U1("indices_1", 1, "\2"), VALUES(1, "\6")}, "E_SYMMETRY"},
    {"", HEAD("'COO'", "[3, 3]", 1) "'structure': 'symmetric_upper', " TYPES(I0 I1 V("int8")),
     {U1("indices_0", 1, "\2"), U1("indices_1", 1, "\0"), VALUES(1, "\6")}, "E_SYMMETRY"},
    {"", HEAD("'COO'", "[3, 3]", 1) "'structure': 'skew_symmetric_lower', " TYPES(I0 I1 V("int8")),
     {U1("indices_0", 1, "\2"), U1("indices_1", 1, "\2"), VALUES(1, "\6")}, "E_SYMMETRY"},
    {"u8", HEAD("'COO'", "[3, 3]", 1) "'structure': 'skew_symmetric_lower', " TYPES(I0 I1 V("int8")),
     {U1("indices_0", 1, "\2"), U1("indices_1", 1, "\1"), VALUES(1, "\6")}, "E_VALUE_TYPE"},
    {"", HEAD("'COO'", "[3, 4]", 1) "'structure': 'symmetric_lower', " TYPES(I0 I1 V("int8")),
     {U1("indices_0", 1, "\2"), U1("indices_1", 1, "\1"), VALUES(1, "\6")}, "E_SYMMETRY"},
    {"", HEAD("'COO'", "[3, 3]", 1) "'structure': 'diagonal', " TYPES(I0 I1 V("int8")),
     {U1("indices_0", 1, "\2"), U1("indices_1", 1, "\2"), VALUES(1, "\6")}, "E_SYMMETRY"},
    /* matrices without entries */
    {"", HEAD("'CSR'", "[0, 3]", 0) CSR_TYPES, {U1("pointers_to_1", 1, "\0"), U1("indices_1", 0, ""), VALUES(0, "")}, "0x3"},
    {"", HEAD("'COO'", "[3, 0]", 0) TYPES(I0 I1 V("int8")), {U1("indices_0", 0, ""), U1("indices_1", 0, ""), VALUES(0, "")}, "3x0"},
    {"dense", HEAD("'DMATR'", "[0, 3]", 0) TYPES(V("int8")), {VALUES(0, "")}, "0x3"},
    /* arrays that contradict each other */
    {"", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, {U1("pointers_to_1", 3, "\0\1\3"), U1("indices_1", 3, "\1\0\2"), VALUES(3, "\5\6\7")}, "E_POSITIONS"},
    {"", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, {U1("pointers_to_1", 4, "\1\1\1\3"), U1("indices_1", 3, "\1\0\2"), VALUES(3, "\5\6\7")}, "E_POSITIONS"},
    {"", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, {U1("pointers_to_1", 4, "\0\2\1\3"), U1("indices_1", 3, "\0\1\2"), VALUES(3, "\5\6\7")}, "E_POSITIONS"},
    {"", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, {U1("pointers_to_1", 4, "\0\1\1\4"), U1("indices_1", 3, "\1\0\2"), VALUES(3, "\5\6\7")}, "E_POSITIONS"},
    {"", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, {U1("pointers_to_1", 4, "\0\1\1\2"), U1("indices_1", 3, "\1\0\2"), VALUES(3, "\5\6\7")}, "E_POSITIONS"},
    {"", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, {U1("pointers_to_1", 4, "\0\1\1\3"), U1("indices_1", 3, "\1\0\3"), VALUES(3, "\5\6\7")}, "E_COORDINATE"},
    {"", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, {U1("pointers_to_1", 4, "\0\1\1\3"), U1("indices_1", 3, "\1\2\0"), VALUES(3, "\5\6\7")}, "E_ORDER"},
    {"", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, {U1("pointers_to_1", 4, "\0\1\1\3"), U1("indices_1", 3, "\1\2\2"), VALUES(3, "\5\6\7")}, "E_DUPLICATE"},
    {"", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, {U1("pointers_to_1", 4, "\0\1\1\3"), U1("indices_1", 3, "\1\0\2"), VALUES(2, "\5\6")}, "E_COUNT"},
    {"", HEAD("'CSR'", "[3, 3]", 4) CSR_TYPES, CSR_ARRAYS, "E_COUNT"},
    {"", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, {U1("pointers_to_1", 4, "\0\1\1\3"), U1("indices_1", 3, "\1\0\2"), NONE}, "E_HEADER"},
    {"", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, {U1("pointers_to_1", 4, "\0\1\1\3"), VALUES(3, "\5\6\7"), NONE}, "E_HEADER"},
    {"", HEAD("'COO'", "[3, 3]", 2) TYPES(I0 I1 V("int8")), {U1("indices_0", 2, "\2\0"), U1("indices_1", 2, "\1\0"), VALUES(2, "\5\6")}, "E_ORDER"},
    {"", HEAD("'COO'", "[3, 3]", 2) TYPES(I0 I1 V("int8")), {U1("indices_0", 2, "\2\2"), U1("indices_1", 2, "\1\1"), VALUES(2, "\5\6")}, "E_DUPLICATE"},
    {"", HEAD("'COO'", "[3, 3]", 2) TYPES(I0 I1 V("int8")), {U1("indices_0", 2, "\0\2"), U1("indices_1", 1, "\1"), VALUES(2, "\5\6")}, "E_HEADER"},
    {"", HEAD("'COO'", "[3, 0]", 1) TYPES(I0 I1 V("int8")), {U1("indices_0", 1, "\0"), U1("indices_1", 1, "\0"), VALUES(1, "\5")}, "E_COORDINATE"},
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES("'indices_0': 'int8', " V("int8")), {{"indices_0.npy", "|i1", "(1,)", "\377", 1}, VALUES(1, "\5")}, "E_COORDINATE"},
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES("'indices_0': 'float32', " V("int8")), {{"indices_0.npy", "<f4", "(1,)", "\0\0\0\0", 4}, VALUES(1, "\5")}, "E_HEADER"},
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES(I0 V("int8")), {{"indices_0.npy", "|u1", "(1, 1)", "\1", 1}, VALUES(1, "\5")}, "E_HEADER"},
    /* declared types that differ from the types of the arrays */
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES(I0 V("uint8")), {U1("indices_0", 1, "\1"), VALUES(1, "\5")}, "E_VALUE_TYPE"},
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES(I0 V("int16")), {U1("indices_0", 1, "\1"), VALUES(1, "\5")}, "E_VALUE_TYPE"},
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES(I0 V("iso[int8")), {U1("indices_0", 1, "\1"), VALUES(1, "\5")}, "E_VALUE_TYPE"},
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES(I0 V("complex[iso[int8]]")), {U1("indices_0", 1, "\1"), VALUES(1, "\5")}, "E_VALUE_TYPE"},
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES(I0 V("float16")), {U1("indices_0", 1, "\1"), VALUES(1, "\5")}, "E_VALUE_TYPE"},
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES("'indices_0': 'iso[uint8]', " V("int8")), {U1("indices_0", 1, "\1"), VALUES(1, "\5")}, "E_VALUE_TYPE"},
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES("'indices_0': 'complex[uint8]', " V("int8")), {U1("indices_0", 1, "\1"), VALUES(1, "\5")}, "E_VALUE_TYPE"},
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES("'indices_0': 8, " V("int8")), {U1("indices_0", 1, "\1"), VALUES(1, "\5")}, "E_HEADER"},
    {"vec", HEAD("'CVEC'", "[9]", 1) TYPES(V("int8")), {U1("indices_0", 1, "\1"), VALUES(1, "\5")}, "E_HEADER"},
    {"vec i8", HEAD("'CVEC'", "[9]", 1) TYPES(I0 V("uint8")), {U1("indices_0", 1, "\1"), {"values.npy", "|u1", "(1,)", "\377", 1}}, "E_VALUE_RANGE"},
    {"vec", HEAD("'DVEC'", "[1000000000000000]", 1000000000000000) TYPES(V("iso[int8]")), {VALUES(1, "\0")}, "E_MEMORY"},
    {"vec drop", HEAD("'DVEC'", "[1000000000000000]", 1000000000000000) TYPES(V("iso[int8]")), {VALUES(1, "\0")}, "E_MEMORY"},
    /* descriptors */
    {"", "{'binsparse': {'version': '0.2', 'format': 'CSR'}}", CSR_ARRAYS, "E_FILE_FORMAT"},
    {"", "{'binsparse': {'version': 0.1, 'format': 'CSR'}}", CSR_ARRAYS, "E_FILE_FORMAT"},
    {"", "{'binsparse': {'version': '0.15', 'format': 'CSR'}}", CSR_ARRAYS, "E_FILE_FORMAT"},
    {"", "{'binsparse': {'version': '0.1.4'}}", CSR_ARRAYS, "E_HEADER"},
    {"", "{'binsparse': {'format': 'BSR', 'shape': [3, 3]}}", CSR_ARRAYS, "E_FILE_FORMAT"},
    {"", "{'binsparse': {'format': 'CSR', 'format': 'CSC', 'shape': [3, 3]}}", CSR_ARRAYS, "E_HEADER"},
    {"", "{'binsparse': {'format': 'CSR', 'shape': [3, 3, 3]}}", CSR_ARRAYS, "E_DIMENSIONS"},
    {"", "{'binsparse': {'format': 'CSR', 'shape': [3, -3]}}", CSR_ARRAYS, "E_DIMENSIONS"},
    {"", "{'binsparse': {'format': 'CSR', 'shape': [3, 99999999999999999999]}}", CSR_ARRAYS, "E_DIMENSIONS"},
    {"", "{'binsparse': {'format': 'CSR', 'shape': 'x'}}", CSR_ARRAYS, "E_DIMENSIONS"},
    {"", "{'binsparse': {'format': 'CSR', 'shape': [1, 2, 3, 4, 5, 6, 7, 8, 9]}}", CSR_ARRAYS, "E_DIMENSIONS"},
    {"", "{'binsparse': {'format': 'CSR'}}", CSR_ARRAYS, "E_HEADER"},
    {"", "{'binsparse': {'format': 7, 'shape': [3, 3]}}", CSR_ARRAYS, "E_HEADER"},
    {"", "{'binsparse': {'format': 'CSR', 'swizzle': [1, 0], 'shape': [3, 3]}}", CSR_ARRAYS, "E_HEADER"},
    {"", "{'binsparse': {'format': {'level': 'hashed', 'rank': 1}, 'shape': [3, 3]}}", CSR_ARRAYS, "E_FILE_FORMAT"},
    {"", "{'binsparse': {'format': {'level': 'dense', 'rank': 0, 'subformat': {'level': 'element'}}, 'shape': [3, 3]}}", CSR_ARRAYS, "E_DIMENSIONS"},
    {"", "{'binsparse': {'format': {'level': 'dense', 'rank': 9, 'subformat': {'level': 'element'}}, 'shape': [3, 3]}}", CSR_ARRAYS, "E_DIMENSIONS"},
    {"", "{'binsparse': {'format': {'level': 'dense', 'rank': 1}, 'shape': [3, 3]}}", CSR_ARRAYS, "E_HEADER"},
    {"", "{'binsparse': {'format': {'level': 'element'}, 'shape': []}}", CSR_ARRAYS, "E_DIMENSIONS"},
    {"", "{'binsparse': {'format': {'swizzle': [0, 0], 'level': 'dense', 'rank': 2, 'subformat': {'level': 'element'}}, 'shape': [3, 3]}}", CSR_ARRAYS, "E_HEADER"},
    {"", "{'binsparse': {'format': {'swizzle': [0, 2], 'level': 'dense', 'rank': 2, 'subformat': {'level': 'element'}}, 'shape': [3, 3]}}", CSR_ARRAYS, "E_HEADER"},
    {"", "{'binsparse': {'format': {'swizzle': [0], 'level': 'dense', 'rank': 2, 'subformat': {'level': 'element'}}, 'shape': [3, 3]}}", CSR_ARRAYS, "E_HEADER"},
    {"", "{'binsparse': []}", CSR_ARRAYS, "E_HEADER"},
    {"", "{'other': {}}", CSR_ARRAYS, "E_HEADER"},
    {"", "[1, 2]", CSR_ARRAYS, "E_HEADER"},
    {"", "{'binsparse': {'a': 1, }}", CSR_ARRAYS, "E_HEADER"},
    {"", "{'binsparse': {'a': }}", CSR_ARRAYS, "E_HEADER"},
    {"", "{'binsparse': {'a': nan}}", CSR_ARRAYS, "E_HEADER"},
    {"", "{'binsparse': {'a': 'x}}", CSR_ARRAYS, "E_HEADER"},
    {"", "{'binsparse': {}} {}", CSR_ARRAYS, "E_HEADER"},
    {"", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", CSR_ARRAYS, "E_HEADER"},
    {"", "", CSR_ARRAYS, "E_HEADER"},
    {"coo3", HEAD("'CSR'", "[3, 3]", 3) CSR_TYPES, CSR_ARRAYS, "E_DIMENSIONS"},
    {"csr8", HEAD("'CSR'", "[3, 300]", 3) CSR_TYPES, CSR_ARRAYS, "E_COORDINATE_WIDTH"},
};

static bool is_outcome(const char *got, const char *expected)
{
    const size_t length = strlen(expected);
    return strncmp(got, expected, length) == 0 && (got[length] == '\0' || (expected[0] == 'E' && got[length] == ' '));
}

static void test_files(void)
{
    char got[1000], detail[2400];
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        size_t count = 0;
        while (count < 6 && files[k].m[count].name) count++;
        const bytes b = bsp(files[k].descriptor, files[k].m, count);
        for (size_t step = 0; step < 3; step++) {
            outcome(files[k].options, b.at, b.length, 100 * step, got, sizeof got);
            snprintf(detail, sizeof detail, "[%s] %.900s: got %s", files[k].options, files[k].descriptor, got);
            check(is_outcome(got, files[k].expected), files[k].expected, detail);
            check(got[0] != 'E' || strcmp(got, "E_MEMORY 0:0") == 0 || strstr(got, " 0:0") == NULL, "a place", detail);
        }
    }
    /* the descriptor may be wide characters or bytes, but not numbers */
    static const char wide[] = "{\0\0\0}\0\0\0", narrow[] = "{}", text[] = "{\"binsparse\": {}}";
    static const member m[] = {{"binsparse.npy", "<U2", "()", wide, 8}, {"binsparse.npy", "|S2", "()", narrow, 2},
                               {"binsparse.npy", "<f8", "(1,)", "\0\0\0\0\0\0\0\0", 8}, {"binsparse.npy", "|S17", "()", text, 17}};
    static const char *const said[] = {"no object", "no object", "is not a text", "\"format\" is not in the descriptor"};
    for (size_t k = 0; k < 4; k++) {
        const bytes b = npz(&m[k], 1);
        setup s = setup_of("");
        sparse_io_error error;
        sparse_tensor t;
        memset(&t, 0, sizeof t);
        t.encoding = &s.e;
        s.o.error = &error;
        check(sparse_read_memory(&t, b.at, b.length, &s.o) == SPARSE_E_HEADER, "text", error.message);
        check(strstr(error.message, said[k]) != NULL && error.column > 0, "text", error.message);
    }
    /* an archive without a descriptor is not a Binsparse archive */
    static const member shape[] = {SHAPE("\2\3")};
    const bytes b = npz(shape, 1);
    outcome("bsp", b.at, b.length, 0, got, sizeof got);
    check(is_outcome(got, "E_HEADER"), "no descriptor", got);
}

/* ---- writing ---- */

static bool same_bytes(const sparse_buffer *a, const sparse_buffer *b, size_t size)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->at, b->at, a->length * size) == 0);
}

static bool same_arrays(const sparse_tensor *a, const sparse_tensor *b)
{
    const sparse_encoding *const e = a->encoding;
    bool same = memcmp(a->dim, b->dim, sizeof a->dim) == 0 && a->val.length == b->val.length &&
                (e->constant || same_bytes(&a->val, &b->val, e->value_size));
    for (unsigned l = 0; l < e->levels; l++)
        same = same && same_bytes(&a->pos[l], &b->pos[l], e->pos_bits / 8u) && same_bytes(&a->crd[l], &b->crd[l], e->crd_bits / 8u);
    return same;
}

/* The encoding that a word describes: first the level types (d dense, c compressed, u compressed and nonunique, s
   singleton), then the dimension of each level. */
static sparse_encoding levels_of(const char *word, bool soa, uint8_t pos, uint8_t crd, sparse_kind kind)
{
    const size_t rank = strlen(word) / 2;
    sparse_encoding e = encoding_of(rank, kind);
    e.pos_bits = pos;
    e.crd_bits = crd;
    for (size_t l = 0; l < rank; l++) {
        const bool more = l + 1 < rank && word[l + 1] == 's';
        e.level[l].type = (uint8_t)(word[l] == 'd' ? SPARSE_DENSE : word[l] == 's' ? SPARSE_SINGLETON : SPARSE_COMPRESSED);
        e.level[l].properties = (uint8_t)((more || word[l] == 'u' ? SPARSE_NONUNIQUE : 0) | (soa && word[l] == 's' ? SPARSE_SOA : 0));
        e.level[l].dim = (uint8_t)(word[rank + l] - '0');
    }
    return e;
}

static const char *const words[] = {"d0", "c0", "dd01", "dd10", "dc01", "dc10", "cd01", "cd10", "cc01", "cc10", "cs01", "cs10",
                                    "css012", "ccc012", "ccc201", "dcc120", "cdc012", "ccd021", "dcs012", "ccs210", "ddc012",
                                    "cdd102", "csss0123", "dcdc3120"};

static sparse_tensor random_tensor(const sparse_encoding *e, unsigned seed)
{
    enum { ENTRIES = 40 };
    static const size_t dim[4] = {5, 4, 6, 3};
    size_t c[4 * ENTRIES];
    unsigned char values[16 * ENTRIES];
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    t.encoding = e;
    for (size_t k = 0; k < sizeof values; k++) values[k] = (unsigned char)(((seed = seed * 1103515245 + 12345) >> 16) % 60);
    for (size_t k = 0; k < ENTRIES; k++)
        for (size_t d = 0; d < e->rank; d++)
            c[k * e->rank + d] = ((seed = seed * 1103515245 + 12345) >> 16) % dim[d];
    check(sparse_pack_untyped(&t, dim, seed % 7 == 0 ? 0 : ENTRIES, c, values, SPARSE_DUPLICATES_LAST) == SPARSE_OK, "random", "packed");
    return t;
}

/* Writes t, reads the file into the same encoding, and compares all arrays; returns the message of the writing function. */
static const char *check_same(const sparse_tensor *t, const char *options, bool arrays, const char *what)
{
    const bool hdf5 = has_word(options, "hdf5");
    static sparse_io_error error;
    static bytes b;
    setup s = setup_of(hdf5 ? "" : "bsp");
    sparse_write_options w;
    sparse_tensor back;
    bool equal = false;
    memset(&w, 0, sizeof w);
    memset(&back, 0, sizeof back);
    w.format = hdf5 ? SPARSE_FILE_HDF5 : SPARSE_FILE_BINSPARSE;
    w.error = &error;
    w.symmetry = has_word(options, "symmetric") ? SPARSE_SYMMETRY_SYMMETRIC : has_word(options, "skew") ? SPARSE_SYMMETRY_SKEW
                 : has_word(options, "hermitian") ? SPARSE_SYMMETRY_HERMITIAN : SPARSE_SYMMETRY_GENERAL;
    w.pattern = has_word(options, "pattern");
    w.stored_half = s.o.stored_half = has_word(options, "half");
    back.encoding = t->encoding;
    check(write_bytes(t, &w, &b) == SPARSE_OK, what, error.message);
    static char said[sizeof error.message];
    memcpy(said, error.message, sizeof said);
    s.o.error = &error;
    sparse_symmetry stated = (sparse_symmetry)(w.symmetry + 1);
    s.o.symmetry = &stated;
    check(sparse_read_memory(&back, b.at, b.length, &s.o) == SPARSE_OK, what, error.message);
    check(stated == w.symmetry, what, "the same symmetry");
    check(sparse_validate(&back, NULL) == SPARSE_OK, what, "valid");
    check(sparse_equal(t, &back, 0, &equal) == SPARSE_OK && equal, what, "the same tensor");
    check(!arrays || same_arrays(t, &back), what, "the same arrays");
    sparse_free(&back);
    return said;
}

static void test_round_trips(void)
{
    static const uint8_t widths[][2] = {{64, 64}, {32, 32}, {8, 16}, {16, 8}};
    char what[100];
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            for (size_t n = 0; n < 4; n++)
                for (int soa = 0; soa < 2; soa++) {
                    const sparse_encoding e = levels_of(words[k], soa, widths[n][0], widths[n][1], kinds[i].kind);
                    sparse_tensor t = random_tensor(&e, (unsigned)(k * 97 + i * 13 + n));
                    snprintf(what, sizeof what, "%s, %s, %u %u, soa %d", words[k], kinds[i].name, e.pos_bits, e.crd_bits, soa);
                    check(strstr(check_same(&t, "", true, what), ": success") != NULL, what, "no other word");
                    sparse_free(&t);
                }
}

/* Stored rows without entries survive writing and reading. */
static void test_empty_rows(void)
{
    const sparse_encoding e = levels_of("cc01", false, 32, 32, SPARSE_F64);
    static const uint32_t pos0[] = {0, 3}, crd0[] = {0, 1, 4}, pos1[] = {0, 1, 1, 2}, crd1[] = {2, 0};
    static const double values[] = {1.5, -0.0};
    static const size_t dim[] = {5, 3};
    const sparse_arrays arrays = {{SPARSE_ARRAY(pos0, 2), SPARSE_ARRAY(pos1, 4)},
                                  {SPARSE_ARRAY(crd0, 3), SPARSE_ARRAY(crd1, 2)},
                                  SPARSE_ARRAY(values, 2), 0, 0};
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    t.encoding = &e;
    check(sparse_assemble(&t, dim, &arrays, SPARSE_COPY, NULL) == SPARSE_OK, "empty rows", "assembled");
    check_same(&t, "", true, "empty rows");
    sparse_free(&t);
}

/* An encoding that the specification cannot describe is converted, and the message says so; or it is refused. */
static void test_others(void)
{
    static const double seven = 7;
    sparse_encoding e = levels_of("dc01", false, 32, 32, SPARSE_F64);
    e.constant = &seven;
    static const size_t dim[] = {3, 3};
    static const size_t c[] = {0, 1, 2, 0, 2, 2};
    static const double values[] = {7, 7, 7}, skew[] = {1, -1};
    static const size_t cs[] = {0, 0, 0, 1, 0, 2, 1, 0, 2, 0}, ck[] = {0, 2, 2, 0};
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    t.encoding = &e;
    check(sparse_pack_untyped(&t, dim, 3, c, values, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "constant", "packed");
    check_same(&t, "", true, "constant");
    sparse_free(&t);
    e.constant = NULL;
    e.fill = &seven;
    check(sparse_pack_untyped(&t, dim, 3, c, values, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "fill", "packed");
    check_same(&t, "", true, "fill");
    sparse_free(&t);

    e = levels_of("dc01", false, 32, 32, SPARSE_F64);
    static const double mirrored[] = {1, 2, 3, 2, 3};
    check(sparse_pack_untyped(&t, dim, 5, cs, mirrored, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "symmetric", "packed");
    check_same(&t, "symmetric", true, "symmetric");
    sparse_free(&t);
    check(sparse_pack_untyped(&t, dim, 2, ck, skew, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "skew", "packed");
    check_same(&t, "skew", true, "skew");
    sparse_free(&t);
    static const double hermitian[] = {1, 2, 1, -2};
    e = levels_of("dc01", false, 32, 32, SPARSE_C128);
    check(sparse_pack_untyped(&t, dim, 2, ck, hermitian, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "Hermitian", "packed");
    check_same(&t, "hermitian", true, "Hermitian");
    sparse_free(&t);
    static const double flags[] = {1, 1, 1, 1, 1};
    static const char *const padded[] = {"dd01", "dd10", "cd01"};
    for (size_t k = 0; k < 3; k++) {
        e = levels_of(padded[k], false, 32, 32, SPARSE_F64);
        check(sparse_pack_untyped(&t, dim, 5, cs, flags, SPARSE_DUPLICATES_SUM) == SPARSE_OK, padded[k], "packed");
        check_same(&t, "symmetric", true, padded[k]);
        check(strstr(check_same(&t, "pattern", true, padded[k]), "as a pattern has no zeros") != NULL, padded[k], "the note");
        check_same(&t, "symmetric pattern", true, padded[k]);
        sparse_free(&t);
    }
    e = levels_of("dc01", false, 32, 32, SPARSE_F64);
    static const size_t below[] = {0, 0, 1, 0, 2, 1}, above[] = {0, 1, 1, 1, 1, 2};
    for (size_t k = 0; k < 2; k++) {
        check(sparse_pack_untyped(&t, dim, 3, k ? above : below, mirrored, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "half", "packed");
        check_same(&t, "half symmetric", true, k ? "upper half" : "lower half");
        sparse_free(&t);
        check(sparse_pack_untyped(&t, dim, 1, k ? ck : ck + 2, skew, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "half", "packed");
        check_same(&t, "half skew", true, k ? "upper half, skew" : "lower half, skew");
        sparse_free(&t);
    }
    static const double ones[] = {1, 1, 1};
    check(sparse_pack_untyped(&t, dim, 3, c, ones, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "pattern", "packed");
    check_same(&t, "pattern", true, "pattern");
    sparse_free(&t);

    /* unsorted and repeated entries; bitmaps; blocks */
    e = levels_of("us01", true, 32, 32, SPARSE_F64);
    e.level[1].properties |= SPARSE_NONUNIQUE;
    static const size_t twice[] = {0, 1, 0, 1, 2, 2};
    check(sparse_pack_untyped(&t, dim, 3, twice, ones, SPARSE_DUPLICATES_KEEP) == SPARSE_OK, "twice", "packed");
    check(strstr(check_same(&t, "", false, "twice"), "added up") != NULL, "twice", "which is said");
    sparse_free(&t);
    e = levels_of("dc01", false, 32, 32, SPARSE_F64);
    e.level[1].type = SPARSE_BITMAP;
    check(sparse_pack_untyped(&t, dim, 3, c, ones, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "bitmap", "packed");
    check(strstr(check_same(&t, "", false, "bitmap"), "CSR, CSC or COO") != NULL, "bitmap", "which is said");
    sparse_free(&t);

    e = levels_of("dc01", false, 8, 8, SPARSE_F64); /* more columns than coordinates can number */
    e.level[1].type = SPARSE_BITMAP;
    static const size_t broad[] = {3, 300}, far[] = {0, 299, 2, 256, 2, 255};
    check(sparse_pack_untyped(&t, broad, 3, far, ones, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "wide bitmap", "packed");
    check(strstr(check_same(&t, "", true, "wide bitmap"), "CSR, CSC or COO") != NULL, "wide bitmap", "which is said");
    sparse_free(&t);

    for (size_t rank = 1; rank < 5; rank++) { /* all levels are bitmaps */
        e = encoding_of(rank, SPARSE_F64);
        e.level[rank - 1].type = SPARSE_BITMAP;
        t = random_tensor(&e, (unsigned)rank);
        check(strstr(check_same(&t, "", false, "bitmaps"), "CSR, CSC or COO") != NULL, "bitmaps", "which is said");
        sparse_free(&t);
    }

    sparse_io_error error;
    sparse_write_options w;
    bytes b;
    memset(&w, 0, sizeof w);
    w.format = SPARSE_FILE_BINSPARSE;
    w.error = &error;
    w.symmetry = SPARSE_SYMMETRY_SYMMETRIC, w.stored_half = true;
    e = levels_of("dc01", false, 32, 32, SPARSE_F64);
    check(sparse_pack_untyped(&t, dim, 2, ck, ones, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "half", "packed");
    check(write_bytes(&t, &w, &b) == SPARSE_E_SYMMETRY, "both halves", error.message);
    sparse_free(&t);
    w.symmetry = SPARSE_SYMMETRY_GENERAL, w.stored_half = false;
    e = levels_of("cs01", true, 32, 32, SPARSE_F64);
    sparse_encoding unique = e;
    unique.level[0].properties = 0;
    for (size_t k = 0; k < 2; k++) { /* one entry in each row, or several */
        sparse_read_options o;
        sparse_tensor u;
        memset(&o, 0, sizeof o);
        memset(&u, 0, sizeof u);
        o.error = &error;
        u.encoding = &unique;
        check(sparse_pack_untyped(&t, dim, 2, k ? cs : ck, ones, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "unique rows", "packed");
        check(write_bytes(&t, &w, &b) == SPARSE_OK, "unique rows", error.message);
        check(sparse_read_memory(&u, b.at, b.length, &o) == (k ? SPARSE_E_FULL : SPARSE_OK), "unique rows", error.message);
        check(k || sparse_validate(&u, NULL) == SPARSE_OK, "unique rows", "valid");
        sparse_free(&t);
        sparse_free(&u);
    }
    e = levels_of("dc01", false, 32, 32, SPARSE_F16);
    e.value_size = 2;
    static const uint16_t halves[] = {1, 2, 3};
    check(sparse_pack_untyped(&t, dim, 3, c, halves, SPARSE_DUPLICATES_LAST) == SPARSE_OK, "f16", "packed");
    check(write_bytes(&t, &w, &b) == SPARSE_E_VALUE_TYPE, "f16", error.message);
    sparse_free(&t);

    /* the file name chooses the format */
    e = levels_of("dc10", false, 32, 32, SPARSE_F64);
    check(sparse_pack_untyped(&t, dim, 3, c, ones, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "name", "packed");
    w.format = SPARSE_FILE_AUTO;
    check(sparse_write(&t, scratch("x.bsp.npz"), &w) == SPARSE_OK, "name", error.message);
    char text[3000];
    FILE *const in = fopen(scratch("x.bsp.npz"), "rb");
    const size_t length = in ? fread(text, 1, sizeof text - 1, in) : 0;
    if (in) fclose(in);
    for (size_t k = 0; k < length; k++) text[k] = (char)(text[k] ? text[k] : ' ');
    text[length] = '\0';
    check(strstr(text, "{\"binsparse\": {\"version\": \"0.1\", \"format\": \"CSC\", \"shape\": [3, 3], \"number_of_stored_values\": 3, "
                       "\"data_types\": {\"pointers_to_1\": \"uint32\", \"indices_1\": \"uint32\", \"values\": \"float64\"}}}") != NULL,
          "name", "the descriptor");
    sparse_tensor back;
    memset(&back, 0, sizeof back);
    back.encoding = &e;
    check(sparse_read(&back, scratch("x.bsp.npz"), NULL) == SPARSE_OK && same_arrays(&t, &back), "name", "read");
    sparse_free(&back);
    remove(scratch("x.bsp.npz"));
    sparse_free(&t);
}

/* Every request for memory fails in turn: the result is an error, and no memory leaks. */
static void test_memory(void)
{
    for (size_t k = 0; k < 12; k++) {
        const sparse_encoding e = levels_of(words[2 * k], k % 2, 32, 32, SPARSE_F64);
        sparse_tensor t = random_tensor(&e, (unsigned)k);
        bytes b;
        sparse_write_options w;
        memset(&w, 0, sizeof w);
        w.format = SPARSE_FILE_BINSPARSE;
        check(write_bytes(&t, &w, &b) == SPARSE_OK, "memory", "written");
        sparse_result result = SPARSE_E_MEMORY;
        for (long fuse = 0; result == SPARSE_E_MEMORY && fuse < 1000; fuse++) {
            budget limit = {0, 1 << 20, fuse};
            const sparse_hooks hooks = {budget_resize, &limit};
            sparse_tensor back;
            memset(&back, 0, sizeof back);
            back.encoding = &e;
            back.hooks = &hooks;
            result = sparse_read_memory(&back, b.at, b.length, NULL);
            sparse_free(&back);
            check(limit.used == 0, "memory", "nothing is lost");
        }
        check(result == SPARSE_OK, "memory", "read");
        sparse_free(&t);
    }
}

/* The kit reads files that NumPy writes, and NumPy reads files that the kit writes. */
static void test_numpy(void)
{
    static const char *const names[] = {"bytes.npz", "text.npz"};
    static const size_t dim[] = {3, 3}, c[] = {0, 1, 2, 0, 2, 2};
    static const double complexes[] = {1, 2, 3, 4, 5, 6};
    char out[2000];
    const bool there = run_python(
        "import json, numpy as np\n"
        "d = json.dumps({'binsparse': {'version': '0.1', 'format': 'CSR', 'shape': [3, 3], 'number_of_stored_values': 3,\n"
        "    'data_types': {'pointers_to_1': 'int64', 'indices_1': 'int32', 'values': 'float32'}}}, indent=4)\n"
        "a = dict(pointers_to_1=np.array([0, 1, 1, 3]), indices_1=np.array([1, 0, 2], dtype=np.int32), \n"
        "    values=np.array([5, 6, 7], dtype=np.float32))\n"
        "np.savez('bytes.npz', binsparse=d.encode(), **a)\n"
        "np.savez('text.npz', binsparse=d, **a)\n", out, sizeof out);
    if (!there) {
        printf("test_binsparse: no python with NumPy, its files are skipped\n");
        skipped++;
        return;
    }
    for (size_t k = 0; k < 2; k++) {
        setup s = setup_of("csr");
        sparse_io_error error;
        sparse_tensor t;
        memset(&t, 0, sizeof t);
        t.encoding = &s.e;
        s.o.error = &error;
        check(sparse_read(&t, scratch(names[k]), &s.o) == SPARSE_OK, "NumPy", out[0] ? out : error.message);
        describe(&t, out, sizeof out);
        check(strcmp(out, "3x3 1,2=5 3,1=6 3,3=7") == 0, "NumPy", out);
        sparse_free(&t);
        remove(scratch(names[k]));
    }
    const sparse_encoding e = levels_of("dc01", false, 32, 16, SPARSE_C128);
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    t.encoding = &e;
    check(sparse_pack_untyped(&t, dim, 3, c, complexes, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "NumPy", "packed");
    check(sparse_write(&t, scratch("w.bsp.npz"), NULL) == SPARSE_OK, "NumPy", "written");
    sparse_free(&t);
    run_python("import json, numpy as np\n"
               "f = np.load('w.bsp.npz')\n"
               "d = json.loads(f['binsparse'].item())['binsparse']\n"
               "print(d['format'], d['shape'], d['data_types']['values'])\n"
               "print(f['pointers_to_1'], f['indices_1'].dtype, f['values'])\n", out, sizeof out);
    check(strcmp(out, "CSR [3, 3] complex[float64]\n[0 1 1 3] uint16 [1. 2. 3. 4. 5. 6.]\n") == 0, "NumPy", out);
    remove(scratch("w.bsp.npz"));
}

/* ---- borrowed arrays ---- */

static union {
    long double aligned[1024];
    char text[16384];
} archive_bytes;

/* Writes t as an archive to archive_bytes, from byte `shift` on; returns the length. */
static size_t archive_of(const sparse_tensor *t, sparse_file_format format, size_t shift)
{
    static bytes b;
    sparse_write_options w;
    memset(&w, 0, sizeof w);
    w.format = format;
    check(write_bytes(t, &w, &b) == SPARSE_OK && b.length + shift <= sizeof archive_bytes, "archive", "written");
    memcpy(archive_bytes.text + shift, b.at, b.length);
    return b.length;
}

/* Borrows the arrays from archive_bytes with the given options; returns the result and the message. */
static sparse_result borrow(sparse_tensor *t, size_t shift, size_t length, bool unchecked, sparse_io_error *error)
{
    sparse_read_options o;
    memset(&o, 0, sizeof o);
    memset(error, 0, sizeof *error);
    o.borrow = true;
    o.unchecked = unchecked;
    o.error = error;
    const sparse_result result = sparse_read_memory(t, archive_bytes.text + shift, length, &o);
    check(error->result == result && error->message[0] != '\0', "borrowed", error->message);
    return result;
}

static bool is_inside(const sparse_buffer *b)
{
    const uintptr_t at = (uintptr_t)b->at, first = (uintptr_t)&archive_bytes;
    return b->length == 0 || (b->capacity == 0 && at >= first && at < first + sizeof archive_bytes);
}

/* For every sorted encoding that the specification can describe, except interleaved ones, reading borrows all arrays. */
static void test_borrowed(void)
{
    char what[100];
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            for (int form = 0; form < 8; form++) {
                const sparse_encoding e = levels_of(words[k], form & 1, form & 2 ? 32 : 64, form & 2 ? 16 : 8, kinds[i].kind);
                const bool interleaved = !(form & 1) && strchr(words[k], 's');
                sparse_tensor t = random_tensor(&e, (unsigned)(k * 31 + i * 7 + 1)), back;
                sparse_io_error error;
                const size_t length = archive_of(&t, SPARSE_FILE_BINSPARSE, 0);
                memset(&back, 0, sizeof back);
                back.encoding = &e;
                const sparse_result result = borrow(&back, 0, length, form & 4, &error);
                snprintf(what, sizeof what, "borrowed %s, %s, form %d", words[k], kinds[i].name, form);
                check(result == (interleaved ? SPARSE_E_ENCODING : SPARSE_OK), what, error.message);
                check(result || (same_arrays(&t, &back) && sparse_validate(&back, NULL) == SPARSE_OK), what, "the same arrays");
                for (unsigned l = 0; !result && l < e.levels; l++)
                    check(is_inside(&back.crd[l]) && (l == 0 || is_inside(&back.pos[l])), what, "in the archive");
                check(is_inside(&back.val), what, "values in the archive");
                sparse_free(&back);
                sparse_free(&t);
            }
}

/* A file of SciPy is borrowed. Files whose arrays cannot be borrowed are refused with a sentence. */
static void test_not_borrowed(void)
{
    static const char *const said[] = {"does not begin at a multiple of 8 bytes", "stores other arrays than the file has",
                                       "indices_1.npy has elements of another type", "values.npy has elements of another type",
                                       "only the arrays of a .npz in memory can be borrowed"};
    const sparse_encoding rows = levels_of("dc01", false, 32, 32, SPARSE_F64), columns = levels_of("dc10", false, 32, 32, SPARSE_F64);
    const sparse_encoding narrow = levels_of("dc01", false, 32, 16, SPARSE_F64), floats = levels_of("dc01", false, 32, 32, SPARSE_F32);
    const sparse_encoding *const encoding[] = {&rows, &columns, &narrow, &floats, &rows};
    sparse_tensor t = random_tensor(&rows, 5), back;
    sparse_io_error error;
    memset(&back, 0, sizeof back);
    for (size_t k = 0; k < 5; k++) {
        const size_t shift = k == 0 ? 4 : 0;
        size_t length = archive_of(&t, SPARSE_FILE_BINSPARSE, shift);
        if (k == 4) length = (size_t)snprintf(archive_bytes.text, sizeof archive_bytes, "%%%%MatrixMarket matrix coordinate real general\n1 1 0\n");
        back.encoding = encoding[k];
        const sparse_result result = borrow(&back, shift, length, false, &error);
        check(result != SPARSE_OK && strstr(error.message, said[k]) != NULL, said[k], error.message);
    }
    for (int k = 0; k < 4; k++) {
        const sparse_encoding *const e = k & 1 ? &columns : &rows;
        sparse_tensor m = random_tensor(e, 5);
        const size_t length = archive_of(&m, SPARSE_FILE_NPZ, 0);
        back.encoding = e;
        check(borrow(&back, 0, length, k & 2, &error) == SPARSE_OK && same_arrays(&m, &back), "SciPy", error.message);
        check(is_inside(&back.pos[1]) && is_inside(&back.crd[1]) && is_inside(&back.val), "SciPy", "in the archive");
        sparse_free(&back);
        back.encoding = k & 1 ? &rows : &columns;
        check(borrow(&back, 0, length, k & 2, &error) == SPARSE_E_ENCODING, "SciPy, the other way round", error.message);
        sparse_free(&m);
    }
    sparse_free(&t);
}

/* A damaged archive gives an error or a tensor; if the tensor was validated while reading, it is valid. */
static void test_damaged_archives(void)
{
    static char whole[sizeof archive_bytes];
    const sparse_encoding e = levels_of("cc01", false, 32, 32, SPARSE_F64), rows = levels_of("dc01", false, 32, 32, SPARSE_F64);
    for (int kind = 0; kind < 2; kind++) {
        sparse_tensor t = random_tensor(kind ? &rows : &e, 9), back;
        sparse_io_error error;
        const size_t length = archive_of(&t, kind ? SPARSE_FILE_NPZ : SPARSE_FILE_BINSPARSE, 0);
        memcpy(whole, archive_bytes.text, length);
        memset(&back, 0, sizeof back);
        for (size_t k = 0; k < 6000; k++) {
            size_t cut = length;
            back.encoding = t.encoding;
            memcpy(archive_bytes.text, whole, length);
            if (k < length) cut = k;
            else archive_bytes.text[random_bits() % length] = (char)random_bits();
            if (borrow(&back, 0, cut, k & 1, &error) == SPARSE_OK) {
                const sparse_result valid = sparse_validate(&back, NULL);
                check(k & 1 || valid == SPARSE_OK, "damaged", "a tensor that was checked is valid");
            }
            check(k >= length || error.result != SPARSE_OK, "damaged", "an archive that is cut is refused");
            sparse_free(&back);
        }
        sparse_free(&t);
    }
}

/* A mapped file. */
static void test_mapped(void)
{
    const sparse_encoding e = levels_of("dc01", false, 32, 32, SPARSE_F64);
    sparse_tensor t = random_tensor(&e, 5), back;
    sparse_io_error error;
    sparse_mapping file;
    sparse_read_options o;
    memset(&o, 0, sizeof o);
    memset(&back, 0, sizeof back);
    o.borrow = true;
    o.error = &error;
    back.encoding = &e;
    check(sparse_write(&t, scratch("m.bsp.npz"), NULL) == SPARSE_OK, "mapped", "written");
    check(sparse_map_file(&file, scratch("m.bsp.npz"), &error) == SPARSE_OK && error.result == SPARSE_OK, "mapped", error.message);
    check(sparse_read_memory(&back, file.at, file.length, &o) == SPARSE_OK && same_arrays(&t, &back), "mapped", error.message);
    check((const char *)back.val.at >= file.at && (const char *)back.val.at < file.at + file.length, "mapped", "in the file");
    sparse_free(&back);
    sparse_unmap_file(&file);
    sparse_unmap_file(&file);
    sparse_unmap_file(NULL);
    check(file.at == NULL && file.length == 0, "mapped", "empty");
    check(sparse_read(&back, scratch("m.bsp.npz"), &o) == SPARSE_E_ARGUMENT && strstr(error.message, "sparse_map_file"), "mapped", error.message);
    remove(scratch("m.bsp.npz"));
    check(sparse_map_file(&file, scratch("m.bsp.npz"), &error) == SPARSE_E_OPEN && strstr(error.message, "No such file"), "mapped", error.message);
    check(sparse_map_file(&file, "/tmp", &error) == SPARSE_E_OPEN && file.at == NULL, "mapped", error.message);
    FILE *const empty = fopen(scratch("empty"), "w");
    if (empty) fclose(empty);
    check(sparse_map_file(&file, scratch("empty"), &error) == SPARSE_E_OPEN && strstr(error.message, "is empty"), "mapped", error.message);
    remove(scratch("empty"));
    check(sparse_map_file(NULL, "x", &error) == SPARSE_E_NULL && sparse_map_file(&file, NULL, NULL) == SPARSE_E_NULL, "mapped", "null");
    sparse_free(&t);
}

/* An archive larger than 4 GiB in the format of SciPy, with its arrays at the end. Most of it is a hole, which takes no
   space on disk. */
static void test_far(void)
{
    static const double value[] = {1, 2, 3};
    static const int32_t column[] = {0, 2, 1}, row[] = {0, 2, 3};
    static const int64_t shape[] = {2, 3}, hole = INT64_C(5) << 30;
    static const size_t two = 2, three = 3;
    const sparse_encoding e = levels_of("dc01", false, 32, 32, SPARSE_F64);
    sparse_tensor back;
    sparse_mapping file;
    sparse_io_error error;
    sparse_read_options o;
    sparse_p_archive z;
    if (sizeof(long) < 8) return;
    memset(&back, 0, sizeof back);
    memset(&o, 0, sizeof o);
    memset(&z, 0, sizeof z);
    back.encoding = &e;
    o.borrow = true;
    o.error = &error;
    if (!(z.out = fopen(scratch("far.npz"), "wb"))) return;
    sparse_p_add_member(&z, "format.npy", "|S3", NULL, 0, "csr", 3);
    z.offset += (uint64_t)hole;
    check(fseek(z.out, (long)hole, SEEK_CUR) == 0, "far", "a hole");
    sparse_p_add_member(&z, "shape.npy", "<i8", &two, 1, shape, sizeof shape);
    sparse_p_add_member(&z, "indices.npy", "<i4", &three, 1, column, sizeof column);
    sparse_p_add_member(&z, "indptr.npy", "<i4", &three, 1, row, sizeof row);
    sparse_p_add_member(&z, "data.npy", "<f8", &three, 1, value, sizeof value);
    sparse_p_end_archive(&z);
    check(ftell(z.out) > (long)hole && fclose(z.out) == 0, "far", "written");
    check(sparse_map_file(&file, scratch("far.npz"), &error) == SPARSE_OK, "far", error.message);
    check(sparse_read_memory(&back, file.at, file.length, &o) == SPARSE_OK && sparse_entries(&back) == 3, "far", error.message);
    check((const char *)back.val.at > file.at + hole && memcmp(back.val.at, value, sizeof value) == 0, "far", "in the file");
    sparse_free(&back);
    sparse_unmap_file(&file);
    remove(scratch("far.npz"));
}

/* ---- HDF5 ---- */

#if SPARSE_HDF5
/* The HDF5 library leaks memory on some damaged files, and version 1.10.8 reads out of bounds on some. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }
const char *__asan_default_suppressions(void);
const char *__asan_default_suppressions(void) { return "interceptor_via_lib:libhdf5"; }
#endif

static void test_hdf5(void)
{
#if SPARSE_HDF5
    static const char program[] =
        "import json, numpy as np, h5py\n"
        "d = json.dumps({'binsparse': {'version': '0.1', 'format': 'CSR', 'shape': [3, 3], 'number_of_stored_values': 3,\n"
        "    'data_types': {'pointers_to_1': 'int64', 'indices_1': 'int16', 'values': 'float32'}}})\n"
        "for k in range(5):\n"
        "    f = h5py.File('%d.h5' % k, 'w')\n"
        "    if k == 1: f['binsparse'] = d\n"
        "    elif k == 2: f.attrs['binsparse'] = np.bytes_(d)\n"
        "    else: f.attrs['binsparse'] = d\n"
        "    f.create_dataset('pointers_to_1', data=np.array([0, 1, 1, 3]), compression='gzip', chunks=(2,))\n"
        "    f.create_dataset('indices_1', data=np.array([1, 0, 2], dtype='>i2'))\n"
        "    if k == 3: f['values'] = h5py.ExternalLink('0.h5', 'values')\n"
        "    elif k == 4: f.create_dataset('values', data=np.array([5, 6, 7], dtype='f4'), external=[('raw', 0, 12)])\n"
        "    else: f.create_dataset('values', data=np.array([5, 6, 7], dtype='f4'))\n";
    static const char *const said[] = {"", "", "", "values is no dataset of the file", "are in another file"};
    char what[100], out[2000];
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            for (int soa = 0; soa < 2; soa++) {
                const sparse_encoding e = levels_of(words[k], soa, soa ? 64 : 16, soa ? 8 : 32, kinds[i].kind);
                sparse_tensor t = random_tensor(&e, (unsigned)(k * 97 + i * 13 + 3));
                snprintf(what, sizeof what, "HDF5, %s, %s, soa %d", words[k], kinds[i].name, soa);
                check(strstr(check_same(&t, "hdf5", true, what), ": success") != NULL, what, "no other word");
                sparse_free(&t);
            }
    static const double seven = 7, mirrored[] = {1, 2, 2};
    static const size_t square[] = {3, 3}, c[] = {0, 0, 0, 1, 1, 0};
    for (int k = 0; k < 3; k++) {
        sparse_encoding f = levels_of("dc01", false, 32, 32, SPARSE_F64);
        sparse_tensor m;
        if (k == 0) f.fill = &seven;
        memset(&m, 0, sizeof m);
        m.encoding = &f;
        check(sparse_pack_untyped(&m, square, k == 2 ? 1 : 3, c, mirrored, SPARSE_DUPLICATES_SUM) == SPARSE_OK, "HDF5", "packed");
        check_same(&m, k == 0 ? "hdf5" : k == 1 ? "hdf5 symmetric" : "hdf5 pattern", true, "HDF5, fill, symmetric, pattern");
        sparse_free(&m);
    }
    /* a truncated or damaged file gives an error or a valid tensor */
    static bytes b;
    static char changed[sizeof b.at];
    sparse_write_options w;
    const sparse_encoding e = levels_of("dc01", false, 32, 32, SPARSE_F64);
    sparse_tensor t = random_tensor(&e, 9), back;
    memset(&w, 0, sizeof w);
    memset(&back, 0, sizeof back);
    w.format = SPARSE_FILE_HDF5;
    check(write_bytes(&t, &w, &b) == SPARSE_OK, "HDF5", "written");
    for (size_t k = 0; k < 300; k++) {
        size_t length = b.length;
        sparse_io_error error;
        setup s = setup_of("");
        memcpy(changed, b.at, b.length);
        if (k < 100) length = 8 + k * (length - 8) / 100;
        else memset(changed + 8 + random_bits() % (length - 8), (char)random_bits(), 1);
        back.encoding = &e;
        s.o.error = &error;
        const sparse_result result = sparse_read_memory(&back, changed, length, &s.o);
        check(result == error.result && (result || sparse_validate(&back, NULL) == SPARSE_OK), "HDF5, damaged", error.message);
        check(k >= 100 || result != SPARSE_OK, "HDF5, cut", error.message);
        sparse_free(&back);
    }
    check(sparse_write(&t, scratch("t.bsp.h5"), NULL) == SPARSE_OK && sparse_read(&back, scratch("t.bsp.h5"), NULL) == SPARSE_OK &&
              same_arrays(&t, &back), "HDF5", "by its extension");
    remove(scratch("t.bsp.h5"));
    sparse_free(&back);
    sparse_free(&t);
    if (!run_python("import h5py\n", out, sizeof out) || out[0] || !run_python(program, out, sizeof out)) {
        printf("test_binsparse: no python with h5py, its files are skipped\n");
        skipped++;
        return;
    }
    for (int k = 0; k < 5; k++) {
        setup s = setup_of("csr");
        sparse_io_error error;
        char name[8];
        snprintf(name, sizeof name, "%d.h5", k);
        back.encoding = &s.e;
        s.o.error = &error;
        const sparse_result result = sparse_read(&back, scratch(name), &s.o);
        if (!result) describe(&back, out, sizeof out);
        check(k < 3 ? !result && strcmp(out, "3x3 1,2=5 3,1=6 3,3=7") == 0 : result && strstr(error.message, said[k]), "h5py", error.message);
        sparse_free(&back);
        remove(scratch(name));
    }
    remove(scratch("raw"));
#else
    printf("test_binsparse: no library of HDF5, its files are skipped\n");
    skipped++;
#endif
}

int main(void)
{
    test_hdf5();
    test_borrowed();
    test_not_borrowed();
    test_damaged_archives();
    test_mapped();
    test_far();
    test_numpy();
    test_files();
    test_round_trips();
    test_empty_rows();
    test_others();
    test_memory();
    if (failed == 0) scratch(NULL);
    printf("test_binsparse: %d passed, %d failed, %d skipped\n", passed, failed, skipped);
    return failed > 0;
}
