"""kit.py: calls kernels that `make python F=kernels.c` built, on NumPy arrays and SciPy matrices, without a copy.

    kernels = Kit("build/python/libkernels.so")
    kernels.spmv(y, A, x)                # y += A x, where y and x are arrays and A is a csr_matrix
    C = kernels.spgemm(None, A, B)       # a result that the kernel assembles

A kernel takes what the types of its C file store: arrays of NumPy, or of anything that has __dlpack__, for dense types;
matrices of SciPy in CSR, CSC, BSR or COO; COO and GCXS arrays of PyData/Sparse; and Stored(shape, arrays...) for any other type,
the arrays in the order of storage. Each argument is checked: its class and format, the types of its elements, its rank,
that it lies in memory without gaps, and, for the output, that it may be written. What does not fit raises Error, which
names the argument and says what to do. Nothing is copied or converted.

Results are arrays, SciPy matrices or Stored; they are views of the kernel's memory, which is freed with the last view.
"""
import ctypes
import weakref

import numpy as np
import scipy.sparse as sp

MAX_RANK, MAX_ARRAYS = 8, 17
# the order of sparse_kind; NumPy has no type for the last two, which are structs of the program, or bool
KINDS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16", "f2", None, None]
OPAQUE = 14
# the order of sparse_level_type
DENSE, BATCH, COMPRESSED, LOOSE_COMPRESSED, SINGLETON, STRUCTURED, BITMAP, BITMASK, DELTA, PACKED = range(10)
NONUNIQUE, NONORDERED, SOA = 1, 2, 4
WHOLE, FLOORDIV, MOD = 0, 1, 2


class Error(ValueError, TypeError):
    """Raised for an argument that a kernel refuses, or for a call that failed."""


class Stored:
    """A tensor as its arrays: positions and coordinates of each level that has them, then values."""

    def __init__(self, shape, *arrays):
        self.shape, self.arrays, self.ndim = tuple(shape), list(arrays), len(shape)


class Array(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("length", ctypes.c_size_t), ("size", ctypes.c_size_t), ("kind", ctypes.c_int)]


class Tensor(ctypes.Structure):
    _fields_ = [("rank", ctypes.c_size_t), ("dim", ctypes.c_size_t * MAX_RANK), ("arrays", ctypes.c_size_t),
                ("array", Array * MAX_ARRAYS), ("made", ctypes.c_void_p)]


class Takes:
    """The type of a kernel's argument: its encoding, as python_describe writes it."""

    def __init__(self, text):
        head, *levels = text.split(", ")
        self.name, *numbers = head.split()
        kind, value_size, self.pos_bits, self.crd_bits, self.rank = map(int, numbers[:5])
        self.levels = [tuple(map(int, level.split())) for level in levels]
        code = KINDS[kind] or ("?" if kind == OPAQUE and value_size == 1 else f"V{value_size}")
        self.kind, self.dtype = kind, np.dtype(code)
        self.fill = np.zeros(1, self.dtype)[0] if numbers[5] == "-" else np.frombuffer(bytes.fromhex(numbers[5]), self.dtype)[0]
        self.layout = self.find_layout()

    def find_layout(self):
        """The name of the NumPy or SciPy format with the same arrays, or "stored"."""
        types = [level[0] for level in self.levels]
        dims = [level[3] for level in self.levels]
        maps = [level[2] for level in self.levels]
        whole, ascending = not any(maps), list(range(self.rank))
        if whole and all(t == DENSE for t in types) and dims in (ascending, ascending[::-1]):
            return "dense" if dims == ascending else "column-major"
        if whole and types == [DENSE, COMPRESSED]:
            return "csr" if dims == [0, 1] else "csc"
        if maps == [FLOORDIV, FLOORDIV, MOD, MOD] and types == [DENSE, COMPRESSED, DENSE, DENSE] and dims == [0, 1, 0, 1]:
            return "bsr"
        lists = types[0] == COMPRESSED and all(t == SINGLETON for t in types[1:]) and self.rank > 1
        if whole and lists and dims == ascending and all(level[1] & SOA for level in self.levels[1:]):
            return "coo"
        return "stored"


def arrays_of(t, takes):
    """The arrays of t in the order in which `takes` stores them; raises Error if t is of another class or format."""
    wanted = {"dense": "an array of NumPy", "column-major": "an array of NumPy by columns", "stored": "a Stored"}
    name = wanted.get(takes.layout, f"a {takes.layout}_matrix")
    if isinstance(t, Stored):
        return t.arrays
    if takes.layout in ("dense", "column-major"):
        if isinstance(t, np.ndarray):
            return [t]
        if hasattr(t, "__dlpack__") and not sp.issparse(t):
            return [lent(t)]
    elif takes.layout == "coo" and hasattr(t, "coords") and hasattr(t, "data") and not sp.issparse(t):
        check_fill(t, takes)
        return coo_arrays(takes, t.coords, t.data)  # PyData/Sparse
    elif takes.layout in ("csr", "csc") and getattr(t, "compressed_axes", None) == (0 if takes.layout == "csr" else 1,):
        check_fill(t, takes)
        return [t.indptr, t.indices, t.data]  # GCXS of PyData/Sparse
    elif sp.issparse(t) and t.format == takes.layout:
        if t.format == "coo":
            return coo_arrays(takes, (t.row, t.col), t.data)
        if t.format == "bsr" and t.blocksize != (takes.levels[2][4], takes.levels[3][4]):
            raise Error(f"has blocks of {t.blocksize}, but the type {takes.name} has {takes.levels[2][4], takes.levels[3][4]}")
        entries = t.indptr[-1]  # SciPy allows spare elements behind them
        return [t.indptr, t.indices[:entries], t.data[:entries]]
    how = f": use .to{takes.layout}()" if hasattr(t, "to" + takes.layout) else ""
    what = f"{t.format}_matrix" if sp.issparse(t) else type(t).__name__
    raise Error(f"is a {what}, but the type {takes.name} is {name}{how}")


def lent(t):
    """The array of another library, by DLPack; raises Error if it is not in main memory."""
    try:
        return np.from_dlpack(t)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise Error(f"is a {type(t).__name__} that does not lend its memory: {error}") from None


def check_fill(t, takes):
    """Raises Error if t, an array of PyData/Sparse, has another fill value than the type."""
    fill = getattr(t, "fill_value", takes.fill)
    if fill != takes.fill and (fill == fill or takes.fill == takes.fill):  # NaN equals NaN here
        raise Error(f"has the fill value {fill}, but the type {takes.name} has {takes.fill}")


def coo_arrays(takes, coordinates, data):
    if len(data) >> takes.pos_bits:
        raise Error(f"has {len(data)} entries, but the type {takes.name} counts them with {takes.pos_bits} bits")
    return [np.array([0, len(data)], f"u{takes.pos_bits // 8}"), *coordinates, data]


def array_names(takes):
    """(name, bits) for each array of a tensor, in order; 0 bits for the values."""
    names = []
    for l, (kind, properties, *_) in enumerate(takes.levels):
        if kind in (COMPRESSED, LOOSE_COMPRESSED, BITMASK, DELTA):
            names.append((f"positions of level {l}", takes.pos_bits))
        if kind not in (DENSE, BATCH, SINGLETON) or (kind == SINGLETON and properties & SOA):
            names.append((f"coordinates of level {l}", takes.crd_bits))
    return names + [("values", 0)]


def check_array(a, what, bits, takes, written):
    """Raises Error unless a can be passed as the array `what` of a type."""
    if not isinstance(a, np.ndarray):
        raise Error(f"has {what} that are no array of NumPy, but a {type(a).__name__}")
    if isinstance(a, np.ma.MaskedArray):
        raise Error(f"has {what} with a mask, which the kernel would ignore: use .filled(0)")
    if bits and (a.dtype.kind not in "iu" or a.dtype.itemsize * 8 != bits or not a.dtype.isnative):
        raise Error(f"has {what} of {a.dtype}, but the type {takes.name} stores {bits} bits: "
                    f"use .astype(np.int{bits}), or build the kernel for {a.dtype.itemsize * 8} bits")
    if not bits and a.dtype != takes.dtype:
        raise Error(f"has {what} of {a.dtype}, but the type {takes.name} stores {takes.dtype}: "
                    f"use .astype(np.{takes.dtype}), or build the kernel for {a.dtype}")
    in_order = a.flags.f_contiguous if takes.layout == "column-major" else a.flags.c_contiguous
    if not in_order:
        raise Error(f"has {what} that are not contiguous: use np.ascontiguousarray"
                    if takes.layout != "column-major" else f"has {what} that are not contiguous by columns: use np.asfortranarray")
    if written and not bits and not a.flags.writeable:
        raise Error(f"has {what} that may not be written: the output of a kernel has to be writeable")


def describe(t, takes, written):
    """A Tensor for t, and the objects that must stay alive with it."""
    d, keep = Tensor(), []
    if t is None:
        if not written:
            raise Error("is None: only an output that the kernel makes may be")
        return d, keep
    arrays = arrays_of(t, takes)
    shape = t.shape if hasattr(t, "shape") else arrays[0].shape
    if len(shape) != takes.rank:
        raise Error(f"has {len(shape)} dimensions, but the type {takes.name} has {takes.rank}")
    names = array_names(takes)
    if len(arrays) != len(names):
        raise Error(f"has {len(arrays)} arrays, but the type {takes.name} has {len(names)}: " + ", ".join(n for n, _ in names))
    d.rank, d.dim[:takes.rank], d.arrays = takes.rank, shape, len(arrays)
    for k, (a, (what, bits)) in enumerate(zip(arrays, names)):
        check_array(a, what, bits, takes, written)
        keep.append(a)
        kind = KINDS.index(f"{a.dtype.kind}{a.dtype.itemsize}") if bits else takes.kind
        d.array[k] = Array(a.ctypes.data, a.size, a.itemsize, kind)
    return d, keep


class Kit:
    """The kernels of a shared library, as methods."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.python_free.argtypes = [ctypes.c_void_p]
        self.library.python_message.restype = ctypes.c_char_p
        self.library.python_describe.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]

    def takes(self, name):
        """The types of the kernel's arguments, one Takes for each."""
        encoding_of = getattr(self.library, name + "_encoding_of")
        encoding_of.restype = ctypes.c_void_p
        found, text = [], ctypes.create_string_buffer(1024)
        while self.library.python_describe(encoding_of(len(found)), text, 1024):
            found.append(Takes(text.value.decode()))
        return found

    def view(self, d, k, kind):
        """Array k of an assembled output; freed with the last view."""
        size = d.array[k].length * d.array[k].size
        buffer = (ctypes.c_char * max(size, 1)).from_address(d.array[k].at) if size else (ctypes.c_char * 1)()
        return np.frombuffer(buffer, kind, d.array[k].length), buffer

    def made(self, d, takes):
        """The assembled output: an array, a matrix of SciPy, or a Stored."""
        # SciPy stores signed indices of 32 or 64 bits; narrower ones are unsigned in the kit and may need all of their bits
        kinds = [f"{'i' if bits >= 32 else 'u'}{bits // 8}" if bits else takes.dtype for _, bits in array_names(takes)]
        views = [self.view(d, k, kinds[k]) for k in range(d.arrays)]
        arrays, shape = [v for v, _ in views], tuple(d.dim[:d.rank])
        count = [len(views)]

        def gone(made=d.made):
            count[0] -= 1
            if count[0] == 0:
                self.library.python_free(made)

        for _, buffer in views:
            weakref.finalize(buffer, gone).atexit = False  # other functions that run at exit may still use the result
        if takes.layout in ("dense", "column-major"):
            result = arrays[0].reshape(shape, order="C" if takes.layout == "dense" else "F")
        elif takes.layout == "coo" and d.rank == 2:
            result = sp.coo_matrix((arrays[3], (arrays[1], arrays[2])), shape=shape, copy=False)
        elif takes.layout in ("csr", "csc"):
            make = sp.csr_matrix if takes.layout == "csr" else sp.csc_matrix
            result = make((arrays[2], arrays[1], arrays[0]), shape=shape, copy=False)
        elif takes.layout == "bsr":
            blocks = arrays[2].reshape(-1, takes.levels[2][4], takes.levels[3][4])
            result = sp.bsr_matrix((blocks, arrays[1], arrays[0]), shape=shape, copy=False)
        else:
            result = Stored(shape, *arrays)
        return result

    def __getattr__(self, name):
        if name.startswith("_") or not hasattr(self.library, name + "_python"):
            raise AttributeError(f"the library has no kernel {name}")
        function, takes = getattr(self.library, name + "_python"), self.takes(name)

        def call(*operands):
            if len(operands) != len(takes):
                raise Error(f"{name} takes {len(takes)} arguments, not {len(operands)}")
            described = []
            for k, t in enumerate(operands):
                try:
                    described.append(describe(t, takes[k], k == 0))
                except Error as error:
                    raise Error(f"{name}: argument {k} {error}") from None
            tensors = (Tensor * len(operands))(*(d for d, _ in described))
            result = function(tensors)
            if result:
                raise Error(f"{name}: {self.library.python_message(result).decode()}")
            return self.made(tensors[0], takes[0]) if operands[0] is None else operands[0]

        call.__name__ = name
        return call
