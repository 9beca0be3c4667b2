"""test_python.py: calls the kernels of python_types.c with matrices of SciPy, for each value type and index width. Products and
sums in each format equal SciPy's, also for empty and rectangular matrices. An argument of another type, width or format
raises an Error that names it, and leaves the output unchanged. Results with narrow widths are exact, errors belong to their
thread, and results live until the interpreter ends. company.sh runs this file."""
import atexit
import itertools
import os
import sys
import threading
import warnings
import weakref

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

# coordinates of 8 bits from 128 on, and positions of 8 bits
A = matrix("csr", "float32", 32, (3, 250), 0.9)
checks["narrow"] = np.array_equal(kernels.to_narrow(None, A).toarray(), A.toarray())
numbers = np.arange(200, dtype="u1")
made = kernels.to_list(None, kernels.Stored((256,), np.array([0, 200], "u1"), numbers, np.ones(200, "f4")))
checks["narrow list"] = made.arrays[0].tolist() == [0, 200] and np.array_equal(made.arrays[1], numbers)
A = matrix("coo", "float32", 32, (3, 250), 0.9)
checks["too many entries"] = A.nnz > 256 and refused(
    f"argument 1 has {A.nnz} entries, but the type short_coo counts them with 8 bits", lambda: kernels.sum_short(None, A))
# an output that the kernel assembles
A = matrix("csr", "float32", 32, (5, 5))
C = A.copy()
checks["assembled"] = refused("add_csr_float32: argument 0: the kernel assembles its output: pass None",
                              lambda: kernels.add_csr_float32(C, A, A)) and np.array_equal(C.toarray(), A.toarray())


class Filled:
    """COO of PyData/Sparse with a fill value."""

    def __init__(self, m, fill):
        self.coords, self.data, self.shape, self.fill_value = np.array([m.row, m.col]), m.data, m.shape, np.float32(fill)


A = matrix("coo", "float32", 32, (5, 5))
for fill, type in ((1, "ones_coo"), (0, "coo_float32")):
    call = kernels.sum_ones if fill else lambda y, A: kernels.multiply_coo_float32(y, A, np.ones(5, "f4"))
    checks[f"fill value {fill}"] = np.array_equal(call(np.zeros(5, "f4"), Filled(A, fill)), A.toarray().sum(1))
    checks[f"fill value not {fill}"] = refused(f"argument 1 has the fill value {1.0 - fill}, but the type {type} has {fill}.0",
                                               lambda: call(np.zeros(5, "f4"), Filled(A, 1 - fill)))
A = matrix("csr", "float32", 32, (5, 5))
x = np.ma.array(np.ones(5, "f4"), mask=[0, 1, 0, 0, 0])
checks["mask"] = refused("argument 2 has values with a mask", lambda: kernels.multiply_csr_float32(np.zeros(5, "f4"), A, x))
spare = A.copy()  # with elements behind the last entry
spare.indices, spare.data = np.append(spare.indices, [7, 7]).astype(spare.indices.dtype), np.append(spare.data, [7, 7]).astype("f4")
checks["spare elements"] = np.array_equal(kernels.multiply_csr_float32(np.zeros(5, "f4"), spare, np.ones(5, "f4")), A @ np.ones(5, "f4"))
# two threads whose calls fail: in one, the arrays of argument 1, in the other, the sizes
good = matrix("csr", "float32", 32, (5, 5))
damaged = good.copy()
damaged.indices[0] = 100
texts = [set(), set()]


def fail(texts, A, x):
    for _ in range(3000):
        try:
            kernels.multiply_csr_float32(np.zeros(5, "f4"), A, x)
        except kernels.Error as error:
            texts.add("argument 1" in str(error))


threads = [threading.Thread(target=fail, args=a) for a in zip(texts, (damaged, good), (np.ones(5, "f4"), np.ones(4, "f4")))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
checks["threads"] = texts == [{True}, {False}]
# a result is still there when the interpreter exits: weakref runs its own function at exit before this one
left = kernels.add_csr_float32(None, good, good)
wanted = left.data.copy()
atexit.unregister(weakref.finalize._exitfunc)
atexit.register(lambda: np.array_equal(left.data, wanted) or os._exit(1))
atexit.register(weakref.finalize._exitfunc)

wrong = [name for name, right in checks.items() if not right]
print(f"test_python: {len(checks) - len(wrong)} of {len(checks)} right" + "".join(f"; not: {name}" for name in wrong[:9]))
sys.exit(bool(wrong))
