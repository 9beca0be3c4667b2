#!/usr/bin/env python3
"""cliffs.py FILE [SHAPE]: runs in scipy those statements of cliffs.c that scipy has, on the same shapes of matrices. FILE is the
output of build/gcc/cliffs. Prints where the kit takes more than twice as long as scipy. Needs numpy and scipy (on Debian:
python3-scipy). SHAPE restricts the run to shapes whose names begin with it."""
import sys
import time

try:
    import numpy as np
    import scipy.sparse as sp
except ImportError:
    sys.exit("cliffs.py: needs numpy and scipy (on Debian: apt-get install python3-scipy)")

COLUMNS = 8
# name, rows, columns and entries in thousands, as in cliffs.c
SHAPES = [("uniform", 100, 100, 1000), ("band", 100, 100, 1000), ("power law", 100, 100, 1000),
          ("one full row", 200, 200, 600), ("one full column", 200, 200, 600), ("hypersparse", 2000, 2000, 100),
          ("empty rows", 1000, 1000, 1000), ("blocks", 100, 100, 1000), ("tiny", 0, 0, 0), ("tall", 1000, 1, 2000),
          ("wide", 1, 1000, 2000), ("duplicates", 50, 50, 2000)]


def places(name, rows, columns, count, random):
    """The coordinates of the entries of a shape, as cliffs.c places them."""
    n = np.arange(count)
    i, j = random.integers(0, rows, count), random.integers(0, columns, count)
    if name == "band":
        j = (i + random.integers(0, 10, count)) % columns
    elif name == "power law":
        i = (rows * random.random((4, count)).prod(axis=0)).astype(np.int64)
    elif name == "one full row":
        i, j = np.where(n % 3 == 0, rows // 2, i), np.where(n % 3 == 0, n // 3 % columns, j)
    elif name == "one full column":
        j, i = np.where(n % 3 == 0, columns // 2, j), np.where(n % 3 == 0, n // 3 % rows, i)
    elif name == "empty rows":
        i = i // 20 * 20
    elif name == "blocks":
        j = ((i // 4 * 7919 + random.integers(0, 3, count) * 4001) * 4 + j % 4) % columns
    elif name == "duplicates":
        j = (i + random.integers(0, 12, count)) % columns
    return i, j


def statements(A, B, i, j, value):
    """The statements of cliffs.c in scipy."""
    csc, coo, x, y = A.tocsc(), A.tocoo(), np.ones(A.shape[1]), np.ones(A.shape[0])
    X, Y = np.ones((A.shape[1], COLUMNS)), np.ones((A.shape[0], COLUMNS))
    like = A.copy()

    def scale_rows():
        like.data = A.data * np.repeat(y, np.diff(A.indptr))

    return {
        "spmv_csr": lambda: A @ x, "spmv_csc": lambda: csc @ x, "spmv_coo": lambda: coo @ x,
        "transposed": lambda: A.T @ y, "coo_transposed": lambda: coo.T @ y,
        "spmm": lambda: A @ X, "spmm_csc": lambda: csc @ X, "spmm_coo": lambda: coo @ X,
        "spmm_transposed": lambda: A.T @ Y,
        "row_sums": lambda: A.sum(axis=1), "column_sums": lambda: A.sum(axis=0),
        "csc_row_sums": lambda: csc.sum(axis=1), "csc_column_sums": lambda: csc.sum(axis=0),
        "total": lambda: A.data @ A.data, "row_scaled": scale_rows, "copied": A.copy,
        "sum": lambda: A + B, "difference": lambda: A - B, "times": lambda: A.multiply(B),
        "inner": lambda: A.multiply(A).sum(), "largest": lambda: A.max(axis=1), "smallest": lambda: A.min(axis=1),
        "to_csc": A.tocsc, "to_coo": A.tocoo, "to_bsr": lambda: A.tobsr((4, 4)), "from_csc": csc.tocsr,
        "from_coo": coo.tocsr, "coo_to_csc": coo.tocsc, "csc_to_coo": csc.tocoo,
        "packed": lambda: sp.coo_matrix((value, (i, j)), A.shape).tocsr(),
    }


def least(call, runs=3):
    took = []
    for _ in range(runs):
        begin = time.thread_time()
        call()
        took.append(time.thread_time() - begin)
    return min(took)


def read_kit(path):
    """Returns took[statement][number of the shape], in nanoseconds per operation."""
    took = {}
    for line in open(path, encoding="ascii"):
        words = line.split()
        if len(words) == 1 + len(SHAPES) and words[1][0].isdigit():
            took[words[0]] = [float(word) for word in words[1:]]
    return took


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    kit, slower, compared = read_kit(sys.argv[1]), 0, 0
    for number, (name, rows, columns, count) in enumerate(SHAPES):
        if not name.startswith(" ".join(sys.argv[2:])):
            continue
        random = np.random.default_rng(1)
        shape = [1000 * size if size else 16 for size in (rows, columns)]
        count = 1000 * count if count else 64
        i, j = places(name, *shape, count, random)
        value = random.random(count)
        A = sp.coo_matrix((value, (i, j)), shape).tocsr()
        shifted = np.where(np.arange(count) % 2 == 0, (j + 1) % shape[1], j)
        B = sp.coo_matrix((value, (i, shifted)), shape).tocsr()
        for statement, call in statements(A, B, i, j, value).items():
            if statement not in kit or kit[statement][number] == 0:
                continue
            entries = count if statement == "packed" else A.nnz
            theirs = least(call) * 1e9 / (entries + 0.1 * sum(shape))
            compared += 1
            if kit[statement][number] > 2 * theirs:
                slower += 1
                print(f"{statement} on {name}: {kit[statement][number]:.2f} ns, scipy {theirs:.2f}")
    print(f"{compared} compared, {slower} more than twice as slow as scipy")


if __name__ == "__main__":
    main()
