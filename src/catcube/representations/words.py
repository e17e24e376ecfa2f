"""Words: the elements of the group F2^k × Z_M.

Bit i of a variable has an element (column, weight) of the group. The word of a bit vector is the
sum of the elements of its set bits, and the index of a word is `xor * M + sum`. Counts of bit
vectors are Python integers in object arrays, because they may exceed 64 bits.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.int64]
Counts: TypeAlias = NDArray[Any]  # object arrays of Python integers


class Elements(NamedTuple):
    """The group elements of some bits, and the group."""

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
        """Return the elements of a subset of the bits.

        >>> direct = Elements(np.array([1, 2, 4]), np.zeros(3, int), 3, 1)
        >>> direct.only(np.array([2])).columns
        array([4])
        """
        return self._replace(columns=self.columns[bits], weights=self.weights[bits])

    def plus(self, bit: int, words: Words | None = None) -> Words:
        """Return the words plus the element of a bit, as after setting the bit.

        >>> vt = Elements(np.zeros(2, int), np.array([1, 2]), 0, 3)
        >>> vt.plus(1)
        array([2, 0, 1])
        """
        return self._add(bit, int(self.weights[bit]), words)

    def minus(self, bit: int, words: Words | None = None) -> Words:
        """Return the words minus the element of a bit, as after clearing the bit."""
        return self._add(bit, -int(self.weights[bit]), words)

    def _add(self, bit: int, weight: int, words: Words | None) -> Words:
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
    # Bits without weights first, because they reach most words early.
    for bit in np.argsort(elements.weights != 0, kind="stable").tolist():
        if elements.weights[bit] == 0 and reached[elements.columns[bit] * elements.modulus]:
            continue  # the words reached so far are a group that contains this element
        if reached.all():
            break
        reached |= reached[elements.minus(bit)]
    return reached


def subset_counts(elements: Elements) -> Counts:
    """Return the number of bit vectors of each word, computed bit by bit.

    >>> subset_counts(Elements(np.zeros(3, int), np.array([1, 2, 3]), 0, 4))
    array([2, 2, 2, 2], dtype=object)
    """
    *_, counts = running_counts(elements, range(elements.bits))
    return counts


def running_counts(
    elements: Elements, bits: Iterable[int], counts: Counts | None = None
) -> Iterator[Counts]:
    """Yield the counts of words before the first and after each bit; by default, from no bits.

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
    """Yield, for each bit, the subset counts of all other bits.

    Divide and conquer needs n·log n additions of a bit. A bit cannot be removed from the full
    count, because 1 + X^w has no inverse modulo X^M − 1.
    """
    [nothing] = running_counts(elements, ())
    yield from _leave_one_out(elements, nothing, 0, elements.bits)


def _leave_one_out(elements: Elements, counts: Counts, start: int, stop: int) -> Iterator[Counts]:
    """Yield the same for the bits from `start` to `stop`; `counts` contains all others."""
    if stop - start == 1:
        yield counts
    elif stop > start:
        middle = (start + stop) // 2
        for half, other in (((start, middle), (middle, stop)), ((middle, stop), (start, middle))):
            *_, with_other = running_counts(elements, range(*other), counts)
            yield from _leave_one_out(elements, with_other, *half)


def independent_bits(columns: Words) -> Words:
    """Return the first bits whose columns are a basis of the span of all columns.

    >>> independent_bits(np.array([3, 3, 1, 2]))
    array([0, 2])
    """
    basis: list[int] = []  # with different leading bits
    independent = []
    for bit, column in enumerate(columns.tolist()):
        for vector in basis:
            column = min(column, column ^ vector)
        if column:
            basis.append(column)
            independent.append(bit)
    return np.array(independent, dtype=np.int64)


class Split(NamedTuple):
    """The partition of the bits into head, those without weight, and tail, the others.

    If the columns of the head span those of all bits (`separable`), the head makes every XOR
    equally often, for any tail, so that the tail matters only by its sum. This holds for all
    built-in families; otherwise all bits belong to the tail.
    """

    head: Words
    tail: Words
    separable: bool

    @classmethod
    def of(cls, elements: Elements) -> "Split":
        """Return the partition of the bits with these elements.

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
        """Return the elements of the tail, in Z_M only if the split is separable."""
        tail = elements.only(self.tail)
        if not self.separable:
            return tail
        return Elements(np.zeros_like(tail.columns), tail.weights, 0, elements.modulus)

    def head_words(self, elements: Elements) -> tuple[NDArray[np.bool_], int]:
        """Return a mask of the XORs that the head makes, and the number of ways for each.

        If all bits are tail, it is the single word of no bits, in one way. The counts of all words
        are the outer product of this mask and the counts of the tail, times the number of ways.

        >>> balanced = Elements(np.array([1, 2, 3]), np.array([0, 0, 1]), 2, 3)
        >>> Split.of(balanced).head_words(balanced)
        (array([ True,  True,  True,  True]), 1)
        """
        head = elements.only(self.head)
        dimension = elements.dimension if self.separable else 0
        made = reachable(head._replace(dimension=dimension, modulus=1))
        return made, 2 ** (head.bits - len(independent_bits(head.columns)))


def word_counts(elements: Elements) -> Counts:
    """Return the same as `subset_counts`, without adding the bits of the head one by one.

    >>> word_counts(Elements(np.arange(1, 256), np.zeros(255, int), 8, 1))[77] == 2**247
    True
    """
    split = Split.of(elements)
    made, ways = split.head_words(elements)
    of_tail = subset_counts(split.tail_elements(elements))
    return np.outer(made.astype(object), of_tail * ways).ravel()
