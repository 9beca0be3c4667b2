"""scipy_kernels.py: kernels multiply, sample, square and add matrices of SciPy, in place.

    make python F=examples/company/kernels.c && python3 examples/company/scipy_kernels.py build/python/libkernels.so
"""
import gc
import sys

import numpy as np
import scipy.sparse as sp

from kit import Error, Kit, Stored


def same(a, b):
    return np.allclose(a.toarray() if sp.issparse(a) else a, b.toarray() if sp.issparse(b) else b, 1e-13, 1e-13)


def refused(text, call):
    """Does the call raise an Error with this text?"""
    try:
        call()
    except Error as error:
        if text in str(error):
            return True
        print(f'"{error}" in place of "{text}"')
    return False


kernels = Kit(sys.argv[1])
random = np.random.default_rng(7)
A = sp.random(60, 40, 0.1, "csr", random_state=random)
B = sp.random(40, 60, 0.1, "csr", random_state=random)
A2, A3 = (sp.random(60, 40, 0.1, "csr", random_state=random) for _ in range(2))
x, X = random.random(40), random.random((40, 5))
for M in A, B, A2, A3:
    M.sort_indices()
checks = {}

checks["csr"] = same(kernels.spmv(np.zeros(60), A, x), A @ x)
checks["csc"] = same(kernels.spmv_csc(np.zeros(60), A.tocsc(), x), A @ x)
blocks = A.tobsr((2, 2))
blocks.sort_indices()
checks["bsr"] = same(kernels.spmv_bsr(np.zeros(60), blocks, x), A @ x)
checks["many vectors"] = same(kernels.spmm(np.zeros((60, 5)), A, X), A @ X)
y = np.ones(60)
checks["in place"] = kernels.spmv(y, A, x) is y and same(y, 1 + A @ x)
shuffled = A.tocoo()
order = random.permutation(A.nnz)
shuffled = sp.coo_matrix((shuffled.data[order], (shuffled.row[order], shuffled.col[order])), A.shape)
checks["coo in any order"] = same(kernels.spmv_coo(np.zeros(60), shuffled, x), A @ x)
product = A @ B  # SciPy does not sort its columns
checks["rows in any order"] = same(kernels.spmv_rows(np.zeros(60), product, np.ones(60)), product @ np.ones(60))

C = kernels.spgemm(None, A, B)  # a result that the kernel assembles
checks["product"] = same(C, A @ B) and C.has_sorted_indices
checks["its arrays"] = not (C.data.flags.owndata or C.indices.flags.owndata or C.indptr.flags.owndata)
D = kernels.add3(None, A, A, A)
D.data[0] = 7  # a kernel sees changes made in Python
checks["written"] = same(kernels.spmv(np.zeros(60), D, x), D @ x)
total, kept = C.sum(), C.data
del C
gc.collect()
checks["its memory"] = np.isclose(kept.sum(), total)
checks["sum of three"] = same(kernels.add3(None, A, A2, A3), A + A2 + A3)
S, P = A.copy(), random.random((60, 5))
S.data[:] = 0
kernels.sddmm(S, P, np.ascontiguousarray(X))
checks["sampled product"] = same(S, A.astype(bool).multiply(P @ X.T))


# every format of SciPy, passed to a kernel of every format: only its own is accepted, the error names the others
zeros, formats = np.zeros(60), {"spmv": "csr", "spmv_csc": "csc", "spmv_bsr": "bsr", "spmv_coo": "coo"}
for kernel, format in formats.items():
    for other in ("csr", "csc", "bsr", "coo", "dia", "lil", "dok"):
        M = A.tobsr((2, 2)) if other == "bsr" else A.asformat(other)
        if M.format in ("csr", "csc", "bsr"):
            M.sort_indices()
        if other == format:
            checks[f"{kernel} of {other}"] = same(getattr(kernels, kernel)(np.zeros(60), M, x), A @ x)
        else:
            checks[f"{kernel} of {other}"] = refused(
                f"{kernel}: argument 1 is a {other}_matrix, but the type {format} is a {format}_matrix: use .to{format}()",
                lambda: getattr(kernels, kernel)(zeros, M, x))
# every other value type and index type
for code in ("i1", "i8", "u8", "f2", "f4", "c16", "?", ">f8"):
    name = str(np.dtype(code))
    checks[f"x of {name}"] = refused(f"argument 2 has values of {name}", lambda: kernels.spmv(zeros, A, x.astype(code)))
    checks[f"A of {name}"] = refused(f"argument 1 has values of {name}", lambda: kernels.spmv(
        zeros, Stored(A.shape, A.indptr, A.indices, A.data.astype(code)), x))
    checks[f"y of {name}"] = refused(f"argument 0 has values of {name}", lambda: kernels.spmv(zeros.astype(code), A, x))
wide = A.copy()
wide.indices = wide.indices.astype(np.int64)
checks["wide indices"] = refused("coordinates of level 1 of int64", lambda: kernels.spmv(zeros, wide, x))
checks["unsigned indices"] = same(kernels.spmv(np.zeros(60), Stored(
    A.shape, A.indptr.view(np.uint32), A.indices.view(np.uint32), A.data), x), A @ x)
# shapes, strides, read-only memory
checks["sizes"] = refused("spmv: ", lambda: kernels.spmv(zeros, A, np.ones(39)))
checks["rank"] = refused("argument 2 has 2 dimensions, but the type vec has 1", lambda: kernels.spmv(zeros, A, np.ones((40, 1))))
checks["a stride"] = refused("argument 2 has values that are not contiguous", lambda: kernels.spmv(zeros, A, np.ones(80)[::2]))
checks["by columns"] = refused("argument 2 has values that are not", lambda: kernels.spmm(np.zeros((60, 5)), A, np.asfortranarray(X)))
fixed = np.zeros(60)
fixed.flags.writeable = False
checks["read only y"] = refused("argument 0 has values that may not be written", lambda: kernels.spmv(fixed, A, x)) and not fixed.any()
fixed = x.copy()
fixed.flags.writeable = False
checks["read only x"] = same(kernels.spmv(np.zeros(60), A, fixed), A @ x)
# arguments that are no arrays, too few arguments, an unknown kernel
checks["a list"] = refused("argument 2 is a list", lambda: kernels.spmv(zeros, A, list(x)))
checks["None"] = refused("argument 1 is None", lambda: kernels.spmv(zeros, None, x))
checks["arguments"] = refused("spmv takes 3 arguments, not 2", lambda: kernels.spmv(zeros, A))
checks["no kernel"] = not hasattr(kernels, "spmw")
damaged = A.copy()
damaged.indices[3] = -1
checks["a column"] = refused("argument 1: csr: crd[1], element 3: a coordinate lies outside its dimension",
                             lambda: kernels.spmv(zeros, damaged, x))


class Coordinates:
    """COO of PyData/Sparse: coords with one row for each dimension, and data."""

    def __init__(self, m):
        self.coords, self.data, self.shape, self.ndim = np.array([m.row, m.col]), m.data, m.shape, 2


checks["PyData/Sparse"] = same(kernels.spmv_coo(np.zeros(60), Coordinates(shuffled), x), A @ x)


try:
    import sparse
except ImportError:
    sparse = None
if sparse:
    S = sparse.COO(np.array([A.tocoo().row, A.tocoo().col], np.int32), A.data, A.shape)
    checks["COO of PyData/Sparse"] = same(kernels.spmv_coo(np.zeros(60), S, x), A @ x)
    checks["COO given to CSR"] = refused("argument 1 is a COO, but the type csr is a csr_matrix: use .tocsr()",
                                         lambda: kernels.spmv(zeros, S, x))
    for axis, kernel in enumerate((kernels.spmv, kernels.spmv_csc)):
        G = sparse.GCXS.from_scipy_sparse(A if axis == 0 else A.tocsc())
        G.indptr, G.indices = G.indptr.astype(np.int32), G.indices.astype(np.int32)
        checks[f"GCXS by axis {axis}"] = G.compressed_axes == (axis,) and same(kernel(np.zeros(60), G, x), A @ x)


class Lends:
    """An array of another library, which shares its memory by DLPack."""

    def __init__(self, a):
        self.a = a

    def __dlpack__(self, **how):
        return self.a.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.a.__dlpack_device__()


if hasattr(np, "from_dlpack"):
    checks["DLPack"] = same(kernels.spmv(np.zeros(60), A, Lends(x)), A @ x)


class Elsewhere(Lends):
    """An array on another device."""

    def __dlpack__(self, **how):
        raise BufferError("not in the memory of the processor")


if hasattr(np, "from_dlpack"):
    checks["another device"] = refused("argument 2 is a Elsewhere that does not lend its memory: not in",
                                       lambda: kernels.spmv(zeros, A, Elsewhere(x)))
made = kernels.spgemm(None, A, B)
checks["result"] = made.format == "csr" and made.dtype == np.float64 and made.indices.dtype == np.int32

wrong = [name for name, right in checks.items() if not right]
print(f"scipy: {len(checks) - len(wrong)} of {len(checks)} right" + "".join(f"; not: {name}" for name in wrong))
sys.exit(bool(wrong))
