"""Walks by bit flips: properties of every point, and exact counts over all points.

Without weights, all points with the same word have equivalent neighbours. With weights they have
not, so that every point of the cube is treated as a word.

Without weights, counts are computed by Walsh transforms over F2^k. Flipping a bit adds its column
to the word: a walk on F2^k whose eigenvalues belong to the vectors a of F2^k, and depend on a only
through the number w of columns c with a·c = 1. The eigenvalue is the Krawtchouk value K_r(w) for r
flips, and (1−2p)^w for mutation. So all walks are combinations of a few integer matrices, one for
each w.

Entry (a, b) of a count matrix is the number of pairs (x, S), where x is a bit vector of category a
and S a set of bits whose flips lead to category b.

With weights, single flips are counted exactly even where pairs of flips would take too long. A bit
of the head (without weight) moves all points of a word to the same word. A bit of the tail adds its
weight where it is clear, and subtracts it where it is set; the numbers of these points follow from
the subset counts of the other bits.

For several flips, pairs of a bit vector and its mutant are counted by their two words, bit by bit.
A flip changes the sum by +w or −w, depending on the bit, so that the walk of words is not
memoryless, and both words are needed. The state is (number of flips, old XOR, old sum, new sum, XOR
of the flipped columns); if the head makes every XOR equally often, the old XOR is not needed.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import comb
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect
from catcube.representations.words import Counts, Split, leave_one_out, reachable, subset_counts

if TYPE_CHECKING:
    from catcube.representations.representation import Representation

_LARGEST_CUBE = 16  # bits of cubes that are enumerated in about a second

# Words times categories: a gigabyte of float64, which represents integers up to 4^k ≤ 2^53 exactly,
# with fast matrix products.
_LARGEST_TABLE = 2**27


def radius(representation: "Representation") -> int:
    """Return the smallest R such that every category is within R flips of every point."""
    code = _without_sums(representation, "the radius")
    reached = reachable(code.elements)
    steps = [code.elements.plus(bit) for bit in range(code.bits)]
    seen = code.table[:, None] == np.arange(code.categories)
    rounds = 0
    while not seen[reached].all():
        wider = seen.copy()
        for step in steps:
            wider |= seen[step]
        seen = wider
        rounds += 1
    return rounds


def is_isotropic(representation: "Representation") -> bool:
    """Return whether, for every r, r flips lead from every point to all other categories equally.

    The Krawtchouk values of different w, as functions of r, are linearly independent, so that this
    must hold for the matrix of each w.
    """
    if representation.categories <= 2:
        return True  # there is at most one other category
    # A point with unequal neighbours proves the contrary: try the zero vector and random points.
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
    """Return whether each of some points has equally many neighbours of all other categories."""
    centre = representation.decode(vectors)
    neighbors = representation.neighbors(vectors)
    for category, around in zip(centre, neighbors, strict=True):
        counts = np.delete(np.bincount(around, minlength=representation.categories), category)
        if len(set(counts.tolist())) > 1:
            return False
    return True


def _without_sums(representation: "Representation", what: str) -> "Representation":
    """Return an equivalent code without weights, in which every point may be a word."""
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
    """Return, for each a of F2^k, the number of columns c with a·c = 1.

    >>> from catcube.representations import representation
    >>> column_weights(representation("direct", 8))
    array([0, 1, 1, 2, 1, 2, 2, 3])
    """
    columns, words = representation.columns, 1 << representation.elements.dimension
    return (representation.bits - walsh(np.bincount(columns, minlength=words))) // 2


def indicators(representation: "Representation") -> NDArray[np.float64]:
    """Return the matrix that is 1 where a reachable word (row) has a category (column)."""
    elements = representation.elements
    cells = representation.categories << elements.dimension
    expected = f"at most 2^27 words times categories of {representation}"
    expect(cells <= _LARGEST_TABLE, expected, cells)
    words = np.flatnonzero(reachable(elements)[:: elements.modulus])
    marks = np.zeros((1 << elements.dimension, representation.categories))
    marks[words, representation.table[:: elements.modulus][words]] = 1
    return marks


def pair_matrices(representation: "Representation") -> dict[int, NDArray[np.int64]]:
    """Return, for each w, the matrix Σ F_a(u)·F_b(u) over the u with this w.

    F_a is the transform of the indicator of category a. The sum of the matrices, times the
    eigenvalues of a walk and divided by 2^k, counts its steps from category a to category b.
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


# Numbers of operations that take about ten seconds, with Python integers (True) and without.
_MOST_FLIPS = 3 * 10**7
_MOST_PAIRS = {True: 10**8, False: 3 * 10**9}


def rows(counts: Counts, redundancy: tuple[int, ...], bits: int, exact: bool) -> NDArray[Any]:
    """Return a count matrix whose rows are divided by the size of the category times `bits`.

    >>> rows(np.array([[2, 4], [1, 1]], dtype=object), (6, 2), 1, exact=False)
    array([[0.33333333, 0.66666667],
           [0.5       , 0.5       ]])
    """
    matrix = np.empty(counts.shape, dtype=object if exact else np.float64)
    for category, size in enumerate(redundancy):
        whole = size * bits
        row = counts[category].tolist()
        # Python rounds quotients of integers of any size correctly.
        matrix[category] = [Fraction(count, whole) if exact else count / whole for count in row]
    return matrix


def flips(representation: "Representation", r: int) -> Counts:
    """Return the count matrix of r-bit mutations."""
    n = representation.bits
    if r > n:
        return np.zeros((representation.categories,) * 2, dtype=object)
    if representation.is_xor_only:
        matrices = representation._pair_matrices.items()
        total = sum(matrix.astype(object) * krawtchouk(n, r, w) for w, matrix in matrices)
        vectors = int(representation._word_counts[0])  # the same for all words that occur
        return np.asarray(total * vectors >> representation.elements.dimension)
    if r == 1:
        return _one_flip(representation)
    objects = max(comb(n, flips) for flips in range(r + 1)) << n >= 2**63  # bound on a count

    def one_flip_more(states: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate([np.zeros_like(states[:1]), states[:-1]])

    kind = object if objects else np.int64
    what = f"the spread of {r} flips"
    counts = _walk(representation, r + 1, kind, lambda states: states, one_flip_more, what)
    _, ways = Split.of(representation.elements).head_words(representation.elements)
    return counts.astype(object) * ways


def mutation(representation: "Representation", p: Any, exact: bool) -> NDArray[Any]:
    """Return the transition matrix of standard bit mutation with rate p."""
    p = Fraction(p) if exact else float(p)
    kind = object if exact else np.float64
    if representation.is_xor_only:
        matrices = representation._pair_matrices.items()
        total = sum(matrix.astype(kind) * (1 - 2 * p) ** w for w, matrix in matrices)
        words = np.bincount(representation.table[representation._word_counts != 0])
        sizes = words[:, None] << representation.elements.dimension
        return np.asarray(total / sizes.astype(kind))
    rates = (1 - p) / 2, p / 2  # of each value of the old bit, so that sums stay below 1
    keep, flip = (partial(np.multiply, rate) for rate in rates)
    joint = _walk(representation, 1, kind, keep, flip, "the mutation matrix")
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def _one_flip(representation: "Representation") -> Counts:
    """Return the count matrix of single flips, with weights."""
    elements, table = representation.elements, representation.table
    work = elements.order * representation.bits
    expected = f"at most {_MOST_FLIPS:.0e} words for the reach of {representation}"
    expect(work <= _MOST_FLIPS, expected, work)
    split = Split.of(elements)
    made, ways = split.head_words(elements)
    tail = split.tail_elements(elements)
    both_ways, upwards = np.zeros((2, *(representation.categories,) * 2), dtype=object)

    def add(counts: Counts, bit: int, of_tail: Counts) -> None:
        vectors = np.multiply.outer(made.astype(object), of_tail).ravel()
        np.add.at(counts, (table, table[elements.plus(bit)]), vectors)  # 0 where the table has −1

    for bit in split.head:
        add(both_ways, bit, subset_counts(tail))
    for bit, others in zip(split.tail, leave_one_out(tail), strict=True):
        add(upwards, bit, others)
    return (both_ways + upwards + upwards.T) * ways


Step: TypeAlias = Callable[[NDArray[Any]], NDArray[Any]]


def _walk(
    representation: "Representation", layers: int, kind: Any, keep: Step, flip: Step, what: str
) -> NDArray[Any]:
    """Count the pairs of words bit by bit; return the last layer, summed by categories.

    `keep` and `flip` return the states after a bit is kept or flipped.
    """
    elements = representation.elements
    split = Split.of(elements)
    xors, sums = 1 << elements.dimension, elements.modulus
    shape = (layers, 1 if split.separable else xors, sums, sums, xors)
    work = int(np.prod(shape, dtype=object)) * representation.bits
    most = _MOST_PAIRS[kind is object]
    expect(work <= most, f"at most {most:.0e} pairs of words for {what} of {representation}", work)
    states = np.zeros(shape, dtype=kind)
    states[0, 0, 0, 0, 0] = 1

    def set_bit(bit: int, old: bool, new: bool) -> NDArray[Any]:
        """Return the states after setting a bit in the old word, in the new one, or in both."""
        weight, column = int(elements.weights[bit]), int(elements.columns[bit])
        after = np.roll(states, (weight * old, weight * new), axis=(2, 3))
        if old and not split.separable:
            after = after[:, np.arange(xors) ^ column]
        return after if old == new else after[..., np.arange(xors) ^ column]

    for bit in split.tail:
        flipped = set_bit(bit, True, False) + set_bit(bit, False, True)
        states = keep(states + set_bit(bit, True, True)) + flip(flipped)
    for bit in split.head:
        flipped = states[..., np.arange(xors) ^ int(elements.columns[bit])]
        states = keep(states) + flip(flipped)
    table = representation.table.reshape(-1, sums)
    totals = np.zeros((representation.categories,) * 2, dtype=kind)
    old_xors = split.head_words(elements)[0] if split.separable else np.ones(xors, bool)
    for xor in np.flatnonzero(old_xors).tolist():
        of_xor = states[-1, 0 if split.separable else xor]
        old, new, difference = np.nonzero(of_xor)
        after = table[xor ^ difference, new]
        np.add.at(totals, (table[xor, old], after), of_xor[old, new, difference])
    return totals
