"""Words: the group F2^k × Z_M in which the set bits of a variable add up.

Bit i of a variable carries an element (column, weight) of the group. The word of a bit vector is
the sum of the elements of its set bits, and the index of a word is `xor * M + sum`.
Counts of bit vectors are exact Python integers in object arrays: 255 bits do not fit in int64.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.int64]
Counts: TypeAlias = NDArray[Any]  # object arrays of Python integers


class Elements(NamedTuple):
    """The group elements of some bits, and the group they live in."""

    columns: Words
    weights: Words
    dimension: int  # k of F2^k
    modulus: int  # M of Z_M

    @property
    def bits(self) -> int:
        """The number of bits."""
        return len(self.columns)

    @property
    def order(self) -> int:
        """The number of elements of the group."""
        return self.modulus << self.dimension

    def only(self, bits: Words) -> "Elements":
        """Return the elements of some of the bits.

        >>> direct = Elements(np.array([1, 2, 4]), np.zeros(3, int), 3, 1)
        >>> direct.only(np.array([2])).columns
        array([4])
        """
        return self._replace(columns=self.columns[bits], weights=self.weights[bits])

    def plus(self, bit: int, words: Words | None = None) -> Words:
        """Return the words after adding the element of a bit: what setting the bit does.

        >>> vt = Elements(np.zeros(2, int), np.array([1, 2]), 0, 3)
        >>> vt.plus(1)
        array([2, 0, 1])
        """
        return self._moved(bit, int(self.weights[bit]), words)

    def minus(self, bit: int, words: Words | None = None) -> Words:
        """Return the words after subtracting the element of a bit: what clearing the bit does."""
        return self._moved(bit, -int(self.weights[bit]), words)

    def _moved(self, bit: int, weight: int, words: Words | None) -> Words:
        xors, sums = divmod(np.arange(self.order) if words is None else words, self.modulus)
        moved: Words = (xors ^ self.columns[bit]) * self.modulus + (sums + weight) % self.modulus
        return moved


def reachable(elements: Elements) -> NDArray[np.bool_]:
    """Return a mask of the words that some bit vector has.

    >>> reachable(Elements(np.array([3, 3]), np.zeros(2, int), 2, 1))
    array([ True, False, False,  True])
    """
    reached = np.zeros(elements.order, dtype=bool)
    reached[0] = True
    # The bits without weight first: they fill the XOR part, and most words are made early.
    for bit in np.argsort(elements.weights != 0, kind="stable").tolist():
        if elements.weights[bit] == 0 and reached[elements.columns[bit] * elements.modulus]:
            continue  # the words reached by these are a group: this one leads to no other
        if reached.all():
            break
        reached |= reached[elements.minus(bit)]
    return reached


def subset_counts(elements: Elements) -> Counts:
    """Count for every word the bit vectors with that word exactly, bit by bit.

    >>> subset_counts(Elements(np.zeros(3, int), np.array([1, 2, 3]), 0, 4))
    array([2, 2, 2, 2], dtype=object)
    """
    *_, counts = running_counts(elements, range(elements.bits))
    return counts


def running_counts(
    elements: Elements, bits: Iterable[int], counts: Counts | None = None
) -> Iterator[Counts]:
    """Yield the counts of words before and after each further bit; by default, from no bits on.

    >>> [counts.tolist() for counts in running_counts(Elements(*np.eye(2, dtype=int), 1, 2), [0])]
    [[1, 0, 0, 0], [1, 0, 1, 0]]
    """
    if counts is None:
        counts = np.zeros(elements.order, dtype=object)
        counts[0] = 1
    yield counts
    for bit in bits:
        counts = counts + counts[elements.minus(bit)]
        yield counts


def leave_one_out(elements: Elements) -> Iterator[Counts]:
    """Yield for every bit in turn the subset counts of all the other bits.

    Halving the bits and adding the other half on the way down costs n·log n additions of a bit;
    removing a bit from the full count is not possible, as 1 + X^w has no inverse modulo X^M − 1.
    """
    [nothing] = running_counts(elements, ())
    yield from _leave_one_out(elements, nothing, 0, elements.bits)


def _leave_one_out(elements: Elements, counts: Counts, start: int, stop: int) -> Iterator[Counts]:
    if stop - start == 1:
        yield counts
    elif stop > start:
        middle = (start + stop) // 2
        for half, other in (((start, middle), (middle, stop)), ((middle, stop), (start, middle))):
            *_, with_other = running_counts(elements, range(*other), counts)
            yield from _leave_one_out(elements, with_other, *half)


def independent_bits(columns: Words) -> Words:
    """Return the first bits whose columns are a basis of the span of all of them.

    >>> independent_bits(np.array([3, 3, 1, 2]))
    array([0, 2])
    """
    basis: list[int] = []  # each with a leading bit that no other one has in front
    independent = []
    for bit, column in enumerate(columns.tolist()):
        for vector in basis:
            column = min(column, column ^ vector)
        if column:
            basis.append(column)
            independent.append(bit)
    return np.array(independent, dtype=np.int64)


class Split(NamedTuple):
    """The bits without weight (head) and the others (tail).

    If the columns of the head span those of all bits (`separable`), then for any tail the
    head makes every XOR word equally often: the tail matters through its sum alone. That holds for
    every family; otherwise all bits are tail.
    """

    head: Words
    tail: Words
    separable: bool

    @classmethod
    def of(cls, elements: Elements) -> "Split":
        """Split the bits that carry these elements.

        >>> balanced = Elements(np.array([1, 2, 3]), np.array([0, 0, 1]), 2, 3)
        >>> Split.of(balanced)
        Split(head=array([0, 1]), tail=array([2]), separable=True)
        """
        head = np.flatnonzero(elements.weights == 0)
        tail = np.flatnonzero(elements.weights != 0)
        rank = len(independent_bits(elements.columns))
        if len(independent_bits(elements.columns[head])) == rank:
            return cls(head, tail, True)
        return cls(np.empty(0, dtype=np.int64), np.arange(elements.bits), False)

    def tail_elements(self, elements: Elements) -> Elements:
        """Return the elements of the tail, in Z_M alone if the head takes care of the XOR part."""
        tail = elements.only(self.tail)
        if not self.separable:
            return tail
        return Elements(np.zeros_like(tail.columns), tail.weights, 0, elements.modulus)

    def head_words(self, elements: Elements) -> tuple[NDArray[np.bool_], int]:
        """Return a mask of the XOR words that the head makes, and in how many ways each of them.

        If all bits are tail, the one word (of no bits) in one way. Either way the counts of all
        words are the outer product of this and the counts of the tail.

        >>> balanced = Elements(np.array([1, 2, 3]), np.array([0, 0, 1]), 2, 3)
        >>> Split.of(balanced).head_words(balanced)
        (array([ True,  True,  True,  True]), 1)
        """
        head = elements.only(self.head)
        dimension = elements.dimension if self.separable else 0
        made = reachable(head._replace(dimension=dimension, modulus=1))
        return made, 2 ** (head.bits - len(independent_bits(head.columns)))


def word_counts(elements: Elements) -> Counts:
    """Compute `subset_counts` without visiting the words of the head one bit at a time.

    >>> word_counts(Elements(np.arange(1, 256), np.zeros(255, int), 8, 1))[77] == 2**247
    True
    """
    split = Split.of(elements)
    made, ways = split.head_words(elements)
    of_tail = subset_counts(split.tail_elements(elements))
    return np.outer(made.astype(object), of_tail * ways).ravel()
