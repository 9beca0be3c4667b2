/* python_types.c: kernels for test_python.py: the product with a vector and the sum of two matrices, for value types, index
   widths and formats of SciPy; then types with narrow widths, and with a fill value. */
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

SPARSE_TENSOR(narrow, SPARSE_CSR, float, 16, 8)
SPARSE_TENSOR(narrow_list, SPARSE_VECTOR, float, 8, 8)
SPARSE_TENSOR(short_coo, SPARSE_COO_SOA, float, 8, 32)
SPARSE_TENSOR_FILL(ones_coo, SPARSE_COO_SOA, float, 32, 32, 1)
#define LIST narrow_list, SPARSE_VECTOR, float, 8, 8
SPARSE_KERNEL(to_narrow, (i, j), (C, narrow, SPARSE_CSR, float, 16, 8, i, j), all((A, csr_float32, SPARSE_CSR, float, 32, 32, i, j)),
              C = A)
SPARSE_KERNEL(to_list, (i), (c, LIST, i), all((a, LIST, i)), c = a)
SPARSE_KERNEL(sum_short, (i, j), (y, vec_float32, SPARSE_DENSE_1D, float, 32, 32, i),
              all((A, short_coo, SPARSE_COO_SOA, float, 8, 32, i, j)), y += A)
SPARSE_KERNEL(sum_ones, (i, j), (y, vec_float32, SPARSE_DENSE_1D, float, 32, 32, i),
              all((A, ones_coo, SPARSE_COO_SOA, float, 32, 32, i, j)), y += A)
PYTHON_KERNEL(to_narrow, narrow, csr_float32)
PYTHON_KERNEL(to_list, narrow_list, narrow_list)
PYTHON_KERNEL(sum_short, vec_float32, short_coo)
PYTHON_KERNEL(sum_ones, vec_float32, ones_coo)
