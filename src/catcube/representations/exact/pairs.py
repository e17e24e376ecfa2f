"""Pairs of a bit vector and what becomes of it, counted by their two words, bit by bit.

With an additive part a flip changes the word by +w or −w as the bit is clear or set, so the walk
of words has no memoryless law and both words have to be followed. The state is
(flips so far, old XOR, old sum, new sum, XOR of the flipped columns); if the head of the bits makes
every XOR equally often, the old XOR needs no following.
"""

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catcube.errors import BadValue
from catcube.representations.exact.words import Counts, Elements, Split

if TYPE_CHECKING:
    from catcube.representations.representation import Representation

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
