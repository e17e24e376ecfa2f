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

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.errors import BadValue
from catcube.representations.locality import krawtchouk
from catcube.representations.words import (
    Counts,
    Elements,
    Split,
    Words,
    leave_one_out,
    subset_counts,
)


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
    if r > representation.bits:
        return np.zeros((representation.categories,) * 2, dtype=object)
    if representation.is_xor_only:
        return _linear_counts(representation, r)
    if _counts_ones(representation):
        return _ones_counts(representation, r)
    if r == 1:
        return one_flip(representation)
    return pair_counts(representation, r)


def _linear_counts(representation: "Representation", r: int) -> Counts:
    n = representation.bits
    return _combined(
        representation,
        {w: krawtchouk(n, r, w) for w in representation._pair_matrices},
    )


def _combined(representation: "Representation", eigenvalues: dict[int, Any]) -> Counts:
    """Return Σ_w eigenvalue(w)·matrix(w) / 2^k, times the number of bit vectors of one word."""
    total = np.zeros((representation.categories,) * 2, dtype=object)
    for w, matrix in representation._pair_matrices.items():
        total = total + matrix.astype(object) * eigenvalues[w]
    vectors = int(representation._word_counts[0])  # all words that occur occur equally often
    words = 1 << representation.elements.dimension
    if all(isinstance(value, int) for value in eigenvalues.values()):
        return np.asarray(total * vectors // words)  # a count: nothing is lost
    return np.asarray(total * Fraction(vectors, words))


def _counts_ones(representation: "Representation") -> bool:
    """Return whether the word is the number of ones, as in unary: then it all is hypergeometric."""
    return bool(
        not representation.columns.any()
        and (representation.weights == 1).all()
        and representation.modulus > representation.bits
    )


def _ones_counts(representation: "Representation", r: int) -> Counts:
    n, table = representation.bits, representation.table
    counts = np.zeros((representation.categories,) * 2, dtype=object)
    for ones in range(n + 1):
        for cleared in range(max(0, r - n + ones), min(r, ones) + 1):
            ways = comb(n, ones) * comb(ones, cleared) * comb(n - ones, r - cleared)
            counts[table[ones], table[ones - cleared + r - cleared]] += ways
    return counts


def mutation(representation: "Representation", p: Any, exact: bool) -> NDArray[Any]:
    """Return the transition matrix of standard bit mutation with rate p."""
    if exact:
        p = Fraction(p)
    if not representation.is_xor_only:
        return pair_probabilities(representation, p, exact)
    if exact:
        eigenvalues = {w: (1 - 2 * p) ** w for w in representation._pair_matrices}
        return rows(_combined(representation, eigenvalues), representation.redundancy(), 1, exact)
    matrices = representation._pair_matrices
    total = sum((1.0 - 2.0 * p) ** w * matrix for w, matrix in matrices.items())
    words = np.bincount(representation.table[representation._word_counts != 0])
    return np.asarray(total / (words[:, None] << representation.elements.dimension))


if TYPE_CHECKING:
    from catcube.representations.representation import Representation

_MOST_TOUCHED = 10**8  # words touched, about: some ten seconds
_MOST_HUGE = 10**7  # operations on integers of hundreds of bits: as long

_LIMB = 24  # bits; sums of 2^29 limbs are exact in float64


def one_flip(representation: "Representation") -> Counts:
    """Return the count matrix of single flips (see `walks`)."""
    elements, table = representation.elements, representation.table
    limbs = representation.bits // _LIMB + 1
    huge = elements.modulus * representation.bits * limbs  # operations on integers of any size
    work = elements.order * representation.bits
    if work > _MOST_TOUCHED or huge > _MOST_HUGE:
        raise BadValue(
            f"the reach of {representation.name!r} with {representation.categories} categories "
            f"is not feasible here: it would touch {work:.0e} words (at most {_MOST_TOUCHED:.0e}) "
            f"and numbers of hundreds of bits {huge:.0e} times (at most {_MOST_HUGE:.0e})"
        )
    split = Split.of(elements)
    made, ways = split.head_words(elements)
    tail = split.tail_elements(elements)
    all_bits = subset_counts(tail)
    all_but_one = leave_one_out(tail)
    both_ways = _Tally(representation, made)
    upwards = _Tally(representation, made)
    for bit in split.head:
        both_ways.add(table[elements.plus(bit)], all_bits)
    for bit, (_, others) in zip(split.tail, all_but_one, strict=True):
        upwards.add(table[elements.plus(bit)], others)
    up = upwards.total()
    return (both_ways.total() + up + up.T) * ways


class _Tally:
    """Sums of huge numbers by pair of categories, in limbs of a few bits that numpy adds fast."""

    def __init__(self, representation: "Representation", made: NDArray[np.bool_]) -> None:
        self._made = made
        self._categories = representation.categories
        self._before = np.maximum(representation.table, 0)  # −1 occurs zero times: any will do
        limbs = representation.bits // _LIMB + 1
        self._sums = np.zeros((limbs, self._categories**2), dtype=np.int64)

    def add(self, after: Words, tail_counts: Counts) -> None:
        """Count moves of all words to words of the categories `after`."""
        pairs = self._before * self._categories + np.maximum(after, 0)
        for limb, sums in enumerate(self._sums):
            part = (tail_counts >> limb * _LIMB & (1 << _LIMB) - 1).astype(np.float64)
            weights = np.multiply.outer(self._made, part).ravel()
            sums += np.bincount(pairs, weights, minlength=len(sums)).astype(np.int64)

    def total(self) -> Counts:
        """Return the exact sums as a matrix."""
        total = np.zeros(self._sums.shape[1], dtype=object)
        for limb, sums in enumerate(self._sums):
            total = total + (sums.astype(object) << limb * _LIMB)
        return total.reshape(self._categories, self._categories)


# Entries touched, about: some ten seconds with Python numbers and with machine numbers.
_LARGEST_WORK = {True: 10**8, False: 3 * 10**9}


def pair_counts(representation: "Representation", r: int) -> Counts:
    """Return the count matrix of r-bit mutations (see `walks`), by following all pairs of words."""
    n = representation.bits
    objects = max(comb(n, flips) for flips in range(r + 1)) << n >= 2**63  # all pairs in one state
    walk = _Walk.of(representation, r + 1, f"the spread of {r} flips", objects)
    states = walk.start(object if objects else np.int64)
    for bit in walk.split.tail:
        kept = states + walk.moved(states, bit, old=True, new=True)
        flipped = walk.moved(states, bit, old=True, new=False, difference=True)
        flipped += walk.moved(states, bit, old=False, new=True, difference=True)
        kept[1:] += flipped[:-1]
        states = kept
    for bit in walk.split.head:
        flipped = walk.moved(states, bit, old=False, new=False, difference=True)
        states = states.copy()
        states[1:] += flipped[:-1]
    _, ways = walk.split.head_words(walk.elements)
    return walk.by_category(representation, states[r].astype(object)) * ways


def pair_probabilities(representation: "Representation", p: Any, exact: bool) -> NDArray[Any]:
    """Return the transition matrix of mutation with rate p, by following all pairs of words."""
    walk = _Walk.of(representation, 1, "the mutation matrix", exact)
    states = walk.start(object if exact else np.float64)
    half = Fraction(1, 2) if exact else 0.5
    for bit in walk.split.tail:
        kept = states + walk.moved(states, bit, old=True, new=True)
        flipped = walk.moved(states, bit, old=True, new=False, difference=True)
        flipped += walk.moved(states, bit, old=False, new=True, difference=True)
        states = kept * ((1 - p) * half) + flipped * (p * half)
    for bit in walk.split.head:
        flipped = walk.moved(states, bit, old=False, new=False, difference=True)
        states = states * (1 - p) + flipped * p
    joint = walk.by_category(representation, states[0])
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


class _Walk(NamedTuple):
    elements: Elements
    split: Split
    shape: tuple[int, int, int, int, int]

    @classmethod
    def of(cls, representation: "Representation", layers: int, what: str, objects: bool) -> "_Walk":
        elements = representation.elements
        split = Split.of(elements)
        xors, sums = 1 << elements.dimension, elements.modulus
        shape = (layers, 1 if split.separable else xors, sums, sums, xors)
        work = int(np.prod(shape, dtype=object)) * representation.bits
        if work > _LARGEST_WORK[objects]:
            raise BadValue(
                f"{what} of {representation.name!r} with {representation.categories} categories "
                f"is not feasible here: it would touch {work:.0e} pairs of words "
                f"(at most {_LARGEST_WORK[objects]:.0e})"
            )
        return cls(elements, split, shape)

    def start(self, dtype: Any) -> NDArray[Any]:
        states = np.zeros(self.shape, dtype=dtype)
        states[0, 0, 0, 0, 0] = 1
        return states

    def moved(
        self, states: NDArray[Any], bit: int, old: bool, new: bool, difference: bool = False
    ) -> NDArray[Any]:
        """Return the states after adding the bit to the old word, to the new one, to the flips."""
        weight, column = int(self.elements.weights[bit]), int(self.elements.columns[bit])
        shifts = (weight if old else 0, weight if new else 0)
        states = np.roll(states, shifts, axis=(2, 3))
        if old and not self.split.separable:
            states = states[:, np.arange(self.shape[1]) ^ column]
        if difference:
            states = states[..., np.arange(self.shape[4]) ^ column]
        return states

    def by_category(self, representation: "Representation", states: NDArray[Any]) -> NDArray[Any]:
        """Return the states summed up by the categories of their old word and of their new word."""
        table = representation.table.reshape(-1, self.elements.modulus)
        totals = np.zeros((representation.categories,) * 2, dtype=states.dtype)
        xors = np.arange(len(table))
        if self.split.separable:
            made, _ = self.split.head_words(self.elements)
            xors = np.flatnonzero(made)
        for xor in xors.tolist():
            of_xor = states[0 if self.split.separable else xor]
            old, new, difference = np.nonzero(of_xor)
            after = table[xor ^ difference, new]
            np.add.at(totals, (table[xor, old], after), of_xor[old, new, difference])
        return totals
