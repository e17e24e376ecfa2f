"""Where flips lead, from category to category: exact counts over all bit vectors.

A count matrix has in row a and column b the number of pairs (x, S) where x is a bit vector of
category a and S a set of bits whose flipping leads to category b.

Single flips with an additive part are counted exactly even where pairs of flips are out of reach: a
bit of the head moves all points of a word to the same word. A bit of the tail moves up the points
where it is clear and down those where it is set; their numbers follow from the subset counts of the
other bits.

For several flips pairs of a bit vector and what becomes of it are counted by their two words, bit
by bit. With an additive part a flip changes the word by +w or −w as the bit is clear or set, so the
walk of words has no memoryless law and both words have to be followed. The state is (flips so far,
old XOR, old sum, new sum, XOR of the flipped columns); if the head of the bits makes every XOR
equally often, the old XOR needs no following.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from catcube.base.text import expect
from catcube.representations.locality import krawtchouk
from catcube.representations.words import Counts, Split, leave_one_out, subset_counts

if TYPE_CHECKING:
    from catcube.representations.representation import Representation

# Entries touched: some ten seconds with Python numbers and with machine numbers.
_MOST_FLIPS = 3 * 10**7
_MOST_PAIRS = {True: 10**8, False: 3 * 10**9}


def rows(counts: Counts, redundancy: tuple[int, ...], bits: int, exact: bool) -> NDArray[Any]:
    """Return a count matrix divided by the size of each row's category (and by a number of bits).

    >>> rows(np.array([[2, 4], [1, 1]], dtype=object), (6, 2), 1, exact=False)
    array([[0.33333333, 0.66666667],
           [0.5       , 0.5       ]])
    """
    matrix = np.empty(counts.shape, dtype=object if exact else np.float64)
    for category, size in enumerate(redundancy):
        whole = size * bits
        row = counts[category].tolist()
        # Python divides integers of any size with one correct rounding.
        matrix[category] = [Fraction(count, whole) if exact else count / whole for count in row]
    return matrix


def flips(representation: "Representation", r: int) -> Counts:
    """Return the count matrix of r-bit mutations."""
    n = representation.bits
    if r > n:
        return np.zeros((representation.categories,) * 2, dtype=object)
    if representation.is_xor_only:
        total = sum(
            matrix.astype(object) * krawtchouk(n, r, w)
            for w, matrix in representation._pair_matrices.items()
        )
        vectors = int(representation._word_counts[0])  # all words that occur occur equally often
        return np.asarray(total * vectors >> representation.elements.dimension)
    if r == 1:
        return _one_flip(representation)
    objects = max(comb(n, flips) for flips in range(r + 1)) << n >= 2**63  # all pairs in one state

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
        return np.asarray(
            total / (words[:, None] << representation.elements.dimension).astype(kind)
        )
    rates = (1 - p) / 2, p / 2  # half of the old bits are set: sums stay below 1
    keep, flip = (partial(np.multiply, rate) for rate in rates)
    joint = _walk(representation, 1, kind, keep, flip, "the mutation matrix")
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def _one_flip(representation: "Representation") -> Counts:
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


def _walk(
    representation: "Representation",
    layers: int,
    kind: Any,
    keep: Callable[[NDArray[Any]], NDArray[Any]],
    flip: Callable[[NDArray[Any]], NDArray[Any]],
    what: str,
) -> NDArray[Any]:
    """Follow all pairs of words bit by bit; return the last layer, summed by their categories.

    `keep` and `flip` say what becomes of the states if a bit stays as it is or flips.
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

    def moved(bit: int, old: bool, new: bool) -> NDArray[Any]:
        """Return the states after setting the bit in the old word, in the new one, or in both."""
        weight, column = int(elements.weights[bit]), int(elements.columns[bit])
        after = np.roll(states, (weight * old, weight * new), axis=(2, 3))
        if old and not split.separable:
            after = after[:, np.arange(xors) ^ column]
        return after if old == new else after[..., np.arange(xors) ^ column]

    for bit in split.tail:
        flipped = moved(bit, True, False) + moved(bit, False, True)
        states = keep(states + moved(bit, True, True)) + flip(flipped)
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
