"""test_python.py: calls the kernels of python_types.c with matrices of SciPy, for each value type and index width. Products and
sums in each format equal SciPy's, also for empty and rectangular matrices. An argument of another type, width or format
raises an Error that names it, and leaves the output unchanged. company.sh runs this file."""
import itertools
import sys
import warnings

import numpy as np
import scipy.sparse as sp

import python_types as kernels

TYPES = {"float32": 32, "int64": 64, "complex128": 32, "uint8": 64}  # value type: index width
FORMATS = ("csr", "csc", "coo")
warnings.simplefilter("ignore", np.ComplexWarning)  # from refused arguments below
random = np.random.default_rng(11)
checks = {}


def values(count, dtype):
    return (random.integers(0, 9, count) + (1j * random.integers(0, 9, count) if dtype == "complex128" else 0)).astype(dtype)


def with_indices(m, bits):
    """The matrix with indices of this width, sorted as the kernels expect."""
    kind = f"int{bits}"
    if m.format == "coo":
        order = np.lexsort((m.col, m.row))
        m = sp.coo_matrix((m.data[order], (m.row[order], m.col[order])), m.shape)
        m.row, m.col = m.row.astype(kind), m.col.astype(kind)
    else:
        m.sort_indices()
        m.indptr, m.indices = m.indptr.astype(kind), m.indices.astype(kind)
    return m


def matrix(format, dtype, bits, shape, density=0.3):
    m = sp.random(*shape, density, "coo", random_state=random)
    return with_indices(sp.coo_matrix((values(m.nnz, dtype), (m.row, m.col)), shape).asformat(format), bits)


def refused(text, call):
    try:
        call()
    except kernels.Error as error:
        return text in str(error)
    return False


for (dtype, bits), format in itertools.product(TYPES.items(), FORMATS):
    multiply, add = (getattr(kernels, f"{verb}_{format}_{dtype}") for verb in ("multiply", "add"))
    for shape in ((7, 5), (1, 9), (6, 1), (0, 4), (4, 0), (3, 3)):
        A, B = (matrix(format, dtype, bits, shape, density) for density in (0.4, 0.0 if shape == (3, 3) else 0.3))
        x, y = values(shape[1], dtype), values(shape[0], dtype)
        wanted = (y + A.toarray() @ x).astype(dtype)
        checks[f"{format} {dtype} {shape}"] = np.array_equal(multiply(y, A, x), wanted)
        C = add(None, A, B)
        checks[f"sum {format} {dtype} {shape}"] = (
            C.format == format and C.dtype == dtype and C.shape == shape and np.array_equal(C.toarray(), A.toarray() + B.toarray()))
    A, x = matrix(format, dtype, bits, (7, 5)), values(5, dtype)
    for other in TYPES:
        if other != dtype:
            y = np.zeros(7, dtype)
            M = with_indices(A.astype(other), bits)
            checks[f"{format} {dtype}, A of {other}"] = refused(f"argument 1 has values of {other}", lambda: multiply(y, M, x))
            checks[f"{format} {dtype}, x of {other}"] = refused(f"argument 2 has values of {other}",
                                                                 lambda: multiply(y, A, x.astype(other)))
            checks[f"{format} {dtype}, y of {other}"] = refused(f"argument 0 has values of {other}",
                                                                 lambda: multiply(y.astype(other), A, x))
            checks[f"{format} {dtype}, unchanged"] = not y.any()
    M = with_indices(A.copy(), 96 - bits)
    checks[f"{format} {dtype}, width"] = refused(f"level {'0' if format == 'coo' else '1'} of int{96 - bits}",
                                                 lambda: multiply(np.zeros(7, dtype), M, x))
    for other in FORMATS:
        if other != format:
            checks[f"{format} {dtype} given {other}"] = refused(
                f"argument 1 is a {other}_matrix", lambda: multiply(np.zeros(7, dtype), A.asformat(other), x))
    checks[f"{format} {dtype}, sizes"] = refused("multiply", lambda: multiply(np.zeros(6, dtype), A, x))
    if format != "coo":
        M = A.copy()
        M.indices[:] = M.indices[::-1].copy()
        M.indices[0] = 100
        checks[f"{format} {dtype}, outside"] = refused("argument 1", lambda: multiply(np.zeros(7, dtype), M, x))

wrong = [name for name, right in checks.items() if not right]
print(f"test_python: {len(checks) - len(wrong)} of {len(checks)} right" + "".join(f"; not: {name}" for name in wrong[:9]))
sys.exit(bool(wrong))
