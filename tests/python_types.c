/* python_types.c: kernels for test_python.py: the product with a vector and the sum of two matrices, for value types, index
   widths and formats of SciPy. */
#include "examples/company/python.h"

#define TYPE(in, value, bits)                                                                        \
    SPARSE_TENSOR(vec_##in, SPARSE_DENSE_1D, value, bits, bits)                                      \
    FORMAT(csr_##in, vec_##in, i, j, SPARSE_CSR, value, bits)                                        \
    FORMAT(csc_##in, vec_##in, j, i, SPARSE_CSC, value, bits)                                        \
    FORMAT(coo_##in, vec_##in, i, j, SPARSE_COO_SOA, value, bits)
#define FORMAT(name, vec, u, v, encoding, value, bits)                                               \
    SPARSE_TENSOR(name, encoding, value, bits, bits)                                                 \
    SPARSE_KERNEL(multiply_##name, (u, v), (y, vec, SPARSE_DENSE_1D, value, bits, bits, i),          \
                  all((A, name, encoding, value, bits, bits, i, j),                                  \
                      (x, vec, SPARSE_DENSE_1D, value, bits, bits, j)),                              \
                  y = (value)(y + A * x))                                                            \
    SPARSE_KERNEL(add_##name, (u, v), (C, name, encoding, value, bits, bits, i, j),                  \
                  any((A, name, encoding, value, bits, bits, i, j),                                  \
                      (B, name, encoding, value, bits, bits, i, j)),                                 \
                  C = (value)(A + B))                                                                \
    PYTHON_KERNEL(multiply_##name, vec, name, vec)                                                   \
    PYTHON_KERNEL(add_##name, name, name, name)

TYPE(float32, float, 32)
TYPE(int64, int64_t, 64)
TYPE(complex128, sparse_complex128, 32)
TYPE(uint8, uint8_t, 64)
