"""Shows tensors of the sparse kit in gdb: sizes, the arrays of the levels that have them, and the values.

    (gdb) source /usr/local/share/sparse-kit/gdb/sparse_gdb.py
    (gdb) print A
    $1 = csr, 2 x 3, 3 values = {pos[1] = {0, 2, 3}, crd[1] = {0, 2, 1}, values = {1, 2.5, -3}}

`print/r A` shows the members of the struct. gdb shows the first 200 elements of an array (`set print elements`).
"""
import struct

import gdb

KINDS = {
    "SPARSE_I8": "b", "SPARSE_U8": "B", "SPARSE_F16": "e", "SPARSE_BF16": "bf16",
    "SPARSE_I16": "short", "SPARSE_I32": "int", "SPARSE_I64": "long long",
    "SPARSE_U16": "unsigned short", "SPARSE_U32": "unsigned int", "SPARSE_U64": "unsigned long long",
    "SPARSE_F32": "float", "SPARSE_F64": "double", "SPARSE_C64": "sparse_complex64", "SPARSE_C128": "sparse_complex128",
}
INTEGERS = {8: "B", 16: "unsigned short", 32: "unsigned int", 64: "unsigned long long"}
SHOWN = 200


def enumerator(value):
    """The name of an enumerator, without the scope that C++ puts before it."""
    return str(value).rsplit("::", 1)[-1]


def numbers(at, length, how):
    """An array as a value of gdb; as a text, where gdb would take its elements for characters, or does not know them."""
    if length == 0:
        return "{}"
    if int(at) == 0:
        return "no array, of %d" % length
    if " " in how or how in ("short", "int", "float", "double") or how.startswith("sparse_"):
        return at.cast(gdb.lookup_type(how).array(length - 1).pointer()).dereference()
    size = 2 if how in ("e", "bf16") else 1
    shown = min(length, SHOWN)
    data = gdb.selected_inferior().read_memory(int(at), shown * size).tobytes()
    if how == "bf16":
        found = [struct.unpack("=f", struct.pack("=I", n << 16))[0] for n in struct.unpack("=%dH" % shown, data)]
    else:
        found = struct.unpack("=%d%s" % (shown, how), data)
    return "{%s%s}" % (", ".join("%g" % n for n in found), "..." if shown < length else "")


class Tensor:
    """Prints a sparse_tensor, or a type of SPARSE_TENSOR, which has one as its member t."""

    def __init__(self, value):
        self.name = value.type.strip_typedefs().tag
        self.tensor = value["t"] if self.name != "sparse_tensor" else value

    def encoding(self):
        at = self.tensor["encoding"]
        return at.dereference() if int(at) else None

    def to_string(self):
        try:
            e = self.encoding()
            if e is None:
                return "%s without an encoding" % self.name
            name = e["name"].string() if int(e["name"]) else self.name
            sizes = " x ".join(str(int(self.tensor["dim"][d])) for d in range(int(e["rank"])))
            return "%s, %s, %d values" % (name, sizes, int(self.tensor["val"]["length"]))
        except gdb.MemoryError:
            return "%s that is not initialised" % self.name

    def children(self):
        try:
            e = self.encoding()
            if e is not None:
                yield from self.arrays(e)
        except gdb.MemoryError:
            pass

    def arrays(self, e):
        native = 8 * gdb.lookup_type("unsigned long").sizeof
        for what, bits in (("pos", int(e["pos_bits"]) or native), ("crd", int(e["crd_bits"]) or native)):
            for level in range(min(int(e["levels"]), 16)):
                buffer = self.tensor[what][level]
                if int(buffer["at"]) or int(buffer["length"]):
                    yield "%s[%d]" % (what, level), numbers(buffer["at"], int(buffer["length"]), INTEGERS[bits])
        yield "values", self.values(e)

    def values(self, e):
        length, kind = int(self.tensor["val"]["length"]), enumerator(e["kind"])
        if kind not in KINDS:
            return "%d of %d bytes" % (length, int(e["value_size"]))
        if int(e["constant"]):
            return "all %s" % numbers(e["constant"], 1, KINDS[kind])
        return numbers(self.tensor["val"]["at"], length, KINDS[kind])


def find(value):
    kind = value.type.strip_typedefs()
    if kind.code != gdb.TYPE_CODE_STRUCT:
        return None
    if kind.tag == "sparse_tensor":
        return Tensor(value)
    fields = kind.fields()
    if len(fields) == 1 and fields[0].name == "t" and fields[0].type.strip_typedefs().tag == "sparse_tensor":
        return Tensor(value)
    return None


find.__name__ = "sparse"
gdb.pretty_printers[:] = [p for p in gdb.pretty_printers if getattr(p, "__name__", "") != "sparse"] + [find]
