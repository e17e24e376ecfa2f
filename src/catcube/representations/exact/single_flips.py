"""Single flips with an additive part, counted exactly even where pairs of flips are out of reach.

A bit of the head moves all points of a word to the same word. A bit of the tail moves up the points
where it is clear and down those where it is set; their numbers follow from the subset
counts of the other bits.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from catcube.errors import BadValue
from catcube.representations.exact.words import Counts, Split, Words, leave_one_out, subset_counts

if TYPE_CHECKING:
    from catcube.representations.representation import Representation

_LARGEST_WORK = 10**8  # words touched, about: some ten seconds
_MOST_HUGE = 10**7  # operations on integers of hundreds of bits: as long

_LIMB = 24  # bits; sums of 2^29 limbs are exact in float64


def one_flip(representation: "Representation") -> Counts:
    """Return the count matrix of single flips (see `walks`)."""
    elements, table = representation.elements, representation.table
    limbs = representation.bits // _LIMB + 1
    huge = elements.modulus * representation.bits * limbs  # operations on integers of any size
    work = elements.order * representation.bits
    if work > _LARGEST_WORK or huge > _MOST_HUGE:
        raise BadValue(
            f"the reach of {representation.name!r} with {representation.categories} categories "
            f"is not feasible here: it would touch {work:.0e} words (at most {_LARGEST_WORK:.0e}) "
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
