/* files.c: converts a matrix or tensor from one file format to another, or draws its nonzeros.

       files plate.mtx.gz plate.npz
       files plate.npz plate.svg
       make spy MATRIX=plate.mtx.gz       build/spy.svg

   The format of the first file is recognised from its content, the format of the second from its name; sparse_io.h lists
   the formats. Compiled with -DSPARSE_ZLIB=1 and -lz, the program also reads and writes gzip files. */
#define SPARSE_FILES_ALL 1 /* all formats */
#include "sparse.h"
#include "sparse_io.h"

#define MATRIX  matrix, SPARSE_COO, double, 0, 0
#define COMPLEX complex_matrix, SPARSE_COO, sparse_complex128, 0, 0
#define TENSOR  tensor, ((i, j, k), (compressed(nonunique), i), (singleton(nonunique), j), (singleton, k)), double, 0, 0
SPARSE_TENSOR(MATRIX)
SPARSE_TENSOR(COMPLEX)
SPARSE_TENSOR(TENSOR)

static bool ends_with(const char *name, const char *end)
{
    return strlen(name) >= strlen(end) && strcmp(name + strlen(name) - strlen(end), end) == 0;
}

int main(int count, char **name)
{
    matrix A = SPARSE_INIT(matrix);
    complex_matrix C = SPARSE_INIT(complex_matrix);
    tensor T = SPARSE_INIT(tensor);
    sparse_tensor *const all[] = {&A.t, &C.t, &T.t}, *t = all[0];
    char comments[4096] = "";
    sparse_io_error error = {0};
    sparse_read_options read = {.comments = comments, .comments_size = sizeof comments, .error = &error};
    sparse_write_options write = {.error = &error};
    if (count != 3) {
        fputs("usage: files FROM TO, where TO may be a picture, .svg\n", stderr);
        return 2;
    }
    sparse_result result = SPARSE_E_SHAPE;
    for (int n = 0; n < 3 && (result == SPARSE_E_SHAPE || result == SPARSE_E_VALUE_TYPE); n++)
        result = sparse_read(t = all[n], name[1], &read); /* a real matrix, a complex one, or else a tensor */
    if (!result && *comments) write.comments = comments;
    if (!result && ends_with(name[2], ".svg")) {
        result = sparse_spy(t, name[2]);
        snprintf(error.message, sizeof error.message, "%s: %s", name[2], sparse_explain(result));
    } else if (!result) {
        result = sparse_write(t, name[2], &write);
    }
    if (result) fprintf(stderr, "%s\n", error.message);
    for (int n = 0; n < 3; n++) sparse_free(all[n]);
    return result ? 1 : 0;
}
