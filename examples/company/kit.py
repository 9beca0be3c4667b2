"""kit.py: calls kernels that `make python F=kernels.c` built, on NumPy arrays and SciPy matrices, without a copy.

    kernels = Kit("build/python/kernels.so")
    kernels.spmv(y, A, x)                # y += A x, where y and x are arrays and A is a csr_matrix
    C = kernels.spgemm(None, A, B)       # a result that the kernel assembles

The arrays have to have the types that the C file names: float64 for double, int32 for widths of 32 bits. A scipy
csr_matrix whose columns are in order is what SPARSE_CSR says (sort_indices() makes it so). Results are views of the
kernel's memory, which is freed with the last of them.
"""
import ctypes
import weakref

import numpy as np
import scipy.sparse as sp

MAX_RANK, MAX_ARRAYS = 8, 17


class Array(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("length", ctypes.c_size_t), ("size", ctypes.c_size_t)]


class Tensor(ctypes.Structure):
    _fields_ = [("rank", ctypes.c_size_t), ("dim", ctypes.c_size_t * MAX_RANK), ("arrays", ctypes.c_size_t),
                ("array", Array * MAX_ARRAYS), ("made", ctypes.c_void_p)]


class Error(Exception):
    pass


def arrays_of(t):
    """The arrays of t in the order in which its storage has them."""
    if isinstance(t, np.ndarray):
        return [t]
    if sp.isspmatrix_coo(t):
        return [np.array([0, t.nnz], t.row.dtype), t.row, t.col, t.data]
    return [t.indptr, t.indices, t.data]  # csr, csc, bsr


def describe(t):
    """A Tensor for t, and what has to stay alive as long."""
    d, keep = Tensor(), []
    if t is None:
        return d, keep
    d.rank, d.dim[:t.ndim] = t.ndim, t.shape
    for k, a in enumerate(arrays_of(t)):
        if not a.flags.c_contiguous:
            raise Error("an array that is not contiguous would have to be copied")
        keep.append(a)
        d.array[k] = Array(a.ctypes.data, a.size, a.itemsize)
        d.arrays = k + 1
    return d, keep


class Kit:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.python_free.argtypes = [ctypes.c_void_p]
        self.library.python_message.restype = ctypes.c_char_p

    def view(self, d, k, kind):
        """Array k of what the kernel made, freed when the last view is gone."""
        size = d.array[k].length * d.array[k].size
        buffer = (ctypes.c_char * max(size, 1)).from_address(d.array[k].at) if size else (ctypes.c_char * 1)()
        return np.frombuffer(buffer, kind, d.array[k].length), buffer

    def made(self, d, types):
        """What the kernel assembled: an array, or a csr_matrix."""
        if d.arrays == 1:
            value, buffer = self.view(d, 0, types[-1])
            views, result = [buffer], value.reshape(d.dim[:d.rank])
        else:
            pos, crd, val = (self.view(d, k, types[k]) for k in range(3))
            views = [pos[1], crd[1], val[1]]
            result = sp.csr_matrix((val[0], crd[0], pos[0]), shape=d.dim[:2], copy=False)
        count = [len(views)]

        def gone(made=d.made):
            count[0] -= 1
            if count[0] == 0:
                self.library.python_free(made)

        for v in views:
            weakref.finalize(v, gone)
        return result

    def __getattr__(self, name):
        function = getattr(self.library, name + "_python")

        def call(*operands, types=(np.int32, np.int32, np.float64)):
            described = [describe(t) for t in operands]
            tensors = (Tensor * len(operands))(*(d for d, _ in described))
            result = function(tensors)
            if result:
                raise Error(self.library.python_message(result).decode())
            return self.made(tensors[0], types) if operands[0] is None else operands[0]

        return call
