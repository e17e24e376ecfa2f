"""Local properties: the categories around every single point, decided exactly.

Without additive part all points with the same word see the same. With one they do not, and every
point of the cube is a word of its own.

Without additive part, walks are exact by Walsh transforms over F2^k. Flipping a bit adds its column
to the word, for any bits: a walk on F2^k whose eigenvalues belong to the vectors a of F2^k
and depend on a only through the number w of columns c with a·c = 1. For r flips the eigenvalue is
the Krawtchouk value K_r(w), for mutation (1−2p)^w. So all walks are combinations of a few integer
matrices, one for every w.
"""

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect
from catcube.representations.words import reachable

if TYPE_CHECKING:
    from catcube.representations.representation import Representation

Reals = NDArray[np.float64]

_LARGEST_CUBE = 16  # bits; whole cubes up to here take about a second

# Words times categories: a gigabyte of float64. The integers in them stay below 4^k ≤ 2^53, so
# float64 is exact, and its matrix products are fast.
_LARGEST_TABLE = 2**27


def radius(representation: "Representation") -> int:
    """Return the smallest R such that every point has all categories within R flips."""
    code = _without_sums(representation, "the radius")
    elements = code.elements
    words = np.flatnonzero(reachable(elements))
    index_of = np.zeros(elements.order, dtype=np.int64)
    index_of[words] = np.arange(len(words))
    steps = [index_of[elements.plus(bit, words)] for bit in range(elements.bits)]
    seen = code.table[words][:, None] == np.arange(code.categories)
    rounds = 0
    while not seen.all():
        wider = seen.copy()
        for step in steps:
            wider |= seen[step]
        seen = wider
        rounds += 1
    return rounds


def is_isotropic(representation: "Representation") -> bool:
    """Return whether every point reaches all other categories equally, for every r.

    The Krawtchouk values of different w, as functions of r, are linearly independent, so it must
    hold for the part of every w by itself.
    """
    if representation.categories <= 2:
        return True  # there is at most one other category
    # One point with unequal neighbours proves that it is not; any points will do to look for one.
    tries = np.random.default_rng(0).integers(0, 2, size=(64, representation.bits))
    if not _equal_neighbors(representation, np.vstack([tries * 0, tries])):
        return False
    code = _without_sums(representation, "isotropy")
    marks, weights = indicators(code), column_weights(code)
    transforms = walsh(marks)
    words = np.flatnonzero(marks.any(axis=1))
    marked = marks[words].astype(bool)
    for weight in np.unique(weights):
        part = walsh(np.where((weights == weight)[:, None], transforms, 0.0))[words]
        lowest = np.where(marked, np.inf, part).min(axis=1)
        highest = np.where(marked, -np.inf, part).max(axis=1)
        if (lowest < highest).any():
            return False
    return True


def _equal_neighbors(representation: "Representation", vectors: NDArray[np.int64]) -> bool:
    """Return whether each of these points has equally many neighbours of every other category."""
    centre = representation.decode(vectors)
    neighbors = representation.neighbors(vectors)
    for category, around in zip(centre, neighbors, strict=True):
        counts = np.delete(np.bincount(around, minlength=representation.categories), category)
        if len(set(counts.tolist())) > 1:
            return False
    return True


def _without_sums(representation: "Representation", what: str) -> "Representation":
    """Return the same code without an additive part: if it has one, every point is a word."""
    if representation.is_xor_only:
        return representation
    n = representation.bits
    expect(n <= _LARGEST_CUBE, f"at most {_LARGEST_CUBE} bits for {what} of {representation}", n)
    points = np.arange(1 << n)[:, None] >> np.arange(n) & 1
    return type(representation)(1 << np.arange(n), representation.decode(points))


def walsh(values: NDArray[Any]) -> NDArray[Any]:
    """Return the Walsh–Hadamard transform along the first axis, of length 2^k.

    >>> walsh(np.array([1, 0, 0, 1]))
    array([2, 0, 0, 2])
    """
    shape = values.shape
    half = 1
    while half < shape[0]:
        pairs = values.reshape(-1, 2, half, *shape[1:])
        first, second = pairs[:, 0], pairs[:, 1]
        values = np.stack([first + second, first - second], axis=1).reshape(shape)
        half *= 2
    return values


def column_weights(representation: "Representation") -> NDArray[np.int64]:
    """Count for every a of F2^k the columns c with a·c = 1.

    >>> from catcube.representations import representation
    >>> column_weights(representation("direct", 8))
    array([0, 1, 1, 2, 1, 2, 2, 3])
    """
    columns, words = representation.columns, 1 << representation.elements.dimension
    return (representation.bits - walsh(np.bincount(columns, minlength=words))) // 2


def indicators(representation: "Representation") -> Reals:
    """Return the 0-1 matrix of reachable words (rows) and their categories (columns)."""
    elements = representation.elements
    cells = representation.categories << elements.dimension
    expected = f"at most 2^27 words times categories of {representation}"
    expect(cells <= _LARGEST_TABLE, expected, cells)
    words = np.flatnonzero(reachable(elements)[:: elements.modulus])
    marks = np.zeros((1 << elements.dimension, representation.categories))
    marks[words, representation.table[:: elements.modulus][words]] = 1
    return marks


def pair_matrices(representation: "Representation") -> dict[int, NDArray[np.int64]]:
    """Return for every w the matrix Σ F_a(u)·F_b(u) over the u with that w, F_a the transform of a.

    Divided by 2^k, their combination with the eigenvalues of a walk counts its steps from words of
    category a to words of category b.
    """
    transforms = walsh(indicators(representation))
    weights = column_weights(representation)
    matrices = {}
    for weight in np.unique(weights):
        rows = transforms[weights == weight]
        matrices[int(weight)] = np.rint(rows.T @ rows).astype(np.int64)
    return matrices


def krawtchouk(n: int, r: int, w: int) -> int:
    """Return K_r(w) for n bits, the coefficient of z^r in (1−z)^w · (1+z)^(n−w).

    >>> [krawtchouk(15, r, 8) for r in range(5)]
    [1, -1, -7, 7, 21]
    """
    return sum((-1) ** j * comb(w, j) * comb(n - w, r - j) for j in range(min(r, w) + 1))
