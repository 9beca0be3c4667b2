"""scipy_kernels.py: SciPy's matrices multiplied, sampled, squared and added by kernels, where they are.

    make python F=examples/company/kernels.c && python3 examples/company/scipy_kernels.py build/python/kernels.so
"""
import gc
import sys

import numpy as np
import scipy.sparse as sp

from kit import Error, Kit


def same(a, b):
    return np.allclose(a.toarray() if sp.issparse(a) else a, b.toarray() if sp.issparse(b) else b, 1e-13, 1e-13)


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
product = A @ B  # SciPy leaves its columns in no order
checks["rows in any order"] = same(kernels.spmv_rows(np.zeros(60), product, np.ones(60)), product @ np.ones(60))

C = kernels.spgemm(None, A, B)  # a result made by the kernel
checks["product"] = same(C, A @ B) and C.has_sorted_indices
checks["its arrays"] = not (C.data.flags.owndata or C.indices.flags.owndata or C.indptr.flags.owndata)
D = kernels.add3(None, A, A, A)
D.data[0] = 7  # what Python writes, a kernel reads
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


def refused(text, call):
    try:
        call()
    except Error as error:
        return text in str(error)
    return False


checks["sizes"] = refused("sizes of the operands do not agree", lambda: kernels.spmv(np.zeros(60), A, np.ones(39)))
checks["a type"] = refused("wrong length", lambda: kernels.spmv(np.zeros(60), A, x.astype(np.float32)))
checks["a stride"] = refused("contiguous", lambda: kernels.spmv(np.zeros(60), A, np.ones(80)[::2]))
damaged = A.copy()
damaged.indices[3] = -1
checks["a column"] = refused("outside its dimension", lambda: kernels.spmv(np.zeros(60), damaged, x))

wrong = [name for name, right in checks.items() if not right]
print(f"scipy: {len(checks) - len(wrong)} of {len(checks)} right" + "".join(f"; not: {name}" for name in wrong))
sys.exit(bool(wrong))
